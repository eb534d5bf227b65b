// Actor rows
// The row of an actor: its snapshot, and the session's book of this actor, which changes with the snapshot.
//
//   Owns:          the shape of an actor's row, and its form as text.
//   Does not own:  snapshots (actors), the shapes of books (machines/books), writing rows (session-records, ledger).
//   Decided in:    docs/decisions/0002-rows-that-change-together.md.
//
// ACTOR-ROWS-1. Values that always change together are in one row, because each further row costs the store time.

import { type Address, parseAddress } from "../../../machines/index.ts";
import { glimpse, persist, restore, type Snapshot, type Stored } from "./actors.ts";
import { keys } from "../keys.ts";
import type { Readable } from "../overlay.ts";
import type { TraceNotes } from "../trace-notes.ts";

export interface ActorRow {
  readonly snapshot: Snapshot;
  /** The session's book about this actor; in the row of a session, its book `head`. The row of a request has no book. */
  readonly book: unknown;
  /** Only for a session: further books in the session's row, the one written last at the end (session-records). */
  readonly recent: readonly RecentBook[] | undefined;
  /** Only for a session that has had a change: how many changes there were. */
  readonly changes: Counted | undefined;
}

export type RecentBook = readonly [name: string, value: unknown];

export interface Counted {
  /** The number of changes, which is the version of the newest change. */
  readonly version: number;
  readonly newest: number;
  /** The traceparents that senders named for the session's open work; absent without any (trace-notes). */
  readonly traces?: TraceNotes;
}

type StoredRow = Stored & Partial<Omit<ActorRow, "snapshot">>;

export function actorRow(rows: Pick<Readable, "get">, address: Address): ActorRow | undefined {
  // The cast is safe: only actor rows have keys of this kind, and each was decoded as an actor row.
  return rows.get(keys.actor(address)) as ActorRow | undefined;
}

export function encodeActor({ snapshot, book, recent, changes }: ActorRow): string {
  const { machine, version, value, context } = persist(snapshot);
  return JSON.stringify({ machine, version, value, context, book, recent, changes });
}

/** @throws InvariantViolation for a text that `encodeActor` did not make, or that no machine of this version fits. */
export function decodeActor(address: Address, text: string): ActorRow {
  const { kind } = parseAddress(address);
  const stored: StoredRow = glimpse(kind, address, text);
  const { book, recent, changes } = stored;
  return { snapshot: restore(kind, address, stored), book, recent, changes };
}

/** Decodes only the books of a row, for queries. @throws InvariantViolation for a text that `encodeActor` did not make. */
export function glimpseBooks(
  address: Address,
  text: string | undefined,
): Partial<Pick<ActorRow, "book" | "recent">> {
  if (text === undefined) return {};
  const stored: StoredRow = glimpse(parseAddress(address).kind, address, text);
  return stored;
}
