// Rule making
// The turns that make and remove rules, and make dry rules take effect.
//
//   Owns:          the outcome of a message that makes, removes or enforces a rule.
//   Does not own:  the rows of rules (rule-rows), who may make rules (rule-door), how a rule answers (rule-answering).
//
// RULE-MAKING-1. A rule answers only approvals that are requested after the entry that made the rule, or that made a dry rule
//     take effect. Earlier approvals go on waiting for a person.

import { defined, flawOf, isInForce, type RuleTerms } from "../../machines/index.ts";
import type { OwnMessage, RuleAdded, RuleEnforced, RuleRemoved } from "../message.ts";
import type { JournalEntry } from "../ports.ts";
import type { Layer } from "../rows/overlay.ts";
import { addRule, enforceRule, type KeptRule, removeRule, ruleIdOf } from "../rows/rule-rows.ts";

/** What a file of rules changes, or would change if it were put in force. In the second case an added rule has no id yet. */
export interface FileChanges<Added = KeptRule, Kept = KeptRule> {
  readonly added: readonly Added[];
  readonly removed: readonly Kept[];
  readonly kept: readonly Kept[];
  /** Rules of the file that have no uses left or have expired. They are not made again. */
  readonly over: readonly RuleTerms[];
}

export interface Made {
  readonly outcome: "applied" | "rejected";
  readonly rule?: KeptRule;
  readonly file?: FileChanges;
  readonly code?: string;
  readonly reason?: string;
  readonly path?: string;
}

export const rejected = (code: string, reason: string, path?: string): Made => ({
  outcome: "rejected",
  code,
  reason,
  ...defined({ path }),
});

export function make(
  layer: Layer,
  { position, at }: JournalEntry,
  { workspace }: OwnMessage,
  said: RuleAdded,
): Made {
  const { terms, forMs, by } = said;
  const flaw = flawOf(terms);
  if (flaw) return rejected("WRONG_SHAPE", `${flaw.path} ${flaw.reason}`, flaw.path);
  const expiresAt = forMs === undefined ? terms.expiresAt : at + forMs;
  const rule: KeptRule = {
    ...terms,
    ...defined({ expiresAt }),
    id: ruleIdOf(position),
    workspace,
    madeBy: by,
    madeAt: at,
    used: 0,
  };
  if (!isInForce(rule, at)) return rejected("WRONG_SHAPE", "expiresAt is over already", "expiresAt");
  if (!addRule(layer, rule)) return rejected("TOO_MANY_RULES", "the workspace has 200 rules: remove one");
  return { outcome: "applied", rule };
}

export function unmake(
  layer: Layer,
  { at }: JournalEntry,
  { workspace }: OwnMessage,
  { id, by }: RuleRemoved,
): Made {
  const rule = removeRule(layer, workspace, id, { why: "removed", at, by });
  return rule ? { outcome: "applied", rule } : rejected("UNKNOWN_RULE", `${id} is not in force`, "id");
}

export function enforce(
  layer: Layer,
  { at }: JournalEntry,
  { workspace }: OwnMessage,
  { id, by }: RuleEnforced,
): Made {
  const rule = enforceRule(layer, workspace, id, { by, at });
  return rule ? { outcome: "applied", rule } : rejected("UNKNOWN_RULE", `${id} is not in force`, "id");
}
