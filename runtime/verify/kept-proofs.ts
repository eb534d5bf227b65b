// Kept proofs
// Finds, entry after entry, the proof (a digest of the entry's result) that the engine stored when it applied the entry.
//
//   Owns:          where a proof is: with the turn's changes, or in the row of entries that changed nothing.
//   Does not own:  what a proof covers (turn/proof), comparing proofs (verify).
//
// KEPT-PROOFS-1. The replay looks up proofs in the order of entries, so the change log is read only once, some rows at a time.
// G9. If a row is unreadable, only the proofs in this row are missing.

import { jsonIn } from "../../machines/json.ts";
import { after, keys } from "../rows/keys.ts";
import { rowsBetween, type StoredRows } from "../rows/row-pages.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";
import { type Proof, proofFrom, proofIn, proofKey, type ProofRow } from "../turn/proof.ts";

interface Placed {
  readonly turn: number;
  readonly proof: Proof | undefined;
}

export class KeptProofs {
  readonly #found: StoredRows;
  readonly #withChanges: Iterator<Placed, undefined>;
  #next: Placed | undefined;
  #quiet: { readonly key: string; readonly row: ProofRow | undefined } | undefined;

  constructor(found: StoredRows) {
    this.#found = found;
    this.#withChanges = this.#changes();
    this.#next = this.#take();
  }

  /** @param position must increase from call to call. @returns undefined if the entry left no proof. */
  of(position: number): Proof | undefined {
    while (this.#next && this.#next.turn < position) this.#next = this.#take();
    return this.#next?.turn === position ? this.#next.proof : this.#ofQuiet(position);
  }

  #take(): Placed | undefined {
    return this.#withChanges.next().value;
  }

  *#changes(): Generator<Placed, undefined> {
    for (const [, text] of rowsBetween(this.#found, keys.changes, after(keys.changes))) {
      const placed = placedIn(text);
      if (placed) yield placed;
    }
    return undefined;
  }

  #ofQuiet(position: number): Proof | undefined {
    const key = proofKey(position);
    if (this.#quiet?.key !== key) {
      this.#quiet = { key, row: quietIn(this.#found.get(key)) };
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

function quietIn(text: string | undefined): ProofRow | undefined {
  const row = jsonIn(text) as Partial<ProofRow> | null | undefined;
  // Only turns write rows of proofs, so a row that does not have this form is damaged, and its proofs are lost.
  return typeof row?.first === "number" && Array.isArray(row.of) ? (row as ProofRow) : undefined;
}
