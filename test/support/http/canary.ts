// Canary
// What happens in a workspace whose name stands in each id and word of it, so that a byte of it is found anywhere.
//
//   Owns:          its events.
//   Does not own:  who may see them (the tests).

import { createHash } from "node:crypto";
import { event } from "./served.ts";

export const INPUT = { command: "make deploy" };
export const inputHash = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");

/** A request with a call and approvals, all with the workspace's name in every id and word. */
export function story(workspace: string): readonly object[] {
  const of = (n: number) => ({
    id: `${workspace}-${n}`,
    subject: `${workspace}/${workspace}-chat`,
    source: "/bot",
  });
  const about = { requestId: `${workspace}-r`, tool: "Bash", toolUseId: `${workspace}-t`, input: INPUT };
  return [
    event("request.created", { requestId: `${workspace}-r`, prompt: `about ${workspace}`, chatId: 7 }, of(1)),
    event("request.processing", { requestId: `${workspace}-r` }, of(2)),
    event("tool.announced", about, of(3)),
    event("approval.requested", { ...about, approvalId: `${workspace}-a`, channel: "bot" }, of(4)),
    event("approval.requested", { ...about, approvalId: `${workspace}-b`, channel: "bot" }, of(5)),
    // One that the turn refuses, with a dead letter or a rejection.
    event("request.completed", { requestId: `${workspace}-unheard` }, of(6)),
  ];
}
