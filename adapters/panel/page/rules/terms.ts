// Terms
// Turns a rule back into the terms from which a request can make it again, for example to undo its removal.
//
//   Owns:          which fields of a rule a person chose, as opposed to fields that the engine added.
//   Does not own:  sending the request that makes a rule (taking.ts, done.tsx).

import type { RuleTerms } from "../../../../machines/rules/terms.ts";
import { defined } from "../../../../machines/defined.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";

/** The inputs that a rule matches, for a request body: an exact input is named by its hash alone. */
export function matchSaid(match: RuleTerms["match"]): object {
  if (!match) return {};
  return { match: match.kind === "exact" ? { kind: "exact", inputHash: match.inputHash } : match };
}

/** The terms that a person gave to a rule, with the number of uses that remain. */
export function saidOf(rule: RuleView): object {
  const { effect, tool, match, agent, session, project, expiresAt, unmarked, perHour, hours } = rule;
  const { approvals, approvers, note, dry, uses, used } = rule;
  const where = { agent, session, project, unmarked };
  const when = { expiresAt, perHour, hours, uses: uses === undefined ? undefined : Math.max(1, uses - used) };
  return {
    effect,
    tool,
    ...matchSaid(match),
    ...defined({ ...where, ...when, approvals, approvers, note, dry }),
  };
}
