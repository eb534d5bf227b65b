// Wire
// Converts a journal entry to a JetStream message and back.
//
//   Owns:          subject, headers and body of the engine's messages; telling them from those of others.
//   Does not own:  the seal (seal.ts), what others may publish (foreign.ts), publishing and reading (journal.ts).
//
// NATS-WIRE-1. A text that an engine appended is read back unchanged. A message that cannot be read becomes a refusal, so that
//     every message of the stream is an entry.
// NATS-WIRE-2. A message without an engine's seal is an entry of the service that published it. The message's subject shows
//     this before anything else is read.
// NATS-WIRE-3. A message counts as the engine's only if its seal fits. A message with a wrong seal counts as nobody's.

import type { WireMessage } from "./wire-message.ts";
import { defined } from "../../machines/defined.ts";
import type { Clients } from "../../runtime/clients.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { type Message, readMessage, type SourceMessage, writeMessage } from "../../runtime/message.ts";
import type { JournalEntry, Published } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { readForeign, refusal } from "./foreign.ts";
import { isSeal, seal } from "./seal.ts";

const SEAL = "Signalbox-Seal";
/** The header for fields that a CloudEvents envelope lacks. */
const ASIDE = "Signalbox-Message";
/** Marks a body that is the message itself, without an envelope. */
const WHOLE = "whole";

/** @param body the body of a journal entry. @throws RefusedError NOT_A_MESSAGE for a text that is not a message. */
export function writeWire(body: string, key: Uint8Array): WireMessage {
  const message = readMessage(body);
  const { subject, aside, text } = formOf(message, body);
  const payload = Buffer.from(text);
  const headers = new Map([[SEAL, seal({ subject, aside, payload }, key)]]);
  if (aside !== "") headers.set(ASIDE, aside);
  return { subject, headers, payload };
}

/** A message as it was read; without headers if they are malformed. */
export type FoundMessage = Omit<WireMessage, "headers"> & {
  readonly headers: WireMessage["headers"] | undefined;
};

export interface WireReading {
  readonly sealKey: Uint8Array;
  /** The clients whose payloads services may publish. */
  readonly clients: Clients;
}

/** A message as an entry. An unsealed one is parsed once, when its body is first needed (NATS-WIRE-2). */
export function entryOf(
  { subject, headers: readable, payload }: FoundMessage,
  { sealKey, clients }: WireReading,
  rest: Omit<JournalEntry, "body" | "from">,
): JournalEntry {
  const headers = readable ?? NONE;
  const wire = { subject, headers, payload };
  const sealed = sealOn(wire, sealKey);
  const aside = headers.get(ASIDE) ?? "";
  if (sealed === "fits")
    return { ...rest, body: orRefusal(wire, () => sealedText(Buffer.from(payload).toString(), aside)) };
  let body: string | undefined;
  return {
    ...rest,
    from: publishedOn(subject),
    get body() {
      return (body ??= orRefusal(wire, () => {
        if (!readable) throw badHeaders();
        if (sealed === "strange") throw badSeal();
        return readForeign(wire, clients);
      }));
    },
  };
}

/** Whether a message has a seal, and whether the seal fits. */
export function sealOn(
  { subject, headers, payload }: FoundMessage,
  key: Uint8Array,
): "none" | "fits" | "strange" {
  const sealed = headers?.get(SEAL);
  if (sealed === undefined) return "none";
  return isSeal(sealed, { subject, aside: headers?.get(ASIDE) ?? "", payload }, key) ? "fits" : "strange";
}

const NONE: ReadonlyMap<string, string> = new Map();

function orRefusal(wire: WireMessage, read: () => string): string {
  try {
    return read();
  } catch (error) {
    return refusal(error, wire);
  }
}

function publishedOn(subject: string): Published {
  const place = subjects.readInput(subject);
  if (place) return { workspace: place.workspace, type: place.type };
  const workspace = subjects.workspaceIn(subject);
  return workspace === undefined ? {} : { workspace };
}

interface Form {
  readonly subject: string;
  readonly aside: string;
  readonly text: string;
}

function formOf(message: Message, body: string): Form {
  const { workspace, session } = message;
  if (message.door === "own")
    return { subject: subjects.own(workspace, session, message.said.type), aside: "", text: body };
  const subject = subjects.input(workspace, session, message.type);
  const { envelope, rest } = envelopeOf(message);
  const text = JSON.stringify(envelope);
  const aside = inAscii(rest);
  return sealedText(text, aside) === body ? { subject, aside, text } : { subject, aside: WHOLE, text: body };
}

type Rest = Readonly<Record<string, unknown>>;

function envelopeOf(message: SourceMessage): { readonly envelope: object; readonly rest: Rest } {
  const { door: _, workspace, session, id, source, type, time, sequence, data, ...rest } = message;
  const subject = `${workspace}/${session}`;
  const hasTime = time !== undefined && Number.isInteger(time) && time >= 0 && time <= TIME_MAX;
  const envelope = {
    specversion: "1.0",
    id,
    source,
    type,
    subject,
    ...(hasTime && { time: new Date(time).toISOString() }),
    ...defined({ sequence }),
    data,
  };
  return { envelope, rest };
}

/** The last time with a four-digit year. */
const TIME_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The text of a message whose seal fits. */
function sealedText(text: string, aside: string): string {
  const value: unknown = JSON.parse(text);
  // A seal that fits shows that an engine wrote the text: it is an own message, or an envelope as written above.
  if (aside === WHOLE || (value as Message).door === "own") return text;
  const { id, source, type, subject, time, sequence, data } = value as Record<string, unknown>;
  const [workspace, session] = String(subject).split("/");
  const message = {
    door: "in",
    workspace,
    session,
    id,
    source,
    type,
    ...(typeof time === "string" && { time: Date.parse(time) }),
    ...defined({ sequence }),
    data,
    ...(aside !== "" && (JSON.parse(aside) as Rest)),
  };
  return writeMessage(message as Message);
}

/** The value in ASCII, because a header may contain no line ends and safely only ASCII. */
function inAscii(rest: Rest): string {
  if (Object.keys(rest).length === 0) return "";
  return JSON.stringify(rest).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const badHeaders = (): RefusedError =>
  new RefusedError(
    "BAD_HEADERS",
    "The message has headers that cannot be read.",
    "Send names and values as the NATS documentation describes them.",
  );

const badSeal = (): RefusedError =>
  new RefusedError(
    "NOT_AUTHORISED",
    "The message has a seal that is not this engine's.",
    "Only an engine with the key of the data folder may seal messages; publish without a seal.",
  );
