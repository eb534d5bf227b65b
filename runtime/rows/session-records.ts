// Session records
// Reads and writes the rows of one session while one input is applied: the books for the machines, the snapshots for the runtime.
//
//   Owns:          which book is in which row; reading and writing each row only once.
//   Does not own:  the shapes of books (machines/books), the layers of rows (overlay), index rows and deadlines (listing,
//                  alarms).
//   Decided in:    docs/decisions/0072-pages-by-book-and-id.md.
//
// I-38. Through a session's records no row of another session can be read or written, because every key begins with the session's
//     address.
// SESSION-RECORDS-1. However often the machines read and change a row, it is read once from the layer below, and written once, by
//     `keep`. Nothing else writes the rows of the session meanwhile, because the records exist only for one delivery, which
//     nothing interrupts.
// SESSION-RECORDS-2. If `keep` is not called, no row changes. So an attempt that throws leaves no changed book.
// SESSION-RECORDS-3. The book of an actor is never stored without the actor.
// SESSION-RECORDS-4. Some books are changed by nearly every message about a call. Such a book is first stored in the session's
//     row, which each of these messages writes anyway. It moves into its own row when enough other books were written after it,
//     and never moves back. So a book is always in exactly one row, and costs no more writes of rows than if it always had a row
//     of its own.

import { type Address, APPROVAL_BOOKS, CALL_BOOKS, HEAD_BOOK, type Records } from "../../machines/index.ts";
import type { ActorRow, RecentBook } from "./actors/actor-rows.ts";
import type { Snapshot } from "./actors/actors.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { keys } from "./keys.ts";
import type { Layer } from "./overlay.ts";

/** An actor's address within its session, such as `call/<id>`. The empty name means the session itself. */
export type Name = string;
export const SESSION: Name = "";

/** A page is the part of a book that has one id, such as the page of one call in the book of calls. */
export type Page = readonly [book: string, id: string];

/** The actor whose row contains a page of a book; undefined for a page in a row of its own. */
function actorOf(book: string, id: string): Name | undefined {
  if (book === HEAD_BOOK) return SESSION;
  return book === CALL_BOOKS || book === APPROVAL_BOOKS ? `${book}/${id}` : undefined;
}

/** The books that nearly every message about a call changes (SESSION-RECORDS-4). */
const RECENT: ReadonlySet<string> = new Set(["request", "batch", "queue", "nameless"]);
/** How many pages of books the session's row contains at most: as many as one call and its request have. */
const RECENT_MAX = 4;
/** Books whose pages are, or may be, stored in the row of an actor instead of in rows of their own. */
const IN_OTHERS: ReadonlySet<string> = new Set([...RECENT, HEAD_BOOK, CALL_BOOKS, APPROVAL_BOOKS]);

/** The present value of a row, or of a page in the session's row; `changed` if the layer still has another value. */
interface Cell {
  readonly key: string;
  value: unknown;
  changed: boolean;
  /** The name of the page in the session's row, if the page is in that row, or will be written there. */
  readonly recent?: string;
}

interface ActorCell extends Cell {
  snapshot: Snapshot | undefined;
  pages: readonly RecentBook[];
  readonly before: ActorRow | undefined;
}

export class SessionRecords implements Records {
  readonly #layer: Layer;
  readonly #session: Address;
  readonly #prefix: string;
  readonly #actors = new Map<Name, ActorCell>();
  /** The cells of pages, by book and id. The cell of a page in an actor's row is the actor's cell. */
  readonly #books = new Map<string, Map<string, Cell>>();
  #looked: Cell[] = [];

  constructor(layer: Layer, session: Address) {
    this.#layer = layer;
    this.#session = session;
    this.#prefix = keys.books(session);
  }

