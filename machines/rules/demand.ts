// Demand
// What a rule to ask demands beyond one person's answer: how many people must approve, and which people.
//
//   Owns:          the shape of a demand, which demands are invalid, how a demand is put into words.
//   Does not own:  which votes count towards a demand (evidence/votes), which rule asks (ruling).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// DEMAND-1. Only a rule to ask has a demand. So a demand can only make an approval need more people, never fewer.

import { approverOf } from "../evidence/votes.ts";
import type { Flaw } from "./condition.ts";
import type { Approver, Demand, RuleTerms } from "./terms.ts";

type Wanted = Pick<RuleTerms, "approvals" | "approvers">;

export const APPROVALS_MAX = 8;
export const APPROVERS_MAX = 8;

/** @returns undefined for a rule that any one person's answer satisfies. */
export function demandOf({
  id,
  approvals = 1,
  approvers,
}: Wanted & { readonly id: string }): Demand | undefined {
  if (approvals === 1 && !approvers) return undefined;
  return { rule: id, approvals, ...(approvers && { approvers }) };
}

export function flawOfApprovals({ effect, approvals }: RuleTerms): Flaw | undefined {
  return approvals !== undefined && effect !== "ask"
    ? { path: "approvals", reason: `cannot be used in a rule to ${effect}: it answers by itself` }
    : undefined;
}

export function flawOfApprovers({ effect, approvals = 1, approvers }: RuleTerms): Flaw | undefined {
  if (!approvers) return undefined;
  const flaw = (reason: string): Flaw => ({ path: "approvers", reason });
  if (effect !== "ask") return flaw(`cannot be used in a rule to ${effect}: it answers by itself`);
  const people = approvers.map(({ name }) => approverOf(name));
  if (people.includes(undefined)) return flaw("names somebody who is no person");
  if (new Set(people).size < people.length) return flaw("names somebody twice");
  if (approvers.length < approvals) return flaw(`names fewer people than must approve (${approvals})`);
  return approvers.every(({ afterMs }) => afterMs !== undefined)
    ? flaw("must name somebody who is asked at once")
    : undefined;
}

export const approversText = (approvers: readonly Approver[]): string =>
  approvers
    .map(({ name, afterMs }) => (afterMs === undefined ? name : `after ${spanText(afterMs)} ${name}`))
    .join(", ");

const SECOND = ["s", 1_000] as const;
const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], SECOND] as const;

function spanText(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms % each === 0) ?? SECOND;
  return `${ms / length}${unit}`;
}
