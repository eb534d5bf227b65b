// Changes
// Picks changes out of those that were read of a session, and joins lists of changes.
//
//   Owns:          picking the changes of one call, those up to a version, the last change of each actor; joining two lists.
//   Does not own:  reading the changes (history.ts), showing them.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";

/** The cast is safe: the view in an approval's change is an approval's view (runtime/rows/changes). */
export const isOfCall = ({ entity, id, view }: StateChange, call: string): boolean =>
  entity === "approval" ? (view as ApprovalView).callId === call : id === call;

/** Merges two lists of changes by version, each change once. */
export function merged(known: readonly StateChange[], more: readonly StateChange[]): readonly StateChange[] {
  const last = known.at(-1)?.version ?? 0;
  if (more.every(({ version }, index) => version > (more[index - 1]?.version ?? last)))
    return [...known, ...more];
  const byVersion = new Map([...known, ...more].map((change) => [change.version, change]));
  return [...byVersion.values()].sort((a, b) => a.version - b.version);
}

/** The changes up to a version; all changes if no version is chosen. */
export function upTo(changes: readonly StateChange[], moment: number | undefined): readonly StateChange[] {
  return moment === undefined ? changes : changes.filter(({ version }) => version <= moment);
}

/** The last change of each actor, in the order of their first changes. */
export function lastOfEach(changes: readonly StateChange[]): ReadonlyMap<string, StateChange> {
  const last = new Map<string, StateChange>();
  for (const change of changes) last.set(`${actorKind(change)}/${change.id}`, change);
  return last;
}

/** The kind of actor that changed. A callback counts as its request, because it is a region of the request's machine. */
function actorKind({ entity }: StateChange): string {
  return entity === "callback" ? "request" : entity;
}
