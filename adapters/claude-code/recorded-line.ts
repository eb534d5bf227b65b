// Recorded line
// Recognises the kind of a recorded line, and extracts what an envelope needs.
//
//   Owns:          telling hook recordings, stream lines and transcript lines apart.
//   Does not own:  what a line leads to (the translators), reading files, sending.
//
// RECORDED-LINE-1. Only the line itself decides its kind: its file's name does not count.

import { defined } from "../../machines/defined.ts";
import {
  fieldsOf,
  optionalAmount,
  optionalChild,
  optionalText,
  optionalTime,
} from "../../runtime/foreign-fields.ts";
import type { Fields } from "../../runtime/foreign-fields.ts";

export type LineKind = "hook" | "stream" | "transcript";

export interface RecordedLine {
  readonly type: `claude-code.${LineKind}`;
  readonly data: unknown;
  /** The session's id, as the client wrote it; some lines have none. */
  readonly sessionId?: string;
  readonly cwd?: string;
  /** The time of the line, ms; only its distance to other lines of the file has a meaning. */
  readonly atMs?: number;
}

/** @param line a parsed line. @returns undefined for a line of another kind. */
export function kindOfLine(line: unknown): LineKind | undefined {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return undefined;
  const fields = fieldsOf(line);
  if (optionalText(recordOf(fields)?.payload ?? fields, "hook_event_name") !== undefined) return "hook";
  if (optionalText(fields, "type") === undefined) return undefined;
  if (optionalText(fields, "sessionId") !== undefined) return "transcript";
  return optionalText(fields, "session_id") === undefined ? undefined : "stream";
}

/** @throws RefusedError if the line is not a JSON object. */
export function recordedLine(kind: LineKind, line: unknown): RecordedLine {
  const fields = fieldsOf(line);
  if (kind === "hook") return hookLine(fields);
  return {
    type: `claude-code.${kind}`,
    data: line,
    ...defined({
      sessionId: optionalText(fields, kind === "stream" ? "session_id" : "sessionId"),
      cwd: optionalText(fields, "cwd"),
      atMs: optionalTime(fields, "timestamp"),
    }),
  };
}

function hookLine(fields: Fields): RecordedLine {
  const record = recordOf(fields);
  const { values } = record?.payload ?? fields;
  const answer = record && optionalText(fields, "answer");
  return {
    type: "claude-code.hook",
    data: answer === undefined ? { hook: values } : { hook: values, answer },
    ...defined({
      sessionId: optionalText({ at: "", values }, "session_id"),
      cwd: optionalText({ at: "", values }, "cwd"),
      atMs: record?.atMs,
    }),
  };
}

/** A recorder's line around a payload: `{at_ms, payload, answer}`. */
function recordOf(fields: Fields): { readonly payload: Fields; readonly atMs: number } | undefined {
  const payload = optionalChild(fields, "payload");
  const atMs = optionalAmount(fields, "at_ms");
  return payload && atMs !== undefined ? { payload, atMs } : undefined;
}
