// Recorded line
// Parses a recorded line, recognises its kind, and extracts what an envelope needs.
//
//   Owns:          telling hook recordings, stream lines and transcript lines apart; refusing a line that is not whole JSON.
//   Does not own:  the meaning of a line (the translators), reading files, sending.
//
// RECORDED-LINE-1. A line's kind depends on the line alone: the name of its file does not count.

import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
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
  /** The time of the line, ms. Only differences between the times of one file's lines have a meaning. */
  readonly atMs?: number;
}

/** @param line parsed. @returns the line's kind; undefined if the line is of no known kind. */
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

/** The parts of a line that a recorder wrote around a payload, `{at_ms, payload, answer}`; undefined for any other line. */
function recordOf(fields: Fields): { readonly payload: Fields; readonly atMs: number } | undefined {
  const payload = optionalChild(fields, "payload");
  const atMs = optionalAmount(fields, "at_ms");
  return payload && atMs !== undefined ? { payload, atMs } : undefined;
}

/** @param line without its line break. @throws RefusedError that says what is wrong with the line, and where. */
export function parseLine(line: string): unknown {
  if (line.trim() === "") throw refused("It is empty");
  try {
    return JSON.parse(line);
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

const refused = (reason: string): RefusedError =>
  new RefusedError(
    "NOT_A_JSON_LINE",
    `The line is not complete JSON: ${reason}.`,
    "Leave the line out, or read it again once the client has written all of it.",
  );
