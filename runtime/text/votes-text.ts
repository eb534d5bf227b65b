// Votes text
// Says in words who must approve together, and who has approved.
//
//   Owns:          the words.
//   Does not own:  whose approval counts (machines/evidence/votes).

import { nameWithoutDoor } from "../../machines/evidence/votes.ts";

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
 * @param now ms.
 * @param clock formats a time.
 * @returns a sentence for each demand, such as `1 of 2 people have approved: ann.`
 */
export function votesLines(
  { demands = [], votes = [] }: Together,
  now: number,
  clock: (at: number) => string,
): readonly string[] {
  const given = votes.map(({ by }) => nameWithoutDoor(by)).join(", ");
  return demands.map(({ approvals, given: count, approvers = [] }) => {
    const asked = approvers.filter(({ fromAt }) => fromAt <= now).map(({ name }) => name);
    const later = approvers
      .filter(({ fromAt }) => fromAt > now)
      .map(({ name, fromAt }) => `${name} from ${clock(fromAt)} on`);
    const only = [`Only ${asked.join(", ")} may approve it`, ...later].join("; ");
    const among = approvers.length === 0 ? [] : [`${only}.`];
    if (approvals === 1) return among.join(" ");
    return [
      `${count} of ${approvals} people have approved${given === "" ? "" : `: ${given}`}.`,
      ...among,
    ].join(" ");
  });
}
