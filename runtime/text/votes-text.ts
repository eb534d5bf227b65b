// Votes text
// Says in words who must approve together, and who has approved.
//
//   Owns:          the text about the approvers that rules demand.
//   Does not own:  whose approval counts (machines/evidence/votes).
//
// VOTES-TEXT-1. If two or more people must approve, the text says who is missing: the named approvers who have not approved, or
//     how many people. The reader is called "you" instead of by name.

import { approverOf, nameWithoutDoor } from "../../machines/evidence/votes.ts";

interface Wanted {
  readonly approvals: number;
  readonly given: number;
  readonly approvers?: readonly { readonly name: string; readonly fromAt: number }[];
}

export interface Together {
  readonly demands?: readonly Wanted[];
  readonly votes?: readonly { readonly by: string }[];
}

/**
 * @param now the present time, ms.
 * @param clock formats a time.
 * @param me the reader's own name.
 * @returns a sentence for each demand, such as `1 of 2 people have approved: ann. Missing: ben or you.`
 */
export function votesLines(
  { demands = [], votes = [] }: Together,
  now: number,
  clock: (at: number) => string,
  me?: string,
): readonly string[] {
  const wordFor = (name: string): string =>
    me !== undefined && approverOf(name) === approverOf(me) ? "you" : nameWithoutDoor(name);
  const given = votes.map(({ by }) => wordFor(by)).join(", ");
  const voted = new Set(votes.map(({ by }) => approverOf(by)));
  return demands.map((demand) => {
    const { approvals, given: count, approvers = [] } = demand;
    const asked = approvers.filter(({ fromAt }) => fromAt <= now).map(({ name }) => wordFor(name));
    const later = approvers
      .filter(({ fromAt }) => fromAt > now)
      .map(({ name, fromAt }) => `${wordFor(name)} from ${clock(fromAt)} on`);
    const only = [`Only ${asked.join(", ")} may approve it`, ...later].join("; ");
    const among = approvers.length === 0 ? [] : [`${only}.`];
    if (approvals === 1) return among.join(" ");
    return [
      `${count} of ${approvals} people have approved${given === "" ? "" : `: ${given}`}.`,
      ...among,
      ...(count < approvals ? [missingOf(demand, voted, wordFor)] : []),
    ].join(" ");
  });
}

function missingOf(
  { approvals, given, approvers }: Wanted,
  voted: ReadonlySet<string | undefined>,
  wordFor: (name: string) => string,
): string {
  const left = approvals - given;
  if (!approvers) return `Still needed: ${left} more.`;
  const names = approvers.filter(({ name }) => !voted.has(approverOf(name))).map(({ name }) => wordFor(name));
  if (names.length <= left) return `Still needed: ${names.join(" and ")}.`;
  return left === 1
    ? `Still needed: ${names.join(" or ")}.`
    : `Still needed: ${left} of ${names.join(", ")}.`;
}
