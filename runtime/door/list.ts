// List
// Splits a body into its events: one envelope, or a list of envelopes.
//
//   Owns:          distinguishing one envelope from a list; the path that locates a fault in a list.
//   Does not own:  the checks of one envelope (admit).

import { isFields } from "../../machines/json.ts";
import type { Clients } from "../clients.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import { readEvent } from "./admit.ts";
import { envelopeOf } from "./envelope.ts";
import { checkNumbers } from "./parse.ts";
import { EVENTS_MAX } from "../limits.ts";
import { parseBytes } from "./parse.ts";

export interface ReadEvents {
  readonly isList: boolean;
  readonly events: readonly Read[];
}

/** One event of a body: its message, or why the event was refused, with the event's text. */
export type Read =
  | {
      readonly message: SourceMessage;
      /** The length of the event as it was sent. */
      readonly bytes: number;
    }
  | {
      readonly error: RefusedError;
      /** The error for the sender. Its path includes the event's place in the list. */
      readonly refused: RefusedError;
      readonly body: Uint8Array;
    };

/**
 * @param sent the received bytes, for an event that came alone. For any other event its JSON is used instead.
 * @param index the event's place in the list, for an event that its sender put into a list.
 */
export function readOne(event: unknown, clients: Clients, sent?: Uint8Array, index?: number): Read {
  const own = sent ?? JSON.stringify(event);
  const bytes = Buffer.byteLength(own);
  try {
    if (sent && isRequest(event)) checkNumbers(sent);
    return { message: readEvent(event, clients, bytes), bytes };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const body = typeof own === "string" ? Buffer.from(own) : own;
    return { refused: index === undefined ? error : inList(error, index), error, body };
  }
}

/** @param check throws a RefusedError for a message that is refused. @returns the event, or why it was refused. */
export function checked(read: Read, check: (message: SourceMessage) => void): Read {
  if (!("message" in read)) return read;
  try {
    check(read.message);
    return read;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { error, refused: error, body: Buffer.from(JSON.stringify(envelopeOf(read.message))) };
  }
}

function inList({ code, message, next, path = "" }: RefusedError, index: number): RefusedError {
  return new RefusedError(code, message, next, `[${index}]${path === "" ? "" : `.${path}`}`);
}

/** True for an event that requests an approval. The input of such an event must be stored exactly as it was sent. */
const isRequest = (event: unknown): boolean => isFields(event) && event["type"] === "approval.requested";

/** @throws RefusedError for a body that is not JSON, an empty list, or a list of too many events. */
export function readEvents(body: Uint8Array, clients: Clients): ReadEvents {
  const value = parseBytes(body);
  if (!Array.isArray(value)) return { isList: false, events: [readOne(value, clients, body)] };
  const list: readonly unknown[] = value;
  if (list.length === 0 || list.length > EVENTS_MAX) throw wrongLength(list.length);
  if (list.some(isRequest)) checkNumbers(body);
  return { isList: true, events: list.map((event, index) => readOne(event, clients, undefined, index)) };
}

const wrongLength = (length: number): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `A list has 1 to ${EVENTS_MAX} events, and this list has ${length}.`,
    "Send fewer events at once, and at least one.",
    "",
  );
