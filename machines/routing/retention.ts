// Retention
// Removes closed requests with their calls and approvals, and an ended session once it has no requests.
//
//   Owns:          when an actor may be removed; asking the runtime to remove the actor.
//   Does not own:  removing the records (runtime/turn/removal).
//
// I-41. Before an early denial or decision that was never used is removed, an audit row records that its call, or its approval,
//     never came.
// S1.51 A closed request is removed `keepMs` after its last change. An open request is never removed because of its age. A closed
//       request may still have open calls: these are given up before it is removed, so that the session's counts stay right.

import { approvals, head, requests, setHead } from "../books.ts";
import type { RequestId } from "../ids.ts";
import type { Records } from "../records.ts";
import { stopWaiting, unusedDenials } from "../queues/waiting-approvals.ts";
import { recordDenial } from "./approvals/binding.ts";
import { loseCalls } from "./closing.ts";
import { giveUpEarly } from "./approvals/decisions.ts";
import { type Scene, tellRequest } from "./scene.ts";

export function forgetRequest(scene: Scene, id: RequestId): void {
  const book = requests.get(scene.records, id);
  if (!book || book.open) return;
  const { steps, at, policy } = scene;
  const before = steps.length;
  if (at - book.lastInputAt >= policy.keepMs) loseCalls(scene, id);
  if (at - book.lastInputAt < policy.keepMs || steps.length > before)
    return tellRequest(scene, id, { type: "kept", at: book.lastInputAt, keepMs: policy.keepMs });
  for (const approvalId of unusedDenials(scene.records, id)) {
    const book = approvals.get(scene.records, approvalId);
    if (!book) continue;
    recordDenial(scene, "denial-unused", approvalId, book, "no call came that it was about");
    // The removal of a request may take several turns. `unusedDenials` finds only approvals that wait for their call, so a
    // later turn does not record this denial again.
    stopWaiting(scene.records, scene.digest, approvalId, book);
  }
  scene.removals.push({ kind: "request", id });
}

export function requestGone(records: Records): void {
  setHead(records, { keptRequests: head(records).keptRequests - 1 });
}

export function forgetSession(scene: Scene): void {
  if (head(scene.records).keptRequests > 0)
    return void scene.timers.push({ timer: "removal", at: scene.at + scene.policy.keepMs });
  giveUpEarly(scene);
  scene.removals.push({ kind: "session", id: scene.sessionId });
}
