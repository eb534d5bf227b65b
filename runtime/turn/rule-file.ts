// Rule file
// The turn that puts a file of rules in force.
//
//   Owns:          comparing a file with the present rules: which are new, which stay, which are removed.
//   Does not own:  reading a file (adapters/cli), who may send a file (rule-door), the rows (rule-rows).
//   Decided in:    docs/decisions/0081-rules-as-a-file.md.
//
// RULE-FILE-1. After the turn, the rules of this scope (owner or project) in force are exactly those of the file. The turn
//     applies all of them or none.
// RULE-FILE-2. A rule that stays keeps its id, its uses and its record of a dry run. Rules that no file of this scope made stay
//     as they are.
// RULE-FILE-3. Sending the same file twice changes nothing. A rule that has no uses left or has expired is not made again.
// RULE-FILE-4. A project's file may contain no rule that allows.

import { type FileScope, flawOf, isInForce, type RuleTerms } from "../../machines/index.ts";
import { canonicalText } from "../canonical.ts";
import type { OwnMessage, RulesApplied } from "../message.ts";
import type { JournalEntry } from "../ports.ts";
import type { Layer } from "../rows/overlay.ts";
import {
  addRule,
  endedOf,
  type KeptRule,
  removeRule,
  ruleIdOf,
  RULES_MAX,
  rulesOf,
} from "../rows/rule-rows.ts";
import { type FileChanges, type Made, rejected } from "./rule-making.ts";

interface Wanted {
  readonly scope: FileScope;
  readonly rules: readonly RuleTerms[];
}

/** The rules of a workspace in their present state. */
export interface Standing {
  readonly inForce: readonly KeptRule[];
  readonly ended: readonly KeptRule[];
}

export function filePlan(
  { inForce, ended }: Standing,
  at: number,
  { scope, rules }: Wanted,
): FileChanges<RuleTerms> {
  const ours = inForce.filter(({ file }) => file === scope);
  const known = new Set(ours.map(nameOf));
  const isSpent = ({ file, ended: end }: KeptRule): boolean => file === scope && end?.why !== "removed";
  const spent = new Set(ended.filter(isSpent).map(nameOf));
  const wanted = new Map(rules.map((terms) => [nameOf(terms), terms]));
  const others = [...wanted].filter(([name]) => !known.has(name));
  const isOver = ([name, terms]: (typeof others)[number]): boolean =>
    spent.has(name) || !isInForce(terms, at);
  return {
    added: others.filter((each) => !isOver(each)).map(([, terms]) => terms),
    over: others.filter(isOver).map(([, terms]) => terms),
    kept: ours.filter((rule) => wanted.has(nameOf(rule))),
    removed: ours.filter((rule) => !wanted.has(nameOf(rule))),
  };
}

/** @returns how many rules the workspace would have, if that is more than the limit. */
export function tooMany(
  { inForce }: Standing,
  { added, removed }: FileChanges<RuleTerms>,
): number | undefined {
  const after = inForce.length - removed.length + added.length;
  return after > RULES_MAX ? after : undefined;
}

/** What a person wrote in a rule, as one text, without the fields that the engine added. */
export function nameOf(rule: RuleTerms): string {
  const said = Object.fromEntries(
    TERMS.filter((name) => rule[name] !== undefined).map((name) => [name, rule[name]]),
  );
  // A person made this dry rule take effect, but the file still calls the rule dry.
  return canonicalText("enforced" in rule ? { ...said, dry: true } : said);
}

const IS_TERM: Readonly<Record<keyof RuleTerms, true>> = {
  effect: true,
  tool: true,
  match: true,
  agent: true,
  session: true,
  project: true,
  expiresAt: true,
  uses: true,
  unmarked: true,
  perHour: true,
  hours: true,
  approvals: true,
  approvers: true,
  note: true,
  dry: true,
};
const TERMS = Object.keys(IS_TERM) as readonly (keyof RuleTerms)[];

export function applyFile(
  layer: Layer,
  { position, at }: JournalEntry,
  { workspace }: OwnMessage,
  { scope, rules, by }: RulesApplied,
): Made {
  for (const [n, terms] of rules.entries()) {
    const flaw = flawInFile(terms, scope);
    if (flaw)
      return rejected("WRONG_SHAPE", `rules[${n}].${flaw.path} ${flaw.reason}`, `rules[${n}].${flaw.path}`);
  }
  const standing = { inForce: rulesOf(layer, workspace), ended: endedOf(layer, workspace) };
  const plan = filePlan(standing, at, { scope, rules });
  const many = tooMany(standing, plan);
  if (many !== undefined) return rejected("TOO_MANY_RULES", `the workspace would have ${many} rules`);
  for (const { id } of plan.removed) removeRule(layer, workspace, id, { why: "removed", at, by });
  const added = plan.added.map((terms, n): KeptRule => {
    const id = ruleIdOf(position, n);
    return { ...terms, id, workspace, madeBy: by, madeAt: at, file: scope, used: 0 };
  });
  for (const rule of added) addRule(layer, rule);
  return { outcome: "applied", file: { ...plan, added } };
}

/** The flaw of a rule in a file. RULE-FILE-4: in a project's file, `allow` is a flaw. */
export function flawInFile(terms: RuleTerms, scope: FileScope): { path: string; reason: string } | undefined {
  if (scope === "project" && terms.effect === "allow")
    return {
      path: "effect",
      reason: "cannot be allow in a project's file: such a file may only restrict what the owner allows",
    };
  return flawOf(terms);
}
