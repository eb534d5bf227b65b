// OTLP
// Reads Claude Code's events from the body of an OpenTelemetry request (logs, in JSON).
//
//   Owns:          the protocol's format, which events and fields are kept.
//   Does not own:  the meaning of events (telemetry), receiving events (http), writing the journal.
//
// OTLP-1. Only the events and fields that this file names are kept. Data about accounts, prompts and machines is dropped.
// OTLP-2. The same event always gets the same id, so that a client that sends an event again changes nothing.

import { defined } from "../../machines/defined.ts";
import type { LogEvent, LogsRead } from "../../runtime/client-profile.ts";
import { children, fieldsOf, optionalChild, optionalText, wrongShape } from "../../runtime/foreign-fields.ts";
import type { Fields } from "../../runtime/foreign-fields.ts";
import { isRead } from "./telemetry.ts";

const PREFIX = "claude_code.";
const KEPT: ReadonlySet<string> = new Set([
  "agent_id",
  "decision",
  "duration_ms",
  "error",
  "error_type",
  "event.name",
  "event.sequence",
  "event.timestamp",
  "permission_mode",
  "prompt.id",
  "source",
  "success",
  "tool_name",
  "tool_use_id",
]);

/** @throws RefusedError if the body does not contain logs; nothing of the body is read then. */
export function readLogs(body: unknown): LogsRead {
  const records = children(fieldsOf(body), "resourceLogs")
    .flatMap((resource) => children(resource, "scopeLogs"))
    .flatMap((scope) => children(scope, "logRecords"));
  const read = records.map(eventOf);
  const events = read.flatMap((event) => event ?? []);
  return { events, ignored: read.length - events.length };
}

/** @returns the event in a log record; undefined for an event that Signalbox does not use. */
function eventOf(record: Fields): LogEvent | undefined {
  const data: Record<string, string | number | boolean> = {};
  let session: string | undefined;
  for (const attribute of children(record, "attributes")) {
    const key = optionalText(attribute, "key") ?? "";
    const value = valueOf(attribute);
    if (key === "session.id" && typeof value === "string") session = value;
    if (KEPT.has(key) && value !== undefined) data[key] = value;
  }
  const name = data["event.name"] ?? nameOf(record);
  if (typeof name !== "string" || !isRead(name)) return undefined;
  if (session === undefined) throw wrongShape(`${record.at}.session.id`, "a name", undefined);
  const at = momentOf(record);
  const id = [at ?? data["event.timestamp"] ?? "", data["event.sequence"] ?? "", data["tool_use_id"] ?? ""];
  return defined({
    session,
    id: `${name} ${id.join(" ")}`.slice(0, ID_MAX),
    at,
    data: { ...data, "event.name": name },
  });
}

const ID_MAX = 256;

/** The event's name: the record's text without the prefix `claude_code.`. */
function nameOf(record: Fields): string | undefined {
  const body = optionalChild(record, "body");
  const text = body && optionalText(body, "stringValue");
  return text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : undefined;
}

function valueOf(attribute: Fields): string | number | boolean | undefined {
  const { stringValue, intValue, doubleValue, boolValue } = optionalChild(attribute, "value")?.values ?? {};
  const value = stringValue ?? intValue ?? doubleValue ?? boolValue;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}

/** The event's time, ms. The client sends nanoseconds, as text, because a JavaScript number is not exact enough. */
function momentOf(record: Fields): number | undefined {
  const { timeUnixNano: given } = record.values;
  const text = typeof given === "string" || typeof given === "number" ? String(given) : "";
  const ms = NANOSECONDS.test(text) ? Number(BigInt(text) / 1_000_000n) : 0;
  return ms > 0 && ms <= TIME_MAX ? ms : undefined;
}

const NANOSECONDS = /^\d{1,24}$/;
/** The latest time that a JavaScript date can have, ms. */
const TIME_MAX = 8_640_000_000_000_000;
