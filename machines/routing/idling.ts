// Idling
// Ends a session for which no message came for a while.
//
//   Owns:          the time of a session's last input, when a session counts as idle, which calls without a result are given up
//                  when an idle session ends.
//   Does not own:  the timer of an idle session (session), ending a session because the client reports its end (closing).
//
// I-48. A session without open requests and pending approvals ends `idleMs` after the last input from outside. Any other session
//     stays: its open requests and pending approvals have deadlines of their own.

import { head, setHead } from "../books.ts";
import { giveUp } from "./closing.ts";
import type { Scene } from "./scene.ts";

export function heard({ records, at }: Scene): void {
  setHead(records, { heardAt: at });
}

/** When the session will count as idle if no further input comes, ms. */
export function idleAt({ records, at, policy }: Scene): number {
  return (head(records).heardAt ?? at) + policy.idleMs;
}

export function sessionIdled(scene: Scene): void {
  const { records, at } = scene;
  const { heardAt = at, openRequests, pendingApprovals } = head(records);
  // A session's book of an older version lacks the time of the last input: the idle time then counts from now.
  setHead(records, { heardAt });
  if (openRequests > 0 || pendingApprovals > 0 || idleAt(scene) > at) return;
  giveUp(scene, "lost", "time-limit");
  scene.reason = "idle";
}
