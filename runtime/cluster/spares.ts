// Spares
// What an owner knows of the spares that ask it.
//
//   Owns:          which spares are present, whether one ever asked, which ones stopped because their history differs, how far
//                  the journal may be trimmed.
//   Does not own:  what a spare asks (standing), answering (engine/mandate).
//
// CLUSTER-SPARES-1. A spare counts as present for two seconds after it asked.
// CLUSTER-SPARES-2. A spare whose history differs is a trouble until a spare at its address asks again. That must be a new
//     spare, because the store of the stopped one is never opened again.
// CLUSTER-SPARES-3. An owner remembers only 16 spares, by their addresses: those that asked it most recently (`Asked`).
// CLUSTER-SPARES-4. The owner trims only entries whose results a present spare holds. So the loss of one disk never loses a state
//     that the journal cannot make again. While there is no spare, nothing is trimmed, and the operator is told.

import type { Trouble } from "../errors/trouble.ts";
import type { Asked } from "./standing.ts";

/** A running spare asks four times within this time. */
const THERE_MS = 2_000;
const SPARES_MAX = 16;

interface Heard {
  /** ms */
  readonly at: number;
  readonly differs: boolean;
  /** The last entry whose state the spare holds (AGREEMENT-6). */
  readonly holds: number;
}

export class Spares {
  readonly #heard = new Map<string, Heard>();
  /** Since when entries are kept only because no spare holds them, ms. */
  #keptSince: number | undefined;

  /** @param now the present time, by the machine's clock, ms. */
  hear({ node, differs, holds = 0 }: Asked, now: number): void {
    if (node === "") return;
    this.#heard.delete(node);
    this.#heard.set(node, { at: now, differs: differs !== undefined, holds });
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > SPARES_MAX && oldest !== undefined) this.#heard.delete(oldest);
  }

  /** True once a spare has asked. */
  get isAsked(): boolean {
    return this.#heard.size > 0;
  }

  /** The addresses of the spares that are present and could take over. */
  present(now: number): readonly string[] {
    return this.#present(now).map(([node]) => node);
  }

  #present(now: number): readonly (readonly [string, Heard])[] {
    return [...this.#heard].filter(([, { at, differs }]) => !differs && now - at < THERE_MS);
  }

  /**
   * Limits a trimming to what a spare holds (CLUSTER-SPARES-4). @returns how far the journal may be trimmed, at most to
   * `position`.
   */
  trimTo(position: number, now: number): number {
    const held = Math.max(0, ...this.#present(now).map(([, { holds }]) => holds));
    this.#keptSince = held < position ? (this.#keptSince ?? now) : undefined;
    return Math.min(position, held);
  }

  troubles(now: number): readonly Trouble[] {
    return [...this.#differing(), ...this.#keeping(now)];
  }

  /** The trouble while entries are kept because no spare holds them (CLUSTER-SPARES-4). */
  #keeping(now: number): readonly Trouble[] {
    const since = this.#keptSince;
    if (since === undefined || this.present(now).length > 0) return [];
    const message = "The journal keeps its old entries, because no spare holds their results.";
    const next =
      "Start a spare with `npx signalbox up --follow FILE`. If you want no spare any more, start this engine without --follow.";
    return [{ code: "NO_SPARE_HOLDS", message, next, since, isEssential: false }];
  }

  /** The trouble while a spare's history differs from this engine's (CLUSTER-SPARES-2). */
  #differing(): readonly Trouble[] {
    const since = [...this.#heard.values()].find(({ differs }) => differs)?.at;
    if (since === undefined) return [];
    const message = "A spare has stopped: an entry of the journal had another result there than here.";
    const next =
      "Its log names the entry. `npx signalbox verify` says on both machines which of them is right.";
    return [{ code: "SPARE_DIFFERS", message, next, since, isEssential: false }];
  }
}
