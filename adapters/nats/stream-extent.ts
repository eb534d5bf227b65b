// Stream extent
// Reads which messages the stream of inputs contains, and checks that it is still the stream that a cursor belongs to.
//
//   Owns:          asking the server; the hash by which an entry is recognised.
//   Does not own:  the comparison of extents (runtime/cursor), when to ask (reader.ts).
//
// STREAM-EXTENT-1. A cursor fits a stream only if the stream has the same creation time, the same message at the cursor, and
//     every message after it.

import { hash } from "node:crypto";
import type { JetStreamManager, StoredMsg, StreamInfo, StreamState } from "nats";
import { rangesOf, resume, type Resumed } from "../../runtime/journal/cursor.ts";
import { journalRegressed, journalUnknown } from "../../runtime/errors/errors.ts";
import type { Cursor, Fill, Missing } from "../../runtime/ports.ts";
import { orAbsent, orPortError } from "./client-errors.ts";
import { STREAMS } from "./streams.ts";

export interface Checked extends Resumed {
  readonly tail: number;
}

export interface MayLack {
  /** True if the check passes even if messages after the cursor are missing. */
  readonly behind?: boolean;
  /** True if the check passes even if the message at the cursor is missing. */
  readonly atCursor?: boolean;
  /** Finds messages between two positions that were sealed with another key; absent if there is no search for such messages. */
  readonly sealed?: (after: number, upTo: number) => Promise<readonly Missing[]>;
}

/**
 * Checks that the stream has what a store needs.
 * @param cursor undefined for a new store.
 * @throws FatalError JOURNAL_REGRESSED; RetryableError NATS_UNAVAILABLE.
 */
export async function checkExtent(
  manager: JetStreamManager,
  cursor: Cursor | undefined,
  { behind = false, atCursor = false, sealed }: MayLack = {},
): Promise<Checked> {
  const { created, state } = await streamOf(manager);
  const tail = state.last_seq;
  const there = {
    incarnation: incarnationOf(created),
    trimmed: Math.max(0, state.first_seq - 1),
    tail,
    holes: rangesOf(told(state).deleted ?? []),
  };
  // The first call of `resume` checks that the stream is still the same one, before `sealed` searches the stream.
  const after = Math.max(resume(cursor, there, true).cursor.position, there.trimmed);
  const extent = sealed && after < tail ? { ...there, sealed: await sealed(after, tail) } : there;
  const { cursor: from, missing } = resume(cursor, extent, behind);
  if (from.hash === undefined || from.position === 0) return { cursor: from, missing, tail };
  const found = await messageAt(manager, from.position);
  if (found && hashOf(found.subject, found.time.getTime(), found.data) !== from.hash)
    throw journalRegressed(`the message at ${from.position} is not the one that was read there`);
  if (found) return { cursor: from, missing, tail };
  if (!atCursor) throw journalUnknown(from.position);
  const { incarnation, position } = from;
  return { cursor: { incarnation, position }, missing, tail };
}

async function streamOf(manager: JetStreamManager): Promise<StreamInfo> {
  const { streams } = manager;
  let info = await orAbsent(streams.info(STREAMS.journal));
  if (info && (told(info.state).num_deleted ?? 0) > 0)
    info = await orAbsent(streams.info(STREAMS.journal, { deleted_details: true }));
  if (!info) throw journalRegressed(`the server has no stream ${STREAMS.journal}`);
  return info;
}

/** The state as it really is: a server leaves out empty or unrequested fields, whatever the NATS client's types say. */
const told = (state: StreamState): Partial<StreamState> => state;

/** The position of the stream's first message; 1 in an empty stream. @throws the error that `asPortError` makes. */
export async function firstOf({ streams }: JetStreamManager): Promise<number> {
  const { state } = await orPortError(streams.info(STREAMS.journal));
  return Math.max(1, state.first_seq);
}

export async function fillOf({ streams }: JetStreamManager): Promise<Fill> {
  const { config, state } = await orPortError(streams.info(STREAMS.journal));
  return { bytes: state.bytes, max: config.max_bytes > 0 ? config.max_bytes : Infinity };
}

/** @param at when the server stored the message, by the server's clock, ms. */
export function hashOf(subject: string, at: number, payload: Uint8Array): string {
  return hash("sha256", Buffer.concat([Buffer.from(`${subject}\n${at}\n`), payload]), "hex").slice(0, 32);
}

/** The incarnation of a stream: the time of its creation, in characters that an id may contain. */
const incarnationOf = (created: string): string => created.replace(/[^0-9TZ]/g, "");

export function messageAt(manager: JetStreamManager, position: number): Promise<StoredMsg | undefined> {
  return orAbsent(manager.streams.getMessage(STREAMS.journal, { seq: position }));
}
