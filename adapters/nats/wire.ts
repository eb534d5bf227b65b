// Wire
// Converts a journal entry to a JetStream message and back.
//
//   Owns:          subject, headers and body of the engine's messages; telling the engine's messages from others.
//   Does not own:  the seal (seal.ts), what others may publish (foreign.ts), publishing and reading (journal.ts).
//
// NATS-WIRE-1. A text that an engine appended is read back unchanged. Every message of the stream becomes an entry: a message
//     that cannot be read becomes an entry with the reason (`refusal`), from which the engine makes a dead letter.
// NATS-WIRE-2. A message without an engine's seal counts as an entry of the service that published it.
// NATS-WIRE-3. A message counts as the engine's only if its seal fits. A message with a wrong seal is refused.

import type { WireMessage } from "./wire-message.ts";
import { defined } from "../../machines/defined.ts";
import type { Clients } from "../../runtime/clients.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { type Message, readMessage, type SourceMessage, writeMessage } from "../../runtime/message.ts";
import type { JournalEntry, Published } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { KEPT, readForeign, refusal } from "./foreign.ts";
import { badHeaders, headersIn } from "./headers.ts";
import { isSeal, seal } from "./seal.ts";

const SEAL = "Signalbox-Seal";
/** The header with the fields for which a CloudEvents envelope has no place. */
const ASIDE = "Signalbox-Message";
/** The header's value if the body is the message itself, without an envelope. */
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

const READ: ReadonlySet<string> = new Set([SEAL, ASIDE, ...KEPT]);

/** @returns those headers of a message that this file reads; undefined if the headers are malformed. */
export const headersOf = (head: Uint8Array): ReadonlyMap<string, string> | undefined => headersIn(head, READ);

/** A message as it was found, with its headers as bytes. */
export type FoundMessage = Omit<WireMessage, "headers"> & { readonly head: Uint8Array };

export interface WireReading {
  readonly sealKey: Uint8Array;
  /** The clients whose payloads services may publish. */
  readonly clients: Clients;
}

/** The journal entry of a message. A message without a seal is parsed once, when the entry's body is first needed. */
export function entryOf(
  { subject, head, payload }: FoundMessage,
  { sealKey, clients }: WireReading,
  where: Omit<JournalEntry, "body" | "from" | "bytes">,
): JournalEntry {
  const readable = headersOf(head);
  const headers = readable ?? NONE;
  const wire = { subject, headers, payload };
  const rest = { ...where, bytes: subject.length + head.length + payload.length };
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

export function sealOn(
  { subject, headers, payload }: WireMessage,
  key: Uint8Array,
): "none" | "fits" | "strange" {
  const sealed = headers.get(SEAL);
  if (sealed === undefined) return "none";
  return isSeal(sealed, { subject, aside: headers.get(ASIDE) ?? "", payload }, key) ? "fits" : "strange";
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

function formOf(message: Message, body: string) {
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

/** The last time whose year has four digits. */
const TIME_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function sealedText(text: string, aside: string): string {
  const value: unknown = JSON.parse(text);
  // A seal that fits shows that an engine wrote the text, so the text is an own message or an envelope as this file writes it.
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

/** The fields as JSON in ASCII without line ends: a header may contain no line end, and only ASCII is safe in it. */
function inAscii(rest: Rest): string {
  if (Object.keys(rest).length === 0) return "";
  return JSON.stringify(rest).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const badSeal = (): RefusedError =>
  new RefusedError(
    "NOT_AUTHORISED",
    "The message has a seal that is not this engine's.",
    "Only an engine with the key of the data folder may seal messages; publish without a seal.",
  );
