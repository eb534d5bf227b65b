// Poison detector
// Finds the journal entry that crashes the engine whenever it is applied.
//
//   Owns:          counting the crashes at one cursor; after crashes, applying the entries after that cursor one at a time.
//   Does not own:  setting the entry aside (poison), restarting (the parent process).
//   Decided in:    docs/decisions/0030-poison.md.
//
// G9. No entry crashes the engine for ever. After two crashes at the same cursor, the engine writes the number of each next entry
//     to disk while the entry's turn runs. An entry whose number was on disk at three crashes in a row is poison.
// G1. An entry is not poison if its number was on disk only because the process was killed from outside. So the entry's count
//     goes back to zero as soon as a start applies the entry, or crashes before it comes to the entry.
// POISON-DETECTOR-1. The count of crashes is zero again once the cursor has moved, after a clean stop, and once a process has
//     run for ten seconds: a process that crashes later does not crash from an entry that it found at its start. A failed
//     commit counts against no entry, because the entry's number is removed from the disk before the commit.

import type { Committer } from "./commit.ts";
import { keys } from "../rows/keys.ts";
import type { Clock, Store } from "../ports.ts";

// An entry crashes at most six processes, if the first of them had run for ten seconds when the entry came. So a supervisor
// must start more than six processes before it gives up.
const DEATHS_MAX = 2;
const NAMED_MAX = 3;
/** If a process has run for this long, a later crash is not caused by an entry that the process found at its start. */
const CALM_MS = 10_000;

/** The cursor at which a process started, and how many earlier processes started at the same cursor and crashed. */
interface Starts {
  readonly position: number;
  readonly deaths: number;
}

/** The entry whose turn was under way at a crash, and the number of crashes in a row during this entry's turn. */
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
  /** False if the journal is not the same as at the last start. */
  readonly isSame: boolean;
}

export class PoisonDetector {
  /** The position of the entry that must not be applied; undefined if there is none. */
  readonly poison: number | undefined;
  readonly #store: Store;
  readonly #committer: Committer;
  #cancel: (() => void) | undefined;
  /** The entry whose turn was under way when the last process crashed. */
  readonly #suspect: Suspect | undefined;
  /**
   * The position up to which entries may have caused an earlier crash, and so are applied one at a time; 0 if no entry is
   * suspected.
   */
  readonly #until: number;

  /**
   * Writes a note of this start of the process (the row `starts`) into the open group. No entry may be applied before this note
   * is durable.
   */
  constructor({ store, committer, groupMax, position, isSame }: Started) {
    this.#store = store;
    this.#committer = committer;
    const { group } = committer;
    // The casts are safe: only this file writes the rows `starts` and `trying`.
    const before = group.get(keys.starts) as Starts | undefined;
    const deaths = before === undefined ? 0 : before.position === position ? before.deaths + 1 : 1;
    group.set(keys.starts, { position, deaths } satisfies Starts);
    const suspect = suspectIn(group.get(keys.trying) as Suspect | number | undefined);
    if (isSame && suspect !== undefined && suspect.position > position) this.#suspect = suspect;
    if (this.#suspect && this.#suspect.times >= NAMED_MAX) this.poison = this.#suspect.position;
    // The row that names a suspect is deleted. `alone` writes it again, with one crash more, if this start comes to the entry;
    // if this start crashes earlier, the count is zero (G1). The row of a poison entry stays until the entry is set aside.
    else if (suspect !== undefined) group.delete(keys.trying);
    const inDoubt = isSame && (this.#suspect !== undefined || deaths >= DEATHS_MAX);
    // A crash may happen while one group of entries is written and the next is filled, so the entries of two groups are in doubt.
    this.#until = inDoubt ? position + 2 * groupMax : 0;
  }

  isInDoubt(position: number): boolean {
    return position <= this.#until;
  }

  /**
   * Applies an entry alone. All entries before it are durable, and while `step` runs, the store names the entry.
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
      // The suspect's row is deleted before the turn of the suspect is committed: if that commit fails, the entry is not to
      // blame.
      await this.#store.commit([{ del: keys.trying }]);
    }
  }

  /** Clears the count of crashes once the process has run for long enough. @param send commits the open group. */
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

  /** Clears the count of crashes, after a clean stop or once the process has run for long enough. */
  clear(): void {
    const { group } = this.#committer;
    if (group.get(keys.starts) !== undefined) group.delete(keys.starts);
  }
}

/** Reads the stored suspect; version 0.1.0 stored only the suspect's position. */
const suspectIn = (row: Suspect | number | undefined): Suspect | undefined =>
  typeof row === "number" ? { position: row, times: 1 } : row;
