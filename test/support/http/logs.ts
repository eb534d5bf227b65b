// Logs
// Bodies of the client's telemetry: made here, and recorded.
//
//   Owns:          their wrapping.
//   Does not own:  what they mean.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TELEMETRY_ROUTE } from "../../../runtime/access-token.ts";

export { TELEMETRY_ROUTE };

const RECORDED = join(import.meta.dirname, "..", "..", "recordings", "telemetry.jsonl");

/** What the real client sent, body by body. */
export const recordedLogs = (): readonly unknown[] =>
  readFileSync(RECORDED, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

let sequence = 0;

/** One event, as the client sends it. */
export const logRecord = (name: string, session: string, fields: Readonly<Record<string, unknown>>) => ({
  timeUnixNano: "1795380517834000000",
  body: { stringValue: `claude_code.${name}` },
  attributes: Object.entries({
    "session.id": session,
    "event.name": name,
    "event.sequence": ++sequence,
    ...fields,
  }).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: value } : { stringValue: value },
  })),
});

export const logsBody = (...logRecords: readonly unknown[]) => ({
  resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ scope: {}, logRecords }] }],
});

export const decision = (
  session: string,
  toolUseId: string,
  verdict: "accept" | "reject",
  source: string,
): object =>
  logRecord("tool_decision", session, {
    decision: verdict,
    source,
    tool_name: "Bash",
    tool_use_id: toolUseId,
  });

export const ended = (session: string, toolUseId: string, success: boolean): object =>
  logRecord("tool_result", session, {
    success: String(success),
    duration_ms: "12",
    tool_name: "Bash",
    tool_use_id: toolUseId,
    ...(!success && { error_type: "ShellError" }),
  });
