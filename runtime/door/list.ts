// List
// Splits a body into its events: one envelope, or a list of envelopes.
//
//   Owns:          telling one envelope from a list; the path of a fault in a list.
//   Does not own:  the checks of one envelope (admit).

import type { Clients } from "../clients.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage } from "../message.ts";
import { readEvent } from "./admit.ts";
import { EVENTS_MAX } from "../limits.ts";
import { parseBytes } from "./parse.ts";

export interface ReadEvents {
  readonly isList: boolean;
  readonly events: readonly Read[];
}

/** One event of a body: its message, or why it was refused, with its text. */
export type Read =
  | {
      readonly message: SourceMessage;
      /** The length as sent. */
      readonly bytes: number;
    }
  | {
      readonly error: RefusedError;
      /** The error for the sender, whose path includes the place in the list. */
      readonly refused: RefusedError;
      readonly body: Uint8Array;
    };

/**
 * @param sent the bytes of an event that came alone. Otherwise its length is that of its JSON.
 * @param index its place in a list that its sender made.
 */
export function readOne(event: unknown, clients: Clients, sent?: Uint8Array, index?: number): Read {
  const own = sent ?? JSON.stringify(event);
  const bytes = Buffer.byteLength(own);
  try {
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
    return { error, refused: error, body: Buffer.from(JSON.stringify(read.message.data)) };
  }
}

function inList({ code, message, next, path = "" }: RefusedError, index: number): RefusedError {
  return new RefusedError(code, message, next, `[${index}]${path === "" ? "" : `.${path}`}`);
}

/** @throws RefusedError for a body that is not JSON, or a list of none or too many events. */
export function readEvents(body: Uint8Array, clients: Clients): ReadEvents {
  const value = parseBytes(body);
  if (!Array.isArray(value)) return { isList: false, events: [readOne(value, clients, body)] };
  const list: readonly unknown[] = value;
  if (list.length === 0 || list.length > EVENTS_MAX) throw wrongLength(list.length);
  return { isList: true, events: list.map((event, index) => readOne(event, clients, undefined, index)) };
}

const wrongLength = (length: number): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `A list has 1 to ${EVENTS_MAX} events, and this one has ${length}.`,
    "Send fewer events at once, and at least one.",
    "",
  );
