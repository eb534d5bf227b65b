// Admit
// Turns one envelope from outside into the message that goes into the journal.
//
//   Owns:          the order of the checks, which decides the fault that is reported if a message has several.
//   Does not own:  the checks themselves (envelope, limits, schemas, shrink), reading bytes (parse), dead letters (refusals).
//
// ADMIT-1. Events and hooks come in only through this file, which checks their ids. So every id inside the engine is valid.
// ADMIT-2. The check of an envelope has no side effects: the same envelope always gives the same message, or the same refusal.

import { isFields } from "../../machines/json.ts";
import { defined, type SessionId } from "../../machines/index.ts";
import type { ClientProfile } from "../client-profile.ts";
import type { Clients } from "../clients.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import { checkType, type Envelope, type Home, readEnvelope, readSubject } from "./envelope.ts";
import { checkShape, checkSize, FORBIDDEN, MESSAGE_BYTES_MAX, RAW_BYTES_MAX } from "../limits.ts";
import { isPublicType, readAs, SCHEMAS } from "./schemas.ts";
import { shrink, VALUE_BYTES_MAX } from "./inputs/shrink.ts";

/** @param bytes the length of `value` as JSON. @throws RefusedError with the path of the fault. */
export function readEvent(value: unknown, clients: Clients, bytes: number): SourceMessage {
  checkAttributes(value);
  const envelope = readEnvelope(value);
  checkType(envelope.type, clients);
  const client = clients.ofType(envelope.type);
  checkSize(bytes, client ? RAW_BYTES_MAX : MESSAGE_BYTES_MAX);
  const home = readSubject(envelope.subject, envelope.type);
  const { time, sequence } = envelope;
  const data = client ? rawData(envelope, client, bytes) : publicData(envelope);
  return {
    door: "in",
    workspace: home.workspace,
    session: home.session ?? sessionOfRequest(data),
    id: envelope.id,
    source: envelope.source,
    type: envelope.type,
    ...defined({ time: time === undefined ? undefined : Date.parse(time), sequence }),
    data,
  };
}

/** What the door adds to a hook's payload: workspace, session, and an id, because a hook has no id of its own. */
export interface RawPayload extends Required<Home> {
  readonly id: string;
}

/** @param bytes the length of the parsed payload as JSON. @throws RefusedError if the payload breaks a limit. */
export function readRaw(
  payload: unknown,
  bytes: number,
  client: ClientProfile,
  as: RawPayload,
): SourceMessage {
  checkSize(bytes, RAW_BYTES_MAX);
  const { name: source, hook } = client;
  const { id, ...home } = as;
  const data = rawData({ type: hook.type, data: payload }, client, bytes);
  return { door: "in", id, source, type: hook.type, ...home, data };
}

function publicData({ type, data }: Envelope): unknown {
  checkShape(data, { at: "data", isText });
  // The condition is always true, because `checkType` refused unknown types; it tells TypeScript that the type is known.
  if (isPublicType(type)) readAs(SCHEMAS[type], data, "data");
  return data;
}

/** True for the fields with a tool's input and output. These are stored as text, so they may contain any key. */
const isText = (key: string): boolean => key === "input" || key === "output";

/**
 * The data of a hook as the journal stores it. A hook may arrive as its payload alone, or as `{hook, answer?}` (S2.75); the
 * journal always has the second form.
 */
function rawData(
  { type, data }: Pick<Envelope, "type" | "data">,
  { hook }: ClientProfile,
  bytes: number,
): unknown {
  if (!isFields(data)) throw notAnObject();
  const whole = type === hook.type && !("hook" in data) ? { hook: data } : data;
  const kept = bytes > VALUE_BYTES_MAX ? shrink(whole) : whole;
  checkShape(kept, { at: "data", isText: (_key, level) => level > 1 });
  return kept;
}

function checkAttributes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const key = Object.keys(value).find((name) => FORBIDDEN.has(name));
  if (key === undefined) return;
  throw new RefusedError(
    "FORBIDDEN_KEY",
    `The message has a field named ${key}, and Signalbox accepts no field of this name.`,
    "Send the message without this field.",
    key,
  );
}

/** R3: the session of a new request that names no session: the request gets a session of its own. */
function sessionOfRequest(data: unknown): SessionId {
  // The cast is safe: the `requestId` of messages of the types `request.*` was checked before.
  const { requestId } = data as { requestId: string };
  const session = `r_${requestId}`;
  if (session.length > 128) throw longRequestId();
  return session as SessionId;
}

const notAnObject = (): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    "data is not an object.",
    "Send the payload as the client wrote it.",
    "data",
  );

const longRequestId = (): RefusedError =>
  new RefusedError(
    "BAD_ID",
    "data.requestId is too long to name a session: 126 characters at most.",
    "Send a shorter id, or give <workspace>/<session> as the subject.",
    "data.requestId",
  );
