// Retention
// Taking away what is over: a request with its calls and approvals, a session once it is empty.
//
//   Owns:          when something may go, and asking for it.
//   Does not own:  taking the records away (runtime/removal finds them by index).
//
// I-41. A denial that never had a call, and a decision that never had an approval, are recorded as such before they go.
// S1.51 Closed requests go `keepMs` after their last change; open ones never by age. What is still open of a closed
//       one is given up first, so that it is counted out.

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
    // A removal takes several turns: its fate is told in the first.
    stopWaiting(scene.records, scene.digest, approvalId, book);
  }
  scene.removals.push({ kind: "request", id });
}

/** A request is taken away with the last of its calls: from then on its session need not wait for it. */
export function requestGone(records: Records): void {
  setHead(records, { keptRequests: head(records).keptRequests - 1 });
}

/** An ended session goes with the last of its requests; until then it is asked again. */
export function forgetSession(scene: Scene): void {
  if (head(scene.records).keptRequests > 0)
    return void scene.timers.push({ timer: "removal", at: scene.at + scene.policy.keepMs });
  giveUpEarly(scene);
  scene.removals.push({ kind: "session", id: scene.sessionId });
}
