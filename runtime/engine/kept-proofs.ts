// Kept proofs
// Finds the proof that each entry left in a store, entry after entry.
//
//   Owns:          where a proof stands: with the turn's changes, or in the row of those that changed nothing.
//   Does not own:  what a proof is about (turn/proof), comparing (verify).
//
// KEPT-PROOFS-1. Entries are asked for in order, so the log of changes is read once, some rows at a time.
// G9. A row that cannot be read hides the proofs in it only.

import type { Store } from "../ports.ts";
import { after, keys } from "../rows/keys.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";
import { type Proof, proofFrom, proofIn, proofKey, type ProofRow } from "../turn/proof.ts";

const ROWS_AT_ONCE = 256;

/** What a row of changes says: whose turn it is of, and its proof. */
interface Placed {
  readonly turn: number;
  readonly proof: Proof | undefined;
}

export class KeptProofs {
  readonly #found: Pick<Store, "get" | "range">;
  readonly #withChanges: Iterator<Placed, undefined>;
  #next: Placed | undefined;
  #quiet: { readonly key: string; readonly row: ProofRow | undefined } | undefined;

  constructor(found: Pick<Store, "get" | "range">) {
    this.#found = found;
    this.#withChanges = this.#changes();
    this.#next = this.#take();
  }

  /** @param position greater than that of the call before. @returns undefined if the entry left none. */
  of(position: number): Proof | undefined {
    while (this.#next && this.#next.turn < position) this.#next = this.#take();
    return this.#next?.turn === position ? this.#next.proof : this.#ofQuiet(position);
  }

  #take(): Placed | undefined {
    return this.#withChanges.next().value;
  }

  *#changes(): Generator<Placed, undefined> {
    for (let from: string = keys.changes; ;) {
      const rows = [...this.#found.range({ gte: from, lt: after(keys.changes), limit: ROWS_AT_ONCE })];
      for (const [, text] of rows) {
        const placed = placedIn(text);
        if (placed) yield placed;
      }
      const last = rows.at(-1);
      if (!last) return undefined;
      // The space is the first character allowed in a key: no key lies between a key and this one.
      from = `${last[0]} `;
    }
  }

  #ofQuiet(position: number): Proof | undefined {
    const key = proofKey(position);
    if (this.#quiet?.key !== key) {
      const text = this.#found.get(key);
      // Only the turn writes these rows.
      this.#quiet = { key, row: text === undefined ? undefined : (JSON.parse(text) as ProofRow) };
    }
    return proofIn(this.#quiet.row, position);
  }
}

function placedIn(text: string): Placed | undefined {
  try {
    const { changes, proof } = decodeTurnChanges(text);
    const [first] = changes;
    return first && { turn: first.turn, proof: proofFrom(proof) };
  } catch {
    return undefined;
  }
}
