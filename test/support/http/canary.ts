// Canary
// What happens in a workspace whose name stands in each id and word of it, so that a byte of it is found anywhere.
//
//   Owns:          its events; what is asked of things with such ids: ID stands for the name, RULE for the id of a rule.
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

export const READS: readonly string[] = [
  ...["requests", "sessions", "approvals", "alarms", "dead-letters", "rules", "search", "answers"].map(
    (list) => `/v1/${list}`,
  ),
  "/v1/requests?chatId=7",
  "/v1/approvals?with=call,session&order=oldest",
  "/v1/search?text=about",
  "/v1/search?text=ID-chat",
  "/v1/rules/suggestions",
  "/v1/rules?state=ended",
  "/v1/machines",
  "/v1/agents",
  "/v1/me",
  "/v1/requests?session=ID-chat",
  "/v1/requests/ID-r",
  ...["", "/tool-calls", "/history", "/history?entries=true", "/rejections", "/conversation"].map(
    (rest) => `/v1/sessions/ID-chat${rest}`,
  ),
  "/v1/tool-calls/ID-t",
  "/v1/approvals/ID-a",
  "/v1/approvals/ID-a/denial",
  "/v1/approvals/ID-a/lines",
  "/v1/approvals/ID-a/answer",
  "/v1/rules/RULE",
  ...[1, 2, 3].map((n) => `/v1/dead-letters/${n}`),
  ...Array.from({ length: 24 }, (_, n) => `/v1/journal/${n + 1}`),
  "/v1/stats",
];
