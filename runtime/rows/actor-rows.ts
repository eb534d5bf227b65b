// Actor rows
// An actor as it is kept: its snapshot, and beside it what always changes with it.
//
//   Owns:          the shape of the row and of its text.
//   Does not own:  snapshots (actors), the shapes of books (machines/books), who writes a row (session-records, ledger).
//   Decided in:    docs/decisions/0002-rows-that-change-together.md.
//
// ACTOR-ROWS-1. What always changes together is one row: a store's time goes by rows.

import { type Address, parseAddress } from "../../machines/index.ts";
import { glimpse, persist, restore, type Snapshot, type Stored } from "./actors.ts";
import { keys } from "./keys.ts";
import type { Readable } from "./overlay.ts";

export interface ActorRow {
  readonly snapshot: Snapshot;
  /** What its session has booked about it; the head, for the session itself. A request's is a row of its own. */
  readonly book: unknown;
  /** Of a session, once it has one since it was made. */
  readonly changes: Counted | undefined;
}

/** The changes of a session, over all its life. */
export interface Counted {
  /** How many: the version of the newest. */
  readonly version: number;
  /** The number of the newest in the log. */
  readonly newest: number;
}

type StoredRow = Stored & Partial<Omit<ActorRow, "snapshot">>;

export function actorRow(rows: Pick<Readable, "get">, address: Address): ActorRow | undefined {
  // Rows under these keys are written as actor rows only, and decoded here.
  return rows.get(keys.actor(address)) as ActorRow | undefined;
}

export function encodeActor({ snapshot, book, changes }: ActorRow): string {
  const { machine, version, value, context } = persist(snapshot);
  return JSON.stringify({ machine, version, value, context, book, changes });
}

/** @throws InvariantViolation when the text is not what `encodeActor` made, or not of this code's machines. */
export function decodeActor(address: Address, text: string): ActorRow {
  const { kind } = parseAddress(address);
  const stored: StoredRow = glimpse(kind, address, text);
  const { book, changes } = stored;
  return { snapshot: restore(kind, address, stored), book, changes };
}

/** The book alone, for one who only looks. @throws InvariantViolation when the text is not what `encodeActor` made. */
export function glimpseBook(address: Address, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const stored: StoredRow = glimpse(parseAddress(address).kind, address, text);
  return stored.book;
}
