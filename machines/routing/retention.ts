// Retention
// Taking away what is over: a request with its calls and questions, a session once it is empty.
//
//   Owns:          when something may go, and asking for it.
//   Does not own:  taking the records away (runtime/removal finds them by index).
//
// S1.51 Closed requests go `keepMs` after their last change; open ones never by age. What is still open of a closed
//       one is given up first, so that it is counted out.

import { head, requests, setHead } from "../books.ts";
import type { RequestId } from "../ids.ts";
import type { Records } from "../records.ts";
import { loseCalls } from "./closing.ts";
import { type Scene, tellRequest } from "./scene.ts";

export function forgetRequest(scene: Scene, id: RequestId): void {
  const book = requests.get(scene.records, id);
  if (!book || book.open) return;
  const { steps, at, policy } = scene;
  const before = steps.length;
  if (at - book.lastInputAt >= policy.keepMs) loseCalls(scene, id);
  if (at - book.lastInputAt < policy.keepMs || steps.length > before)
    return tellRequest(scene, id, { type: "kept", at: book.lastInputAt });
  scene.removals.push({ kind: "request", id });
}

/** A request is taken away with the last of its calls: from then on its session need not wait for it. */
export function requestGone(records: Records): void {
  setHead(records, { keptRequests: head(records).keptRequests - 1 });
}

/** An ended session goes with the last of its requests; until then it is asked again. */
export function forgetSession(scene: Scene): void {
  if (head(scene.records).keptRequests === 0) scene.removals.push({ kind: "session", id: scene.sessionId });
  else scene.timers.push({ timer: "removal", at: scene.at + scene.policy.keepMs });
}
