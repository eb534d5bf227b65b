// Cases
// What a rule would have answered, each with what a person said of it.
//
//   Owns:          what is said of one where it is known only that it differs.
//   Does not own:  how they look (answers/past.tsx), which they are (the engine's trial).

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

/** A withdrawn one may have been answered at the client: where it differs, it is known how. */
const saidOf = ({ state, differs, would }: Case): string =>
  differs ? (would === "allow" ? "denied" : "approved") : state;
