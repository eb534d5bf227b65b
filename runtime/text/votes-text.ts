// Votes text
// Who is to approve together, and who has, in words.
//
//   Owns:          the words.
//   Does not own:  who counts (machines/evidence/votes).

import { approverOf } from "../../machines/evidence/votes.ts";

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
 * @param clock how a time is written.
 * @returns a sentence for each demand, such as `1 of 2 people have approved: ann.`
 */
export function votesLines(
  { demands = [], votes = [] }: Together,
  now: number,
  clock: (at: number) => string,
): readonly string[] {
  const names = votes.map(({ by }) => approverOf(by) ?? by).join(", ");
  return demands.map(({ approvals, given, approvers }) => {
    const who = approvers?.map(({ name, fromAt }) =>
      fromAt <= now ? name : `${name} from ${clock(fromAt)}`,
    );
    const asked = who ? ` Only ${who.join(", ")} may approve it.` : "";
    if (approvals === 1) return asked.trim();
    return `${given} of ${approvals} people have approved${names === "" ? "" : `: ${names}`}.${asked}`;
  });
}
