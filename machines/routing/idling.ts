// Idling
// The end of a session of which nothing is heard any more.
//
//   Owns:          when a session was last heard of, when it is idle, what its end gives up.
//   Does not own:  the deadline itself (session), how a session ends by its own word (closing).
//
// I-48. A session at rest ends `idleMs` after the last input from outside. One that is at work ends by what it works on:
//       an open request and a pending approval have ends of their own.

import { head, setHead } from "../books.ts";
import { giveUp } from "./closing.ts";
import type { Scene } from "./scene.ts";

/** Notes that the session was heard of: what the engine's own deadlines say does not count. */
export function heard({ records, at }: Scene): void {
  setHead(records, { heardAt: at });
}

/** When the session is idle, if nothing more is heard of it. */
export function idleAt({ records, at, policy }: Scene): number {
  return (head(records).heardAt ?? at) + policy.idleMs;
}

/** The deadline of a session at rest is reached: it ends, unless it was heard of meanwhile. */
export function sessionIdled(scene: Scene): void {
  const { records, at } = scene;
  const { heardAt = at, openRequests, pendingApprovals } = head(records);
  // A book of an older version does not say when: its time begins now.
  setHead(records, { heardAt });
  if (openRequests > 0 || pendingApprovals > 0 || idleAt(scene) > at) return;
  giveUp(scene, "lost", "time-limit");
  scene.reason = "idle";
}
