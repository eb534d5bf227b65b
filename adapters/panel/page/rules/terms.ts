// Terms
// A rule as a body says it.
//
//   Owns:          what of a rule somebody said, and not the engine.
//   Does not own:  sending it (taking.ts, done.tsx).

import type { RuleTerms } from "../../../../machines/rules/terms.ts";
import { defined } from "../../../../machines/defined.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";

/** An exact input is said by its hash alone. */
export function matchSaid(match: RuleTerms["match"]): object {
  if (!match) return {};
  return { match: match.kind === "exact" ? { kind: "exact", inputHash: match.inputHash } : match };
}

/** What was said of a rule, with the uses that are left. */
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
