// Session records
// The rows of one session during one input: books for its machines, snapshots for their host.
//
//   Owns:          which book is in which row; reading each row once, writing it once.
//   Does not own:  the shapes (machines/books), the layers below (overlay), index rows and deadlines (listing, alarms).
//
// I-38. No key reaches another session's rows: the session's address is put before every key.
// SESSION-RECORDS-1. However often a row is read and changed, it is read once from below, and written once, by `keep`.
//     Nobody else writes these rows meanwhile: the records live within one delivery, which nothing interrupts.
// SESSION-RECORDS-2. Records dropped without `keep` change nothing: an attempt that throws leaves no book behind.
// SESSION-RECORDS-3. No actor's book is kept without the actor.
// SESSION-RECORDS-4. A book that nearly every message about a call changes begins in the session's row, which each of them
//     writes anyway. It moves into a row of its own when enough others were written after it, and never back: so a book
//     is in one place, and none costs more rows than in a row of its own.

import { type Address, APPROVAL_BOOKS, CALL_BOOKS, HEAD_BOOK, type Records } from "../../machines/index.ts";
import type { ActorRow, RecentBook } from "./actors/actor-rows.ts";
import type { Snapshot } from "./actors/actors.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { keys } from "./keys.ts";
import type { Layer } from "./overlay.ts";

/** An actor by its address within the session: `call/<id>`; the empty name for the session itself. */
export type Name = string;
export const SESSION: Name = "";

/** The actor whose row a book is in; undefined for a book with a row of its own. */
function actorOf(key: string): Name | undefined {
  if (key === HEAD_BOOK) return SESSION;
  return key.startsWith(CALL_BOOKS) || key.startsWith(APPROVAL_BOOKS) ? key : undefined;
}

/** Books that may stand in the session's row: each is small. */
const RECENT = /^(?:request|batch|queue|nameless)\//;
/** How many do: those of a call and its request. */
const RECENT_MAX = 4;

/** A row, or a book within the session's row, as it is now, and whether it differs from the layer's. */
interface Cell {
  readonly key: string;
  value: unknown;
  changed: boolean;
  /** It stands in the session's row, or begins there. */
  readonly isRecent?: boolean;
}

/** An actor's row: its value is the book. */
interface ActorCell extends Cell {
  snapshot: Snapshot | undefined;
  recent: readonly RecentBook[];
  readonly before: ActorRow | undefined;
}

export class SessionRecords implements Records {
  readonly #layer: Layer;
  readonly #session: Address;
  readonly #prefix: string;
  readonly #actors = new Map<Name, ActorCell>();
  /** By the names the machines give them; books in actors' rows are cells of those. */
  readonly #books = new Map<string, Cell>();

  constructor(layer: Layer, session: Address) {
    this.#layer = layer;
    this.#session = session;
    this.#prefix = keys.books(session);
  }

  get(key: string): unknown {
    return (this.#books.get(key) ?? this.#read(key)).value;
  }

  set(key: string, value: unknown): void {
    const cell =
      this.#books.get(key) ?? (actorOf(key) !== undefined || RECENT.test(key) ? this.#read(key) : undefined);
    // A row that is only written is never read, unless it may be in another.
    if (!cell) this.#books.set(key, { key: this.#prefix + key, value, changed: true });
    else if (cell.value !== value) {
      cell.value = value;
      cell.changed = true;
    }
  }

  delete(key: string): void {
    this.set(key, undefined);
  }

  snapshot(name: Name): Snapshot | undefined {
    return this.#actor(name).snapshot;
  }

  /** @param snapshot undefined removes the actor; its book must be deleted, too. */
  setSnapshot(name: Name, snapshot: Snapshot | undefined): void {
    const cell = this.#actor(name);
    cell.snapshot = snapshot;
    cell.changed = true;
  }

  /** The names of the books that the session's row has, and of those in rows of their own, as they were last kept. */
  *names(): Generator<string> {
    for (const [name] of this.#actor(SESSION).recent) yield name;
    for (const key of this.#layer.keys(this.#prefix)) yield key.slice(this.#prefix.length);
  }

  /** Writes the changes to the layer. Later reads start anew. @throws InvariantViolation (SESSION-RECORDS-3) */
  keep(): void {
    this.#keepRecent();
    for (const cell of this.#actors.values()) {
      if (cell.changed) this.#put(cell.key, rowOf(cell));
      cell.changed = false;
    }
    for (const { key, value, changed } of this.#books.values()) if (changed) this.#put(key, value);
    this.#actors.clear();
    this.#books.clear();
  }

  /** Moves what was written last to the end, and what is too many from the beginning into rows (SESSION-RECORDS-4). */
  #keepRecent(): void {
    const written = [...this.#books].filter(([, { isRecent, changed }]) => isRecent && changed);
    if (written.length === 0) return;
    const session = this.#actor(SESSION);
    const recent = new Map(session.recent);
    for (const [name, cell] of written) {
      recent.delete(name);
      if (cell.value !== undefined) recent.set(name, cell.value);
      cell.changed = false;
    }
    const books = [...recent];
    const tooMany = Math.max(0, books.length - RECENT_MAX);
    for (const [name, value] of books.slice(0, tooMany)) this.#put(this.#prefix + name, value);
    session.recent = books.slice(tooMany);
    session.changed = true;
  }

  #put(key: string, value: unknown): void {
    if (value === undefined) this.#layer.delete(key);
    else this.#layer.set(key, value);
  }

  #read(key: string): Cell {
    const actor = actorOf(key);
    const cell = actor === undefined ? this.#book(key) : this.#actor(actor);
    this.#books.set(key, cell);
    return cell;
  }

  #book(name: string): Cell {
    const key = this.#prefix + name;
    const found = RECENT.test(name) && this.#actor(SESSION).recent.find(([each]) => each === name);
    if (found) return { key, value: found[1], changed: false, isRecent: true };
    const value = this.#layer.get(key);
    return { key, value, changed: false, isRecent: value === undefined && RECENT.test(name) };
  }

  #actor(name: Name): ActorCell {
    const known = this.#actors.get(name);
    if (known) return known;
    const address = (name === SESSION ? this.#session : `${this.#session}/${name}`) as Address;
    const key = keys.actor(address);
    // Actor rows are written below, and decoded as such (actor-rows).
    const before = this.#layer.get(key) as ActorRow | undefined;
    const { book: value, snapshot, recent = [] } = before ?? {};
    const cell = { key, value, changed: false, snapshot, recent, before };
    this.#actors.set(name, cell);
    return cell;
  }
}

function rowOf({ key, value: book, snapshot, recent, before }: ActorCell): ActorRow | undefined {
  if (snapshot)
    return { snapshot, book, recent: recent.length > 0 ? recent : undefined, changes: before?.changes };
  if (book !== undefined || recent.length > 0) throw bookAlone(key);
  return undefined;
}

const bookAlone = (key: string): InvariantViolation =>
  new InvariantViolation(
    "BOOK_ALONE",
    `${key} was booked, but there is no such actor.`,
    "Report this as a defect.",
  );
