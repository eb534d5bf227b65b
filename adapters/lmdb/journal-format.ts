// Journal format
// The format of the embedded journal's head and entries on disk.
//
//   Owns:          writing and reading the head and the entries.
//   Does not own:  when the journal's rows are written.
//
// JOURNAL-FORMAT-1. Only text that this file has encoded is decoded. Any other text is a sign of damage, and stops the engine.

import { FatalError, FROM_A_COPY } from "../../runtime/errors/errors.ts";
import type { JournalEntry } from "../../runtime/ports.ts";

/** The key of the journal's head in the table `meta`. */
export const HEAD = "journal";

export interface Head {
  readonly incarnation: string;
  readonly tail: number;
  readonly at: number;
  /** The position of the newest trimmed entry. */
  readonly trimmed: number;
  /** The length of all stored entries in bytes, as they are encoded. */
  readonly bytes: number;
}

export function encodeHead({ incarnation, tail, at, trimmed, bytes }: Head): string {
  return `${incarnation} ${tail} ${at} ${trimmed} ${bytes}`;
}

/** The journal's head as it is stored. A head that an earlier version of Signalbox stored lacks `bytes`. */
export type StoredHead = Omit<Head, "bytes"> & { readonly bytes: number | undefined };

export function decodeHead(text: string): StoredHead {
  const [, incarnation, tail, at, trimmed, bytes] =
    /^(\S+) (\d+) ([\d.]+) (\d+)(?: (\d+))?$/.exec(text) ?? [];
  if (incarnation === undefined) throw damaged("head", text);
  const counted = bytes === undefined ? undefined : Number(bytes);
  return { incarnation, tail: Number(tail), at: Number(at), trimmed: Number(trimmed), bytes: counted };
}

export const encodeEntry = ({ at, body }: JournalEntry): string => `${at} ${body}`;

export function decodeEntry(position: number, text: string): JournalEntry {
  const space = text.indexOf(" ");
  const at = Number(text.slice(0, space));
  if (space < 1 || !Number.isFinite(at)) throw damaged(`entry ${position}`, text);
  return { position, at, body: text.slice(space + 1) };
}

function damaged(what: string, text: string): FatalError {
  return new FatalError(
    "JOURNAL_DAMAGED",
    `The journal's ${what} cannot be read: ${JSON.stringify(text.slice(0, 80))}.`,
    `${FROM_A_COPY} Do not use this journal any more.`,
  );
}
