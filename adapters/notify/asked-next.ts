// Asked next
// Finds which approvers are newly asked after a change of an approval, if rules name approvers one after another.
//
//   Owns:          reporting each name of an approval once.
//   Does not own:  who is asked when (machines/evidence/votes), running the command (notifier).
//
// ASKED-NEXT-1. A name is reported when its time has come, once as long as the engine runs. Approvers who are asked at once are
//     reported with the approval itself.

import type { StateChange } from "../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../runtime/rows/views.ts";

type Timed = Pick<ApprovalView, "askedAt" | "demands">;

/** Who is asked at this time, ms. */
export const askedAt = ({ demands = [] }: Timed, at: number): readonly string[] => [
  ...new Set(
    demands.flatMap(({ approvers = [] }) =>
      approvers.filter(({ fromAt }) => fromAt <= at).map(({ name }) => name),
    ),
  ),
];

export class AskedNext {
  readonly #told = new Map<string, readonly string[]>();

  /** @returns the people who are asked now and were not asked before. */
  of({ id, workspace, at, view }: StateChange): readonly string[] {
    const key = `${workspace}/${id}`;
    // The view in an approval's change is an approval's view (runtime/changes).
    const approval = view as ApprovalView;
    if (approval.state !== "pending") {
      this.#told.delete(key);
      return [];
    }
    const told = this.#told.get(key) ?? askedAt(approval, approval.askedAt);
    const next = askedAt(approval, at).filter((name) => !told.includes(name));
    if (next.length > 0) this.#told.set(key, [...told, ...next]);
    return next;
  }
}
