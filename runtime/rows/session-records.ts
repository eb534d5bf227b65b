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

import { type Address, APPROVAL_BOOKS, CALL_BOOKS, HEAD_BOOK, type Records } from "../../machines/index.ts";
import type { ActorRow } from "./actor-rows.ts";
import type { Snapshot } from "./actors.ts";
import { InvariantViolation } from "../errors.ts";
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

/** A row as it is now, and whether it differs from the layer's. */
interface Cell {
  readonly key: string;
  value: unknown;
  changed: boolean;
}

/** An actor's row: its value is the book. */
interface ActorCell extends Cell {
  snapshot: Snapshot | undefined;
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
    const cell = this.#books.get(key) ?? (actorOf(key) === undefined ? undefined : this.#read(key));
    // A row that is only written is never read.
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

  /** Writes the changes to the layer. Later reads start anew. @throws InvariantViolation (SESSION-RECORDS-3) */
  keep(): void {
    for (const cell of this.#actors.values()) {
      if (cell.changed) this.#put(cell.key, rowOf(cell));
      cell.changed = false;
    }
    for (const { key, value, changed } of this.#books.values()) if (changed) this.#put(key, value);
    this.#actors.clear();
    this.#books.clear();
  }

  #put(key: string, value: unknown): void {
    if (value === undefined) this.#layer.delete(key);
    else this.#layer.set(key, value);
  }

  #read(key: string): Cell {
    const actor = actorOf(key);
    const cell = actor === undefined ? this.#row(this.#prefix + key) : this.#actor(actor);
    this.#books.set(key, cell);
    return cell;
  }

  #row(key: string): Cell {
    return { key, value: this.#layer.get(key), changed: false };
  }

  #actor(name: Name): ActorCell {
    const known = this.#actors.get(name);
    if (known) return known;
    const address = (name === SESSION ? this.#session : `${this.#session}/${name}`) as Address;
    const key = keys.actor(address);
    // Actor rows are written below, and decoded as such (actor-rows).
    const before = this.#layer.get(key) as ActorRow | undefined;
    const cell = { key, value: before?.book, changed: false, snapshot: before?.snapshot, before };
    this.#actors.set(name, cell);
    return cell;
  }
}

function rowOf({ key, value: book, snapshot, before }: ActorCell): ActorRow | undefined {
  if (snapshot) return { snapshot, book, changes: before?.changes };
  if (book !== undefined) throw bookAlone(key);
  return undefined;
}

const bookAlone = (key: string): InvariantViolation =>
  new InvariantViolation(
    "BOOK_ALONE",
    `${key} was booked, but there is no such actor.`,
    "Report this as a defect.",
  );
