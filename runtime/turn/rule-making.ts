// Rule making
// The turns that make and remove rules, and make dry rules take effect.
//
//   Owns:          what a message changes that makes, removes or enforces a rule (makes a dry rule take effect), and how its
//                  turn ends.
//   Does not own:  the rows of rules (rule-rows), who may make rules (rule-door), how a rule answers (rule-answering).
//
// RULE-MAKING-1. A rule answers only approvals that are requested after the entry that made the rule or, for a dry rule, after
//     the entry that made it take effect.

import { defined, flawOf, isInForce } from "../../machines/index.ts";
import type { RuleAdded, RuleEnforced, RuleRemoved } from "../message.ts";
import { addRule, enforceRule, type KeptRule, removeRule, ruleIdOf } from "../rows/rule-rows.ts";
import type { Played } from "./playing.ts";
import { rejected, type Verdict } from "./verdict.ts";

export function make({ layer, entry, message }: Played, { terms, forMs, by }: RuleAdded): Verdict {
  const { position, at } = entry;
  const { workspace } = message;
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

export const unmake = ({ layer, entry: { at }, message }: Played, { id, by }: RuleRemoved): Verdict =>
  found(id, removeRule(layer, message.workspace, id, { why: "removed", at, by }));

export const enforce = ({ layer, entry: { at }, message }: Played, { id, by }: RuleEnforced): Verdict =>
  found(id, enforceRule(layer, message.workspace, id, { by, at }));

const found = (id: string, rule: KeptRule | undefined): Verdict =>
  rule ? { outcome: "applied", rule } : rejected("UNKNOWN_RULE", `${id} is not in force`, "id");
