// Spares
// What an owner knows of the spares that ask it whether it is running.
//
//   Owns:          which spares are present, which have asked the owner before, which have stopped because of a differing
//                  history; how far the journal may be trimmed.
//   Does not own:  what a spare asks (standing), answering a spare (engine/mandate).
//
// CLUSTER-SPARES-1. A spare counts as present for two seconds after it last asked the owner.
// CLUSTER-SPARES-2. The owner reports a spare whose history differs as a trouble, until a spare at the same address asks again.
//     Only a new spare can ask again, because the store of the stopped spare is never opened again.
// CLUSTER-SPARES-3. An owner remembers only 16 spares, by their addresses: those that asked most recently.
// CLUSTER-SPARES-4. The owner trims only entries whose results a present spare has stored. So if the disk of one of the two is
//     lost, the journal and the other disk can still restore every state. While no spare is present, no entry is trimmed, and
//     the operator is told.

import type { Trouble } from "../errors/trouble.ts";
import type { Asked } from "./standing.ts";

/** A spare that has not asked for this long, ms, counts as gone. A running spare asks four times in this time. */
const THERE_MS = 2_000;
const SPARES_MAX = 16;

interface Heard {
  /** When the spare last asked, ms. */
  readonly at: number;
  readonly differs: boolean;
  /**
   * The last entry that is durable in the spare's store, and up to which its history was compared with the owner's
   * (AGREEMENT-6).
   */
  readonly holds: number;
}

export class Spares {
  readonly #heard = new Map<string, Heard>();
  /** Since when entries that could be trimmed are kept only because no spare has them yet, ms. */
  #keptSince: number | undefined;

  /** Notes what a spare asked. @param now the present time, by the machine's clock, ms. */
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

  /** The addresses of the spares that run now and could take over. */
  present(now: number): readonly string[] {
    return this.#present(now).map(([node]) => node);
  }

  #present(now: number): readonly (readonly [string, Heard])[] {
    return [...this.#heard].filter(([, { at, differs }]) => !differs && now - at < THERE_MS);
  }

  /** CLUSTER-SPARES-4. @returns the last entry that may be trimmed, at most `position`. */
  trimTo(position: number, now: number): number {
    const held = Math.max(0, ...this.#present(now).map(([, { holds }]) => holds));
    this.#keptSince = held < position ? (this.#keptSince ?? now) : undefined;
    return Math.min(position, held);
  }

  troubles(now: number): readonly Trouble[] {
    return [...this.#differing(), ...this.#keeping(now)];
  }

  #keeping(now: number): readonly Trouble[] {
    const since = this.#keptSince;
    if (since === undefined || this.present(now).length > 0) return [];
    const message = "No spare is running, so the journal keeps its old entries for one.";
    const next =
      "Start a spare with `npx signalbox up --follow FILE`. If you want no spare any more, start this engine without --follow.";
    return [{ code: "NO_SPARE_HOLDS", message, next, since, isEssential: false }];
  }

  #differing(): readonly Trouble[] {
    const since = [...this.#heard.values()].find(({ differs }) => differs)?.at;
    if (since === undefined) return [];
    const message =
      "A spare has stopped, because it got another result for a journal entry than this engine.";
    const next =
      "The spare's log names the entry. Run `npx signalbox verify` on both machines: it says which of the two is right.";
    return [{ code: "SPARE_DIFFERS", message, next, since, isEssential: false }];
  }
}
