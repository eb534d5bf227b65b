// Urgency
// The order in which a person should answer approvals, the same in the panel's inbox and in a terminal.
//
//   Owns:          which of two approvals comes first.
//   Does not own:  risks (risks), grouping by session, showing the list.
//
// URGENCY-1. The approval whose deadline comes soonest is first. Of approvals with the same deadline, the riskier is first, and
//     of equally risky ones the older.

import { rankOf, type Risk } from "./risks.ts";

export interface Urgent {
  readonly askedAt: number;
  /** The approval's deadline, ms. */
  readonly deadlineAt?: number | undefined;
  readonly risks: readonly Pick<Risk, "level">[];
}

/** Compares two approvals for sorting: below 0 if the first is more urgent, 0 if both are equally urgent. */
export function byUrgency(one: Urgent, other: Urgent): number {
  const [a, b] = [one.deadlineAt ?? Infinity, other.deadlineAt ?? Infinity];
  if (a !== b) return a < b ? -1 : 1;
  return rankOf(one.risks) - rankOf(other.risks) || one.askedAt - other.askedAt;
}
