// Shown anew
// Decides whether an event changed the view of an actor whose state stayed the same.
//
//   Owns:          which data of a call and of an approval no view shows.
//   Does not own:  making views (views), the fields of a change (changes).
//   Decided in:    docs/decisions/0061-followers-hear-of-more-than-states.md.
//
// SHOWN-ANEW-1. If an event changes what the view of a call or an approval shows, followers get a change: with the state that
//     was entered, or as `annotated`. So no follower has to query again.
// SHOWN-ANEW-2. If an event changes only what no view shows, or repeats what is known, there is no change.

import type { ApprovalContext, CallContext } from "../../machines/index.ts";
import type { Snapshot } from "./actors/actors.ts";

/** Data whose change is not published. The output, for example, is only in the answer to a query for the whole call. */
const CALL: readonly (keyof CallContext)[] = ["updatedAt", "deferred", "gated", "gateAsked", "ran", "output"];
const APPROVAL: readonly (keyof ApprovalContext)[] = [
  "updatedAt",
  "requestedBy",
  "taken",
  "alone",
  "left",
  "ran",
  "notRun",
];
const UNSHOWN = { call: new Set<string>(CALL), approval: new Set<string>(APPROVAL) };

/** True if the view shows something else than before. For sessions and requests, only a new state counts. */
export function isShownAnew(kind: string, before: Snapshot | undefined, now: Snapshot): boolean {
  if (!before || (kind !== "call" && kind !== "approval")) return false;
  const [was, is] = [before.context, now.context];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].some(
    (name) => !UNSHOWN[kind].has(name) && isOther(Reflect.get(was, name), Reflect.get(is, name)),
  );
}

/** Compares two values. Unchanged data is mostly the same object, so few texts have to be compared. */
const isOther = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other);
