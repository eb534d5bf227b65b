// Shown anew
// Whether an event changed what is shown of an actor, though its state stayed the same.
//
//   Owns:          which facts of a call and of an approval nobody is shown.
//   Does not own:  the views (views), how a change is told (changes).
//   Decided in:    docs/decisions/0061-followers-hear-of-more-than-states.md.
//
// SHOWN-ANEW-1. Whatever a view of a call or an approval shows, and an event changed, is told to followers: with the
//     state that was entered, or as `annotated`. Nobody has to ask again.
// SHOWN-ANEW-2. What no view shows, and what was heard before, is not told.

import type { ApprovalContext, CallContext } from "../../machines/index.ts";
import type { Snapshot } from "./actors/actors.ts";

/** When something was heard last is no news; a call's output is shown to who asks for the whole of it. */
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

/** @returns whether a reader of the view is shown something else than before. Sessions and requests tell by their states. */
export function isShownAnew(kind: string, before: Snapshot | undefined, now: Snapshot): boolean {
  if (!before || (kind !== "call" && kind !== "approval")) return false;
  const [was, is] = [before.context, now.context];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].some(
    (name) => !UNSHOWN[kind].has(name) && isOther(Reflect.get(was, name), Reflect.get(is, name)),
  );
}

/** A fact that nothing touched is the same object: comparing texts is for the few others. */
const isOther = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other);