  get(book: string, id: string): unknown {
    return (this.#books.get(book)?.get(id) ?? this.#read(book, id)).value;
  }

  set(book: string, id: string, value: unknown): void {
    const cell = this.#books.get(book)?.get(id) ?? (IN_OTHERS.has(book) ? this.#read(book, id) : undefined);
    // A page of a book in `IN_OTHERS` is read first, because it may be in the row of an actor. Any other page has a row of its
    // own, which can be overwritten without being read.
    if (!cell) this.#enter(book, id, { key: `${this.#prefix}${book}/${id}`, value, changed: true });
    else if (cell.value !== value) {
      cell.value = value;
      cell.changed = true;
    }
  }

  delete(book: string, id: string): void {
    this.set(book, id, undefined);
  }

  snapshot(name: Name): Snapshot | undefined {
    return this.#actor(name).snapshot;
  }

  /** @param snapshot undefined to remove the actor. The caller must then also delete the actor's book. */
  setSnapshot(name: Name, snapshot: Snapshot | undefined): void {
    const cell = this.#actor(name);
    cell.snapshot = snapshot;
    cell.changed = true;
  }

  /** The pages in the session's row and in their own rows, as `keep` last wrote them. */
  *pages(): Generator<Page> {
    for (const [name] of this.#actor(SESSION).pages) yield partsOf(name);
    for (const key of this.#layer.keys(this.#prefix)) yield partsOf(key.slice(this.#prefix.length));
  }

  /**
   * Writes all changes to the layer. After that, reads come from the layer again.
   * @throws InvariantViolation (SESSION-RECORDS-3)
   */
  keep(): void {
    this.#keepRecent();
    for (const cell of this.#actors.values()) {
      if (cell.changed) this.#put(cell.key, rowOf(cell));
      cell.changed = false;
    }
    for (const { key, value, changed } of this.#looked) if (changed) this.#put(key, value);
    this.#actors.clear();
    this.#books.clear();
    this.#looked = [];
  }

  #keepRecent(): void {
    const written = this.#looked.filter(({ recent, changed }) => changed && recent !== undefined);
    if (written.length === 0) return;
    const session = this.#actor(SESSION);
    const recent = new Map(session.pages);
    for (const cell of written) {
      const { recent: name = "", value } = cell;
      recent.delete(name);
      if (value !== undefined) recent.set(name, value);
      cell.changed = false;
    }
    const pages = [...recent];
    const tooMany = Math.max(0, pages.length - RECENT_MAX);
    for (const [name, value] of pages.slice(0, tooMany)) this.#put(this.#prefix + name, value);
    session.pages = pages.slice(tooMany);
    session.changed = true;
  }

  #put(key: string, value: unknown): void {
    if (value === undefined) this.#layer.delete(key);
    else this.#layer.set(key, value);
  }

  #read(book: string, id: string): Cell {
    const actor = actorOf(book, id);
    return this.#enter(book, id, actor === undefined ? this.#page(book, id) : this.#actor(actor));
  }

  #enter(book: string, id: string, cell: Cell): Cell {
    const pages = this.#books.get(book);
    if (pages) pages.set(id, cell);
    else this.#books.set(book, new Map([[id, cell]]));
    this.#looked.push(cell);
    return cell;
  }

  #page(book: string, id: string): Cell {
    const name = `${book}/${id}`;
    const key = this.#prefix + name;
    if (!RECENT.has(book)) return { key, value: this.#layer.get(key), changed: false };
    const found = this.#actor(SESSION).pages.find(([each]) => each === name);
    if (found) return { key, value: found[1], changed: false, recent: name };
    const value = this.#layer.get(key);
    return { key, value, changed: false, ...(value === undefined && { recent: name }) };
  }

  #actor(name: Name): ActorCell {
    const known = this.#actors.get(name);
    if (known) return known;
    const address = (name === SESSION ? this.#session : `${this.#session}/${name}`) as Address;
    const key = keys.actor(address);
    // The cast is safe: only this class writes actor rows, and each is decoded as an actor row (actor-rows).
    const before = this.#layer.get(key) as ActorRow | undefined;
    const { book: value, snapshot, recent: pages = [] } = before ?? {};
    const cell = { key, value, changed: false, snapshot, pages, before };
    this.#actors.set(name, cell);
    return cell;
  }
}

export function partsOf(name: string): Page {
  const end = name.indexOf("/");
  return [name.slice(0, end), name.slice(end + 1)];
}

function rowOf({ key, value: book, snapshot, pages, before }: ActorCell): ActorRow | undefined {
  if (snapshot)
    return { snapshot, book, recent: pages.length > 0 ? pages : undefined, changes: before?.changes };
  if (book !== undefined || pages.length > 0) throw bookAlone(key);
  return undefined;
}

const bookAlone = (key: string): InvariantViolation =>
  new InvariantViolation(
    "BOOK_ALONE",
    `There is a book for ${key}, but no actor at that address.`,
    "Report this as a defect.",
  );
