// Session records
// The rows of one session as one input finds them and leaves them: books for its machines, snapshots for their host.
//
//   Owns:          which book stands in which row; reading a row once, writing it once.
//   Does not own:  the shapes (machines/books), the layers below (overlay), index rows and deadlines (listing, alarms).
//
// I-38. No key reaches another session's rows: the session's address is put in front of every one.
// V4. However often a row is looked at and changed, it is read once from below, and written once, by `keep`. Nobody else
//     writes these rows in between: the records live within one delivery, which nothing interrupts.
// V5. What is dropped without `keep` has changed nothing: an attempt that throws leaves no book behind.
// V6. No book of an actor is kept without the actor.

import { type Address, APPROVAL_BOOKS, CALL_BOOKS, HEAD_BOOK, type Records } from "../machines/index.ts";
import { actorRow, type ActorRow } from "./actor-rows.ts";
import type { Snapshot } from "./actors.ts";
import { InvariantViolation } from "./errors.ts";
import { keys } from "./keys.ts";
import type { Layer } from "./overlay.ts";

/** An actor by its address within the session: `call/<id>`; the session itself is the empty name. */
export type Name = string;
export const SESSION: Name = "";

/** The actor whose row a book stands in; undefined for a book that has a row of its own. */
function actorOf(key: string): Name | undefined {
  if (key === HEAD_BOOK) return SESSION;
  return key.startsWith(CALL_BOOKS) || key.startsWith(APPROVAL_BOOKS) ? key : undefined;
}

/** The book that stands in an actor's row; undefined for an actor whose book has a row of its own: a request. */
function bookOf(name: Name): string | undefined {
  const key = name === SESSION ? HEAD_BOOK : name;
  return actorOf(key) === undefined ? undefined : key;
}

/** A book as it is now, and whether that is what the layer has. */
interface Cell {
  value: unknown;
  changed: boolean;
}

export class SessionRecords implements Records {
  readonly #layer: Layer;
  readonly #session: Address;
  /** Actors as the layer has them. */
  readonly #rows = new Map<Name, ActorRow | undefined>();
  readonly #books = new Map<string, Cell>();
  /** Actors that have moved; without a snapshot, gone. */
  readonly #moved = new Map<Name, { readonly snapshot: Snapshot | undefined }>();

  constructor(layer: Layer, session: Address) {
    this.#layer = layer;
    this.#session = session;
  }

  get(key: string): unknown {
    return (this.#books.get(key) ?? this.#read(key)).value;
  }

  set(key: string, value: unknown): void {
    const cell = this.#books.get(key);
    if (!cell) this.#books.set(key, { value, changed: true });
    else if (cell.value !== value) {
      cell.value = value;
      cell.changed = true;
    }
  }

  delete(key: string): void {
    this.set(key, undefined);
  }

  snapshot(name: Name): Snapshot | undefined {
    return (this.#moved.get(name) ?? this.#row(name))?.snapshot;
  }

  setSnapshot(name: Name, snapshot: Snapshot): void {
    this.#moved.set(name, { snapshot });
  }

  /** Takes an actor away; its book has to be deleted, too. */
  removeSnapshot(name: Name): void {
    this.#moved.set(name, { snapshot: undefined });
  }

  /** Writes what has changed to the layer. What is asked for afterwards is read anew. @throws InvariantViolation (V6) */
  keep(): void {
    const actors = new Set(this.#moved.keys());
    for (const [key, { value, changed }] of this.#books) {
      if (!changed) continue;
      const actor = actorOf(key);
      if (actor === undefined) this.#put(keys.books(this.#session) + key, value);
      else actors.add(actor);
    }
    for (const name of actors) this.#keepActor(name);
    this.#rows.clear();
    this.#books.clear();
    this.#moved.clear();
  }

  #keepActor(name: Name): void {
    const before = this.#row(name);
    const snapshot = this.snapshot(name);
    const key = bookOf(name);
    const book = key === undefined ? undefined : this.get(key);
    const address = this.#address(name);
    if (snapshot) {
      const changes = before?.changes;
      this.#put(keys.actor(address), { snapshot, book, changes } satisfies ActorRow);
    } else if (book !== undefined) throw bookAlone(address);
    else if (before) this.#put(keys.actor(address), undefined);
  }

  #put(key: string, value: unknown): void {
    if (value === undefined) this.#layer.delete(key);
    else this.#layer.set(key, value);
  }

  #read(key: string): Cell {
    const actor = actorOf(key);
    const value =
      actor === undefined ? this.#layer.get(keys.books(this.#session) + key) : this.#row(actor)?.book;
    const cell = { value, changed: false };
    this.#books.set(key, cell);
    return cell;
  }

  #row(name: Name): ActorRow | undefined {
    const known = this.#rows.get(name);
    if (known !== undefined || this.#rows.has(name)) return known;
    const row = actorRow(this.#layer, this.#address(name));
    this.#rows.set(name, row);
    return row;
  }

  #address(name: Name): Address {
    return (name === SESSION ? this.#session : `${this.#session}/${name}`) as Address;
  }
}

const bookAlone = (address: Address): InvariantViolation =>
  new InvariantViolation(
    "BOOK_ALONE",
    `${address} was booked, but there is no such actor.`,
    "Report this as a defect.",
  );
