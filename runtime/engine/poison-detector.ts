// Poison detector
// Finding the entry that ends the process each time it is applied.
//
//   Owns:          counting the processes that died at one cursor; applying what follows it one entry at a time.
//   Does not own:  what becomes of the entry that is found (poison), restarting (whoever started this process).
//   Decided in:    docs/decisions/0030-poison.md.
//
// G9. No entry ends every process there will ever be: after two that died at one cursor, each entry within reach is
//     named on disk for as long as its turn runs. The one that was named at three deaths in a row is poison.
// G1. One that was named when its process was killed from outside is not: it has to be named again and again, and the
//     first start that applies it clears it, as does one that dies before it comes to it.
// POISON-DETECTOR-1. Progress, a clean stop and ten seconds of life clear the count: what dies idle dies of nothing it
//     applies. A commit that fails names nobody: the name is gone before it.

import type { Committer } from "./commit.ts";
import { keys } from "../rows/keys.ts";
import type { Clock, Store } from "../ports.ts";

// Six processes die of an entry at most, if the first of them had lived: a supervisor must start more than that.
const DEATHS_MAX = 2;
const NAMED_MAX = 3;
/** A process that lives as long died of nothing it found at its start. */
const CALM_MS = 10_000;

/** Where a process started, and how many had died there before. */
interface Starts {
  readonly position: number;
  readonly deaths: number;
}

/** The entry whose turn was under way, and at how many deaths in a row it was. */
interface Suspect {
  readonly position: number;
  readonly times: number;
}

export interface Started {
  readonly store: Store;
  readonly committer: Committer;
  readonly groupMax: number;
  /** The cursor. */
  readonly position: number;
  /** False where the journal is another one than that of the last start. */
  readonly isSame: boolean;
}

export class PoisonDetector {
  /** The position of the entry that must not be applied. */
  readonly poison: number | undefined;
  readonly #store: Store;
  readonly #committer: Committer;
  #cancel: (() => void) | undefined;
  /** Named at the last death. */
  readonly #suspect: Suspect | undefined;
  /** The last entry in doubt. */
  readonly #until: number;

  /** Notes the start in the open group: nothing may be applied before that is durable. */
  constructor({ store, committer, groupMax, position, isSame }: Started) {
    this.#store = store;
    this.#committer = committer;
    const { group } = committer;
    // Both rows are written here only.
    const before = group.get(keys.starts) as Starts | undefined;
    const deaths = before === undefined ? 0 : before.position === position ? before.deaths + 1 : 1;
    group.set(keys.starts, { position, deaths } satisfies Starts);
    const suspect = suspectIn(group.get(keys.trying) as Suspect | number | undefined);
    if (isSame && suspect !== undefined && suspect.position > position) this.#suspect = suspect;
    if (this.#suspect && this.#suspect.times >= NAMED_MAX) this.poison = this.#suspect.position;
    // Named at this death only where it is named anew; poison stays named until it is set aside.
    else if (suspect !== undefined) group.delete(keys.trying);
    const inDoubt = isSame && (this.#suspect !== undefined || deaths >= DEATHS_MAX);
    // One group is in flight and one is open when a process dies.
    this.#until = inDoubt ? position + 2 * groupMax : 0;
  }

  isInDoubt(position: number): boolean {
    return position <= this.#until;
  }

  /**
   * Applies an entry alone: what came before it is durable, and it is named for as long as `step` runs.
   * @throws FatalError as commits do, and whatever `step` throws.
   */
  async alone(position: number, step: () => void): Promise<void> {
    await this.#committer.land();
    const times = this.#suspect?.position === position ? this.#suspect.times + 1 : 1;
    const suspect: Suspect = { position, times };
    await this.#store.commit([{ put: keys.trying, value: JSON.stringify(suspect) }]);
    try {
      step();
    } finally {
      // Sent before the entry's own commit can be, which may fail.
      await this.#store.commit([{ del: keys.trying }]);
    }
  }

  /** Counts the process as one that did not die at its start, once it has lived long enough. @param send the group off. */
  calmDown(clock: Clock, send: () => void): void {
    this.#cancel = clock.after(CALM_MS, () => {
      this.clear();
      send();
    });
  }

  /** Waits for nothing any more. */
  stop(): void {
    this.#cancel?.();
  }

  /** Nobody died: a clean stop, or life goes on. */
  clear(): void {
    const { group } = this.#committer;
    if (group.get(keys.starts) !== undefined) group.delete(keys.starts);
  }
}

/** Version 0.1.0 kept the position alone. */
const suspectIn = (row: Suspect | number | undefined): Suspect | undefined =>
  typeof row === "number" ? { position: row, times: 1 } : row;
