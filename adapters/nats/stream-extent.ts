// Stream extent
// Reads which messages the stream of inputs holds, and checks that it is still the stream of a cursor.
//
//   Owns:          asking the server; the hash that identifies an entry.
//   Does not own:  the comparison of extents (runtime/cursor), when to ask (reader.ts).
//
// STREAM-EXTENT-1. A cursor fits only if the stream has the same creation time and ends as before, all messages after the cursor,
//     and the same message at the cursor.

import { hash } from "node:crypto";
import { type JetStreamManager, NatsError, type StoredMsg, type StreamInfo, type StreamState } from "nats";
import { rangesOf, resume, type Resumed } from "../../runtime/journal/cursor.ts";
import { journalRegressed, journalUnknown } from "../../runtime/errors/errors.ts";
import type { Cursor, Fill, Missing } from "../../runtime/ports.ts";
import { asPortError } from "./client-errors.ts";
import { STREAMS } from "./streams.ts";

export interface Checked extends Resumed {
  readonly tail: number;
}

interface MayLack {
  /** Whether messages after the cursor may be missing. */
  readonly behind?: boolean;
  /** Whether the message at the cursor may be missing. */
  readonly atCursor?: boolean;
  /** Finds messages with another key's seal, between two positions; absent if they are not searched for. */
  readonly sealed?: (after: number, upTo: number) => Promise<readonly Missing[]>;
}

/** @param cursor undefined for a new store. @throws FatalError JOURNAL_REGRESSED; RetryableError NATS_UNAVAILABLE. */
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
  // `resume` is called twice. The first call checks that the stream is the same, before anything is searched in it.
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

/** The server's report on the stream, with the gaps inside the stream. */
async function streamOf(manager: JetStreamManager): Promise<StreamInfo> {
  const { streams } = manager;
  let info = await orAbsent(streams.info(STREAMS.journal));
  if (info && (told(info.state).num_deleted ?? 0) > 0)
    info = await orAbsent(streams.info(STREAMS.journal, { deleted_details: true }));
  if (!info) throw journalRegressed(`the server has no stream ${STREAMS.journal}`);
  return info;
}

/** A server leaves out empty or unrequested fields, whatever the client's types say. */
const told = (state: StreamState): Partial<StreamState> => state;

/** The position of the first message; 1 in an empty stream. @throws as `asPortError` says. */
export async function firstOf({ streams }: JetStreamManager): Promise<number> {
  const { state } = await answered(streams.info(STREAMS.journal));
  return Math.max(1, state.first_seq);
}

/** @throws as `asPortError` says. */
export async function fillOf({ streams }: JetStreamManager): Promise<Fill> {
  const { config, state } = await answered(streams.info(STREAMS.journal));
  return { bytes: state.bytes, max: config.max_bytes > 0 ? config.max_bytes : Infinity };
}

/** @param at the server's own time of the message, ms. */
export function hashOf(subject: string, at: number, payload: Uint8Array): string {
  return hash("sha256", Buffer.concat([Buffer.from(`${subject}\n${at}\n`), payload]), "hex").slice(0, 32);
}

/** When the stream was created, in characters that an id may contain. */
const incarnationOf = (created: string): string => created.replace(/[^0-9TZ]/g, "");

/** @returns undefined if there is no message at the position any more. */
export function messageAt(manager: JetStreamManager, position: number): Promise<StoredMsg | undefined> {
  return orAbsent(manager.streams.getMessage(STREAMS.journal, { seq: position }));
}

/** @throws the port's error instead of the client's. */
export const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw asPortError(error);
  });

const NOT_FOUND = 404;

export async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return undefined;
    throw asPortError(error);
  }
}
