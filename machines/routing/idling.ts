// Idling
// Ends a session that has sent nothing for a while.
//
//   Owns:          when a session last sent something, when it is idle, what its end gives up.
//   Does not own:  the timer (session), how a session ends by its own message (closing).
//
// I-48. A session at rest ends `idleMs` after the last input from outside. A session at work ends with its work, because
//       open requests and pending approvals have deadlines of their own.

import { head, setHead } from "../books.ts";
import { giveUp } from "./closing.ts";
import type { Scene } from "./scene.ts";

/** Notes an input of the session. The engine's own timers do not count. */
export function heard({ records, at }: Scene): void {
  setHead(records, { heardAt: at });
}

/** When the session becomes idle if nothing more comes, ms. */
export function idleAt({ records, at, policy }: Scene): number {
  return (head(records).heardAt ?? at) + policy.idleMs;
}

/** Handles the timer of a session at rest: the session ends, unless something came meanwhile. */
export function sessionIdled(scene: Scene): void {
  const { records, at } = scene;
  const { heardAt = at, openRequests, pendingApprovals } = head(records);
  // A book of an older version has no such time, so its time begins now.
  setHead(records, { heardAt });
  if (openRequests > 0 || pendingApprovals > 0 || idleAt(scene) > at) return;
  giveUp(scene, "lost", "time-limit");
  scene.reason = "idle";
}
