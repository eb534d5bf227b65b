// Poison detector
// Finds the journal entry that crashes the engine whenever it is applied.
//
//   Owns:          counting the crashes at one cursor; applying what follows that cursor one entry at a time.
//   Does not own:  setting the entry aside (poison), restarting (the parent process).
//   Decided in:    docs/decisions/0030-poison.md.
//
// G9. No entry crashes the engine for ever: after two crashes at one cursor, each of the next entries is named on disk
//     while its turn runs. An entry that was named at three crashes in a row is poison.
// G1. An entry is not poison if it was named only because its process was killed from outside. The first start that applies the
//     entry, or that crashes before it comes to the entry, clears the entry's count.
// POISON-DETECTOR-1. Progress, a clean stop and ten seconds of life clear the count: a process that crashes while idle
//     does not crash from what it applies. A failed commit names no entry, because the name is removed before the commit.

import type { Committer } from "./commit.ts";
import { keys } from "../rows/keys.ts";
import type { Clock, Store } from "../ports.ts";

// An entry crashes at most six processes, if the first of them had lived ten seconds. So a supervisor must start more than six.
const DEATHS_MAX = 2;
const NAMED_MAX = 3;
/** If a process has lived this long, an entry that it found at its start is not the cause of a crash. */
const CALM_MS = 10_000;

/** The cursor at which a process started, and how many processes crashed there before. */
interface Starts {
  readonly position: number;
  readonly deaths: number;
}

/** The entry whose turn was under way at a crash, and at how many crashes in a row. */
interface Suspect {
  readonly position: number;
  readonly times: number;
}

export interface Started {
  readonly store: Store;
  readonly committer: Committer;
  readonly groupMax: number;
  /** The position up to which the store has applied the journal. */
  readonly position: number;
  /** False if the journal is another one than at the last start. */
  readonly isSame: boolean;
}

export class PoisonDetector {
  /** The position of the entry that must not be applied. */
  readonly poison: number | undefined;
  readonly #store: Store;
  readonly #committer: Committer;
  #cancel: (() => void) | undefined;
  /** The entry that was named at the last crash. */
  readonly #suspect: Suspect | undefined;
  /** The position of the last entry in doubt. */
  readonly #until: number;

  /** Notes the start in the open group. No entry may be applied before that note is durable. */
  constructor({ store, committer, groupMax, position, isSame }: Started) {
    this.#store = store;
    this.#committer = committer;
    const { group } = committer;
    // The casts are safe: only this file writes these two rows.
    const before = group.get(keys.starts) as Starts | undefined;
    const deaths = before === undefined ? 0 : before.position === position ? before.deaths + 1 : 1;
    group.set(keys.starts, { position, deaths } satisfies Starts);
    const suspect = suspectIn(group.get(keys.trying) as Suspect | number | undefined);
    if (isSame && suspect !== undefined && suspect.position > position) this.#suspect = suspect;
    if (this.#suspect && this.#suspect.times >= NAMED_MAX) this.poison = this.#suspect.position;
    // The row of a suspect is deleted, so a suspect counts for one crash unless it is named again. The row of a poison entry
    // stays until the entry is set aside.
    else if (suspect !== undefined) group.delete(keys.trying);
    const inDoubt = isSame && (this.#suspect !== undefined || deaths >= DEATHS_MAX);
    // When a process crashes, one group of entries is being written and one is being filled: both are in doubt.
    this.#until = inDoubt ? position + 2 * groupMax : 0;
  }

  isInDoubt(position: number): boolean {
    return position <= this.#until;
  }

  /**
   * Applies an entry alone: all entries before it are durable, and it is named while `step` runs.
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
      // The suspect's row is deleted before the entry itself is committed, because that commit may fail.
      await this.#store.commit([{ del: keys.trying }]);
    }
  }

  /** Clears the count once the process has lived long enough. @param send commits the open group. */
  calmDown(clock: Clock, send: () => void): void {
    this.#cancel = clock.after(CALM_MS, () => {
      this.clear();
      send();
    });
  }

  /** Cancels the wait of `calmDown`. */
  stop(): void {
    this.#cancel?.();
  }

  /** Clears the count, after a clean stop or a long enough life. */
  clear(): void {
    const { group } = this.#committer;
    if (group.get(keys.starts) !== undefined) group.delete(keys.starts);
  }
}

/** Version 0.1.0 stored the position alone. */
const suspectIn = (row: Suspect | number | undefined): Suspect | undefined =>
  typeof row === "number" ? { position: row, times: 1 } : row;
