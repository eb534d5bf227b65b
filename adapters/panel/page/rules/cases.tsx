// Cases
// Lists past approvals that a rule would have answered, each with the answer that a person gave.
//
//   Owns:          the words for a person's answer. Sometimes the engine knows only whether that answer differs from the rule's.
//   Does not own:  how an approval looks in the list (answers/past.tsx), which approvals are listed (the engine's trial).

import type { Trial } from "../../../../runtime/reading/rule-trial.ts";
import { Past } from "../answers/past.tsx";

type Case = Trial["items"][number];

interface Props {
  readonly workspace: string;
  readonly cases: readonly Case[];
}

export const Cases = ({ workspace, cases }: Props) => (
  <Past approvals={cases.map((each) => ({ ...each, workspace, state: saidOf(each) }))} />
);

/**
 * The person's answer in words. If the approval was withdrawn, a person may have answered it at the client: the engine then
 * knows only whether that answer differs from the rule's, and an answer that differs is the opposite of the rule's.
 */
const saidOf = ({ state, differs, would }: Case): string =>
  differs ? (would === "allow" ? "denied" : "approved") : state;
