// Kept numbers
// Finds, in the stored rows, the last number that each log (changes, audit rows, dead letters) had given before an entry was
// applied.
//
//   Owns:          finding the last number of each log, entry after entry.
//   Does not own:  giving changes their numbers (turn, verdict).
//
// KEPT-NUMBERS-1. If a replay lacks earlier entries, its changes, audit rows and dead letters still get their original numbers,
//     because rows refer to one another by these numbers.

import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";
import { rowsBetween, type StoredRows } from "../rows/row-pages.ts";

type Numbers = Pick<Meta, "changes" | "audits" | "deads">;

interface Numbered {
  readonly position: number;
  readonly first: number;
  readonly last: number;
}

export class KeptNumbers {
  readonly #changes: Log;
  readonly #audits: Log;
  readonly #deads: Log;

  /** @param all the present length of each log. */
  constructor(found: StoredRows, all: Numbers | undefined) {
    const logOf = (prefix: string, read: (text: string) => Omit<Numbered, "last">, last = 0): Log =>
      new Log(numbered(found, prefix, read), last);
    this.#changes = logOf(keys.changes, turnOf, all?.changes);
    this.#audits = logOf(keys.audits, rowOf, all?.audits);
    this.#deads = logOf(keys.deads, rowOf, all?.deads);
  }

  /** @param position must increase from call to call. */
  before(position: number): Numbers {
    return {
      changes: this.#changes.before(position),
      audits: this.#audits.before(position),
      deads: this.#deads.before(position),
    };
  }
}

class Log {
  readonly #rows: Iterator<Numbered, undefined>;
  readonly #all: number;
  #next: Numbered | undefined;
  #last: number | undefined;

  constructor(rows: Iterator<Numbered, undefined>, all: number) {
    this.#rows = rows;
    this.#all = all;
    this.#next = rows.next().value;
  }

  before(position: number): number {
    while (this.#next && this.#next.position < position) {
      this.#last = this.#next.last;
      this.#next = this.#rows.next().value;
    }
    // Computed from the first number of the entry's own row, because the row before may be lost.
    if (this.#next?.position === position) return this.#next.first - 1;
    return this.#last ?? (this.#next ? this.#next.first - 1 : this.#all);
  }
}

function* numbered(
  found: StoredRows,
  prefix: string,
  read: (text: string) => Omit<Numbered, "last">,
): Generator<Numbered, undefined> {
  let position = 0;
  for (const [key, text] of rowsBetween(found, prefix, after(prefix))) {
    const last = Number(key.slice(prefix.length));
    let first = last;
    try {
      ({ position, first } = read(text));
    } catch {
      // Of an unreadable row only the last number is known, so it gets the position of the row before.
    }
    yield { position, first, last };
  }
  return undefined;
}

function turnOf(text: string): Omit<Numbered, "last"> {
  const [first] = decodeTurnChanges(text).changes;
  if (!first) throw new Error("This row of the change log contains no change.");
  return { position: first.turn, first: first.n };
}

function rowOf(text: string): Omit<Numbered, "last"> {
  const { position, n } = JSON.parse(text) as { readonly position?: unknown; readonly n?: unknown };
  if (typeof position !== "number" || typeof n !== "number") throw new Error("The row has no number.");
  return { position, first: n };
}
