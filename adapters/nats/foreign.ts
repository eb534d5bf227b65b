// Foreign
// Turns messages that services publish into journal entries, and refuses messages that they may not publish.
//
//   Owns:          checking the subject against the envelope; the dead letter of a refused message.
//   Does not own:  the envelope, the types and the limits (runtime/door), the engine's own messages (wire.ts).
//
// FOREIGN-1. The subject decides workspace, session and type. An envelope that contradicts the subject is refused; a field that
//     the envelope lacks is taken from the subject.
// FOREIGN-2. Only an engine may publish on the engine's own subjects.
// FOREIGN-3. Of a message's headers, only `traceparent` is stored in the journal.

import { hash } from "node:crypto";
import { isFields } from "../../machines/json.ts";
import type { WireMessage } from "./wire-message.ts";
import { defined } from "../../machines/index.ts";
import type { Clients } from "../../runtime/clients.ts";
import { readEvent } from "../../runtime/door/admit.ts";
import { checkNumbers, parseBytes } from "../../runtime/door/parse.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { ENGINE, type Refused, type SourceMessage, writeMessage } from "../../runtime/message.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { knownTraceparent } from "../../runtime/traces/traceparent.ts";

/** Reads a service's message. @returns the body of its journal entry. @throws RefusedError that says what is wrong. */
export function readForeign({ subject, headers, payload }: WireMessage, clients: Clients): string {
  const place = subjects.readInput(subject);
  if (!place) throw badSubject();
  if (place.door === "own") throw notAuthorised();
  const { workspace, session, type } = place;
  const value = parseBytes(payload);
  if (type === "approval.requested") checkNumbers(payload);
  const event = isFields(value) ? { subject: `${workspace}/${session}`, type, ...value } : value;
  const message = readEvent(event, clients, payload.length);
  if (message.type !== type) throw differs("type", message.type, type);
  if (message.workspace !== workspace || message.session !== session)
    throw differs("subject", `${message.workspace}/${message.session}`, `${workspace}/${session}`);
  const traceparent = knownTraceparent(headers.get("traceparent"));
  return writeMessage({ ...message, ...defined({ traceparent }) } satisfies SourceMessage);
}

const BODY_BYTES_KEPT = 16 * 1024;
const HEADER_KEPT = 256;
/** The headers of a message by which its sender recognises it in a dead letter. */
export const KEPT: readonly string[] = [
  "Nats-Msg-Id",
  "Content-Type",
  "traceparent",
  "ce-id",
  "ce-source",
  "ce-type",
];

/** @returns the body of the journal entry for a refused message; this entry becomes a dead letter. */
export function refusal(error: unknown, { subject, headers, payload }: WireMessage): string {
  const path = error instanceof RefusedError ? error.path : undefined;
  const kept = KEPT.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value.slice(0, HEADER_KEPT)] as const];
  });
  const said: Refused = {
    type: "refused",
    door: "nats",
    by: "nats",
    subject,
    code: error instanceof RefusedError ? error.code : "DEFECT",
    reason: error instanceof Error ? error.message : String(error),
    ...(path !== undefined && { path }),
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    bytes: payload.length,
    sha256: hash("sha256", payload, "hex"),
    body: Buffer.from(payload.subarray(0, BODY_BYTES_KEPT)).toString("utf8"),
  };
  return writeMessage({ door: "own", ...ENGINE, said });
}

const badSubject = (): RefusedError =>
  new RefusedError(
    "BAD_SUBJECT",
    "The subject is not of the form in.<workspace>.<session>.<type>, the type of two tokens.",
    "Publish on the subject that docs/reference/nats.md describes; each part of it is an id.",
    "subject",
  );

const notAuthorised = (): RefusedError =>
  new RefusedError(
    "NOT_AUTHORISED",
    "Only the engine itself publishes on this subject, and this message does not have its seal.",
    "Nothing was applied. To answer an approval, use the subject for decisions.",
    "subject",
  );

const differs = (path: "subject" | "type", said: string, published: string): RefusedError =>
  new RefusedError(
    "SUBJECT_DIFFERS",
    `The envelope's ${path} is ${JSON.stringify(said)}, but it was published for ${JSON.stringify(published)}.`,
    "Publish the message on the subject that its own attributes name.",
    path,
  );
