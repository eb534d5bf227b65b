// Passing
// A table in memory of what is so for a moment only, and is told to whoever follows.
//
//   Owns:          the bound of the table, the end of each entry, when the table counts as changed.
//   Does not own:  what an entry means (looking, mentions), telling followers (http/followers).
//   Decided in:    docs/decisions/0095-what-a-team-shares-of-an-approval.md.
//
// PASSING-1. The table is never stored: each start begins with an empty one.
// PASSING-2. An entry that nobody repeats ends by itself. If the table is full, a new entry replaces the oldest one.
// PASSING-3. Somebody is told only of the workspaces that they may see.
// PASSING-4. One workspace has at most a quarter of the table: its own eldest entry makes room, not another workspace's.

import type { Clock } from "../ports.ts";
import { isWithin, type Reach } from "../workspace-reach.ts";

export interface How<T> {
  /** Of entries with the same key, the newest stays. */
  readonly keyOf: (item: T) => string;
  /** How long an entry lasts unless it is repeated, ms. */
  readonly lastsMs: number;
  /** The table holds no more entries than this. */
  readonly max: number;
}

interface Entry<T> {
  readonly item: T;
  readonly text: string;
  readonly cancel: () => void;
}

const WORKSPACE_SHARE = 4;

export class Passing<T extends { readonly workspace: string }> {
  readonly #clock: Pick<Clock, "after">;
  readonly #how: How<T>;
  readonly #onChange: () => void;
  /** By key, the one that was put last at the end. */
  readonly #entries = new Map<string, Entry<T>>();
  #version = 0;

  /** @param onChange called after each change of what `within` tells. */
  constructor(clock: Pick<Clock, "after">, how: How<T>, onChange: () => void) {
    this.#clock = clock;
    this.#how = how;
    this.#onChange = onChange;
  }

  /** Grows with each change of what `within` tells. */
  get version(): number {
    return this.#version;
  }

  put(item: T): void {
    const { keyOf, lastsMs, max } = this.#how;
    const [key, text] = [keyOf(item), JSON.stringify(item)];
    const before = this.#entries.get(key);
    this.#drop(key);
    const own = [...this.#entries].filter(([, each]) => each.item.workspace === item.workspace);
    const full = own.length >= max / WORKSPACE_SHARE ? own : this.#entries.size >= max ? this.#entries : [];
    const [eldest] = full;
    if (eldest) this.#drop(eldest[0]);
    const cancel = this.#clock.after(lastsMs, () => this.take(item));
    this.#entries.set(key, { item, text, cancel });
    if (before?.text !== text) this.#changed();
  }

  /** Ends the entry, unless another one took its place. */
  take(item: T): void {
    const key = this.#how.keyOf(item);
    if (this.#entries.get(key)?.text !== JSON.stringify(item)) return;
    this.#drop(key);
    this.#changed();
  }

  /** PASSING-3 @returns the entries in the order of their keys. */
  within(reach: Reach): readonly T[] {
    return [...this.#entries]
      .filter(([, { item }]) => isWithin(reach, item.workspace))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { item }]) => item);
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel();
    this.#entries.clear();
  }

  #drop(key: string): void {
    this.#entries.get(key)?.cancel();
    this.#entries.delete(key);
  }

  #changed(): void {
    this.#version += 1;
    this.#onChange();
  }
}
