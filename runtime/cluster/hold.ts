// Hold
// Keeps a spare from getting ahead of the owner: decides up to which entry the spare may apply, and which entries it must set
// aside.
//
//   Owns:          how a spare waits for the owner; keeping the entries that the spare has read but may not apply yet.
//   Does not own:  asking the owner how far its store is, deciding that the owner is gone (spare), setting an entry aside (turn).
//   Decided in:    docs/decisions/0096-a-spare-stays-behind-the-owner.md.
//
// CLUSTER-HOLD-1. While an owner answers, a spare applies only entries whose results are durable at the owner. So an entry that
//     crashes the owner does not crash a spare.
// CLUSTER-HOLD-2. A spare sets aside each entry that the owner has set aside, and does not try to apply it.
// CLUSTER-HOLD-3. If there is no owner, the spare searches the part of the journal that it has not applied for terms before it
//     applies further entries. It sets aside the entries that these terms name as poison.

import { Bell } from "../bell.ts";
import { messageIn } from "../message.ts";
import type { Journal, JournalEntry } from "../ports.ts";
import { type Known, namedBy, type TermBegun } from "./term.ts";

type Reader = Pick<Journal, "read" | "tail">;

export class Hold {
  readonly #poison = new Set<number>();
  /** The last entry that may be applied; undefined until that is known. */
  #upTo: number | undefined;
  #owned = 0;
  readonly #allowed = new Bell();
  #onEarly: () => void = () => undefined;
  /** True once the spare has searched the rest of the journal for terms (CLUSTER-HOLD-3). */
  #hasLooked = false;

  /** Calls back each time that an entry is in the journal but may not be applied yet, because the owner has not applied it. */
  onEarly(callback: () => void): void {
    this.#onEarly = callback;
  }

  /** The last entry that may be applied; undefined until that is known. */
  get upTo(): number | undefined {
    return this.#upTo;
  }

  /**
   * The last entry that an owner reported as applied. Without an owner, the spare may apply later entries, of which nobody
   * knows whether an owner has applied them.
   */
  get owned(): number {
    return this.#owned;
  }

  /** True for an entry that is poison, so that it must not be applied. */
  isPoison(position: number): boolean {
    return this.#poison.has(position);
  }

  /**
   * Adds entries that must not be applied.
   * @param poison the positions of entries that the owner has set aside, or that a term names.
   */
  name(poison: readonly number[]): void {
    for (const position of poison) this.#poison.add(position);
  }

  /**
   * Lets this engine apply entries up to a position.
   * @param position the last entry that the owner has applied; Infinity if there is no owner.
   */
  allow(position: number): void {
    this.#upTo = position;
    if (position < Infinity) [this.#owned, this.#hasLooked] = [position, false];
    this.#allowed.ring();
  }

  /**
   * Waits until it is known how far the journal may be applied, or until aborted.
   * @returns the last entry that may be applied, at most `tail`.
   */
  async until(tail: number, signal: AbortSignal): Promise<number> {
    while (this.#upTo === undefined && !signal.aborted) await this.#allowed.wait(signal);
    return Math.min(tail, this.#upTo ?? 0);
  }

  /**
   * Reads a journal only as far as the owner has applied it.
   * @param known returns what is known of terms after the last applied entry.
   */
  reading(journal: Reader, known: () => Known): Pick<Journal, "read"> {
    let early: readonly JournalEntry[] = [];
    return {
      read: async (after, limit, signal) => {
        if (early[0]?.position !== after + 1) early = await journal.read(after, limit, signal);
        const first = early[0]?.position ?? 0;
        while ((this.#upTo ?? 0) < first && !signal.aborted) {
          this.#onEarly();
          await this.#allowed.wait(signal);
        }
        if (signal.aborted) return [];
        if (this.#upTo === Infinity && !this.#hasLooked) {
          this.#hasLooked = true;
          this.name(await namedAhead(journal, after, known(), limit, signal));
          early = await journal.read(after, limit, signal);
        }
        const allowed = early.filter(({ position }) => position <= (this.#upTo ?? 0));
        early = early.slice(allowed.length);
        return allowed;
      },
    };
  }
}

/** The entries that terms later in the journal name as poison (CLUSTER-HOLD-3). */
async function namedAhead(
  journal: Reader,
  after: number,
  known: Known,
  limit: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const terms: TermBegun[] = [];
  const tail = journal.tail();
  for (let at = after; at < tail && !signal.aborted;) {
    const entries = await journal.read(at, limit, signal);
    terms.push(...entries.flatMap(termIn));
    at = entries.at(-1)?.position ?? tail;
  }
  return namedBy(known, terms);
}

/** The term that an entry begins, whether or not it counts. */
export function termIn({ body, missingFrom }: JournalEntry): readonly TermBegun[] {
  if (missingFrom !== undefined || !body.includes("term.begun")) return [];
  const message = messageIn(body);
  return message?.door === "own" && message.said.type === "term.begun" ? [message.said] : [];
}
