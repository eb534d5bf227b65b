// Envelope
// The envelope of every message from outside: a CloudEvents 1.0 event as JSON.
//
//   Owns:          the attributes of an envelope and their forms; who may send which type of message.
//   Does not own:  the content of `data` (schemas, adapters of clients).
//   Decided in:    docs/decisions/0065-one-entrance-for-values.md.
//
// DOOR-ENVELOPE-1. Unknown attributes are allowed, as CloudEvents requires, and dropped.
// DOOR-ENVELOPE-2. No door accepts a message of a type that only the engine itself may write (an own message).

import { z } from "zod";
import { isId, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import { ID_RULE, isPublicType, PUBLIC_TYPES, readAs } from "./schemas.ts";

const CONTROL = /[\u0000-\u001f\u007f]/;
const name = (max: number) =>
  z
    .string()
    .min(1, "is empty")
    .max(max)
    .refine((text) => !CONTROL.test(text), "must not hold control characters")
    .refine((text) => text.isWellFormed(), "must be well-formed text");

const ENVELOPE = z.compile(
  z.looseObject({
    specversion: z.literal("1.0", 'should be "1.0"'),
    id: name(256),
    source: name(512),
    type: name(128),
    subject: z.string(),
    time: z.iso.datetime({ offset: true, error: "should be an RFC 3339 time" }).exactOptional(),
    sequence: z.int().nonnegative().exactOptional(),
    datacontenttype: z.literal("application/json", 'should be "application/json"').exactOptional(),
    data: z.unknown(),
  }),
  { strict: true },
);
export type Envelope = z.output<typeof ENVELOPE>;

/** @throws RefusedError with the path of the faulty attribute. */
export function readEnvelope(value: unknown): Envelope {
  const envelope = readAs(ENVELOPE, value, "");
  if (envelope.data === undefined) throw missingData();
  return envelope;
}

/** The content of an envelope, under the engine's own names. */
export interface EventParts extends Pick<SourceMessage, "id" | "source" | "type" | "time" | "data"> {
  readonly workspace: string;
  readonly session: string;
}

/** Makes the envelope of a message from this process. The door checks this envelope like one from outside. */
export const envelopeOf = ({ workspace, session, id, source, type, time, data }: EventParts): object => ({
  specversion: "1.0",
  id,
  source,
  type,
  subject: `${workspace}/${session}`,
  ...(time !== undefined && { time: new Date(time).toISOString() }),
  data,
});

type RawTypes = Pick<Clients, "rawTypes">;

/** Matches the types of own messages, and the words that are reserved for further types. */
const OWN =
  /^(own|decision|timer|waiter|process|recovery|removal|rule|configuration|configured|swept|refused|fence)\b/;

/** @throws RefusedError NOT_AUTHORISED for a type of own messages, UNKNOWN_TYPE for any other unknown type. */
export function checkType(type: string, { rawTypes }: RawTypes): void {
  if (isPublicType(type) || rawTypes.has(type)) return;
  if (OWN.test(type)) throw notAuthorised(type);
  throw unknownType(type, { rawTypes });
}

export const unknownType = (type: string, { rawTypes }: RawTypes): RefusedError =>
  new RefusedError(
    "UNKNOWN_TYPE",
    `There is no type "${type}".`,
    `The types are ${[...PUBLIC_TYPES, ...rawTypes].join(", ")}.`,
    "type",
  );

export interface Home {
  readonly workspace: WorkspaceId;
  /** The session; absent if the session gets its name from the request (R3). */
  readonly session?: SessionId;
}

/** Reads the workspace and the session that an event is for. @throws RefusedError BAD_SUBJECT */
export function readSubject(subject: string, type: string): Home {
  const [workspace = "", session, ...rest] = subject.split("/");
  const alone = session === undefined && type.startsWith("request.");
  if (rest.length > 0 || !isId(workspace) || (!alone && !isId(session ?? ""))) throw badSubject();
  return {
    workspace: workspace as WorkspaceId,
    ...(session !== undefined && { session: session as SessionId }),
  };
}

const badSubject = (): RefusedError =>
  new RefusedError(
    "BAD_SUBJECT",
    `The subject is not <workspace>/<session>; each part ${ID_RULE}.`,
    "Give workspace and session. Only messages of the types request.* may leave the session out.",
    "subject",
  );

const missingData = (): RefusedError =>
  new RefusedError("WRONG_SHAPE", "data is missing.", "Send the fields of this type in data.", "data");

const notAuthorised = (type: string): RefusedError =>
  new RefusedError(
    "NOT_AUTHORISED",
    `Only the engine itself sends messages of the type "${type}".`,
    "Nothing was applied. To answer an approval, use POST /v1/approvals/:id/decision.",
    "type",
  );
