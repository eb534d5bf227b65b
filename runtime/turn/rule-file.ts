// Rule file
// The turn that puts a file of rules in force.
//
//   Owns:          comparing a file with the present rules: which are new, which stay, which are removed.
//   Does not own:  reading a file (adapters/cli), who may send a file (rule-door), the rows (rule-rows).
//   Decided in:    docs/decisions/0081-rules-as-a-file.md.
//
// RULE-FILE-1. A file's scope says whose file it is: the data folder's (`owner`) or a project's (`project`). After the turn, the
//     rules in force that files of this scope made are exactly the file's rules, except spent and expired ones (RULE-FILE-3). If
//     a rule of the file is invalid, or the workspace would have too many rules, nothing changes.
// RULE-FILE-2. A rule that is in the file and already in force keeps its id, its uses and its record as a dry rule. The turn does
//     not change rules that no file of this scope made.
// RULE-FILE-3. Sending the same file twice changes nothing. A rule of the file whose uses are spent, or that has expired, is not
//     made again.
// RULE-FILE-4. A project's file may contain no rule that allows.

import { type FileScope, flawOf, isInForce, type RuleTerms } from "../../machines/index.ts";
import { canonicalText } from "../canonical.ts";
import type { RulesApplied } from "../message.ts";
import {
  addRule,
  endedOf,
  type KeptRule,
  removeRule,
  ruleIdOf,
  RULES_MAX,
  rulesOf,
} from "../rows/rule-rows.ts";
import type { Played } from "./playing.ts";
import type { FileChanges } from "./turn-result.ts";
import { rejected, type Verdict } from "./verdict.ts";

export interface Standing {
  readonly inForce: readonly KeptRule[];
  readonly ended: readonly KeptRule[];
}

export function filePlan(
  { inForce, ended }: Standing,
  at: number,
  { scope, rules }: Pick<RulesApplied, "scope" | "rules">,
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

/**
 * Checks how many rules a workspace would have with a file.
 * @returns their number, if it is more than the limit; otherwise undefined.
 */
export function tooMany(
  { inForce }: Standing,
  { added, removed }: FileChanges<RuleTerms>,
): number | undefined {
  const after = inForce.length - removed.length + added.length;
  return after > RULES_MAX ? after : undefined;
}

/** A text by which rules are compared: everything that a person wrote in the rule, without the fields that the engine added. */
export function nameOf(rule: RuleTerms): string {
  const said = Object.fromEntries(
    TERMS.filter((name) => rule[name] !== undefined).map((name) => [name, rule[name]]),
  );
  // For this comparison a dry rule that a person has enforced still counts as dry, because the file of rules may still call it
  // dry.
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

export function applyFile({ layer, entry, message }: Played, { scope, rules, by }: RulesApplied): Verdict {
  const { position, at } = entry;
  const { workspace } = message;
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

export function flawInFile(terms: RuleTerms, scope: FileScope): { path: string; reason: string } | undefined {
  if (scope === "project" && terms.effect === "allow")
    return {
      path: "effect",
      reason: "cannot be allow in a project's file: such a file may only restrict what the owner allows",
    };
  return flawOf(terms);
}
