// Idling
// Ends a session for which no message came for a while.
//
//   Owns:          the time of a session's last input, when the session counts as idle, what its end gives up.
//   Does not own:  the timer (session), how a session ends by its own message (closing).
//
// I-48. A session at rest ends `idleMs` after the last input from outside. A session at work has no such limit: its open
//     requests and pending approvals have deadlines of their own.

import { head, setHead } from "../books.ts";
import { giveUp } from "./closing.ts";
import type { Scene } from "./scene.ts";

/** Records the time of an input of the session. The engine's own timers and assignments do not count. */
export function heard({ records, at }: Scene): void {
  setHead(records, { heardAt: at });
}

/** When the session counts as idle if no further input comes, ms. */
export function idleAt({ records, at, policy }: Scene): number {
  return (head(records).heardAt ?? at) + policy.idleMs;
}

/** Handles the deadline of a session at rest: the session ends, unless an input came meanwhile. */
export function sessionIdled(scene: Scene): void {
  const { records, at } = scene;
  const { heardAt = at, openRequests, pendingApprovals } = head(records);
  // A book of an older version lacks the time of the last input. It then counts from now.
  setHead(records, { heardAt });
  if (openRequests > 0 || pendingApprovals > 0 || idleAt(scene) > at) return;
  giveUp(scene, "lost", "time-limit");
  scene.reason = "idle";
}
