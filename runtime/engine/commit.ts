// Commit
// Makes turns durable in groups. At any time at most one group is open, and at most one other group is being written.
//
//   Owns:          the two layers of rows above the store, preparing a group's writes, what happens once the writes are durable.
//   Does not own:  running turns (turn), stopping the engine after a failed commit (engine).
//
// G4. No answer and no change of a group is released before the group's commit has succeeded.
// I-30. A group is committed as a whole: a reader of the store never sees a part of it.
// COMMIT-1. The turns and the rows of a group are limited in number, because the event loop is blocked while the rows become
//     text. (checked by review: only the length of a pause shows it)

import type { TurnResult } from "../turn/turn-result.ts";
import { encode } from "../rows/codec.ts";
import { keys } from "../rows/keys.ts";
import { Layer, type Readable } from "../rows/overlay.ts";
import type { Store, Write } from "../ports.ts";
import type { WorkingSet } from "../rows/working-set.ts";

const ROWS_MAX = 500;

export interface CommitOptions {
  /** The most turns in a group. */
  readonly groupMax: number;
  /** True to drop all rows from memory after each commit, so that a test reads every row from the store. */
  readonly passivateAlways?: boolean;
}

/** @param timer the first row of the timer index that was written with these turns. */
type Release = (results: readonly TurnResult[], timer: string | undefined) => void;

export class Committer {
  readonly #store: Store;
  readonly #rows: WorkingSet;
  #inFlight: Layer | undefined;
  /** The layer below the open group: the group in flight, or else the durable rows. */
  readonly #ground: Readable = {
    get: (key) => (this.#inFlight ?? this.#rows).get(key),
    keys: (prefix, behind) => (this.#inFlight ?? this.#rows).keys(prefix, behind),
  };
  readonly #options: CommitOptions;
  readonly #release: Release;
  #open: Layer;
  #results: TurnResult[] = [];
  #flight: Promise<void> | undefined;

  constructor(store: Store, rows: WorkingSet, options: CommitOptions, release: Release) {
    this.#store = store;
    this.#rows = rows;
    this.#options = options;
    this.#release = release;
    this.#open = new Layer(this.#ground);
  }

  /** The open group, into which turns write their rows. */
  get group(): Layer {
    return this.#open;
  }

  get isFull(): boolean {
    return this.#results.length >= this.#options.groupMax || this.#open.size >= ROWS_MAX;
  }

  get isIdle(): boolean {
    return this.#flight === undefined && this.#open.size === 0;
  }

  add(result: TurnResult): void {
    this.#results.push(result);
  }

  /** Commits the open group if no commit is in flight. @returns the commit to wait for, if there is one. */
  flush(): Promise<void> | undefined {
    if (this.#flight === undefined && this.#open.size > 0) this.#flight = this.#fly();
    return this.#flight;
  }

  /** Waits until no group is open and no commit is in flight. */
  async land(): Promise<void> {
    while (!this.isIdle) await this.flush();
  }

  async #fly(): Promise<void> {
    const layer = this.#open;
    const results = this.#results;
    this.#results = [];
    layer.rebase(this.#rows);
    this.#inFlight = layer;
    this.#open = new Layer(this.#ground);
    const rows = [...layer.writes()].map(([key, value]) => ({
      key,
      value,
      text: value === undefined ? undefined : encode(key, value),
    }));
    await this.#store.commit(
      rows.map(({ key, text }): Write => (text === undefined ? { del: key } : { put: key, value: text })),
    );
    let timer: string | undefined;
    for (const { key, value, text } of rows) {
      if (text === undefined) {
        this.#rows.forget(key);
        continue;
      }
      this.#rows.absorb(key, value, text);
      if (key.startsWith(keys.timers) && (timer === undefined || key < timer)) timer = key;
    }
    if (this.#options.passivateAlways) this.#rows.passivate();
    this.#inFlight = undefined;
    this.#flight = undefined;
    this.#release(results, timer);
  }
}
