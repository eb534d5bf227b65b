// Extent
// What the stream of inputs holds, and whether it is still the one a cursor was taken from.
//
//   Owns:          asking the server; the hash by which an entry is known again.
//   Does not own:  the comparison of extents (runtime/cursor), when to ask (reader.ts).
//
// N12. A cursor fits only where the stream's birth, its ends and the very message at the cursor are as they were.

import { hash } from "node:crypto";
import { type JetStreamManager, NatsError, type StoredMsg } from "nats";
import { resume } from "../../runtime/cursor.ts";
import { journalRegressed } from "../../runtime/errors.ts";
import type { Cursor } from "../../runtime/ports.ts";
import { problem } from "./problem.ts";
import { STREAMS } from "./streams.ts";

export interface Checked {
  readonly cursor: Cursor;
  readonly tail: number;
}

/**
 * @param cursor undefined for a fresh store.
 * @throws FatalError JOURNAL_REGRESSED; RetryableError NATS_UNAVAILABLE.
 */
export async function checkExtent(manager: JetStreamManager, cursor: Cursor | undefined): Promise<Checked> {
  const info = await orAbsent(manager.streams.info(STREAMS.journal));
  if (!info) throw journalRegressed(`the server has no stream ${STREAMS.journal}`);
  const { created, state } = info;
  const tail = state.last_seq;
  const from = resume(cursor, {
    incarnation: incarnationOf(created),
    trimmed: Math.max(0, state.first_seq - 1),
    tail,
  });
  if (from.hash !== undefined && from.position > 0) {
    const found = await messageAt(manager, from.position);
    if (!found || hashOf(found.subject, found.time.getTime(), found.data) !== from.hash)
      throw journalRegressed(`the message at ${from.position} is not the one that was read there`);
  }
  return { cursor: from, tail };
}

/** @param at the server's own stamp of the message, ms. */
export function hashOf(subject: string, at: number, payload: Uint8Array): string {
  return hash("sha256", Buffer.concat([Buffer.from(`${subject}\n${at}\n`), payload]), "hex").slice(0, 32);
}

/** The stream's birth, in characters that may stand in an id. */
const incarnationOf = (created: string): string => created.replace(/[^0-9TZ]/g, "");

/** @returns undefined where there is none, or no longer. */
export function messageAt(manager: JetStreamManager, position: number): Promise<StoredMsg | undefined> {
  return orAbsent(manager.streams.getMessage(STREAMS.journal, { seq: position }));
}

const NOT_FOUND = 404;

async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return undefined;
    throw problem(error);
  }
}
