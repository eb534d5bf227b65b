// Looking
// Knows which approval each person looks at now.
//
//   Owns:          the table of who looks where, its bound, the end of each entry.
//   Does not own:  telling followers (http/followers), who a person is (http/access), answering an approval.
//   Decided in:    docs/decisions/0095-what-a-team-shares-of-an-approval.md.
//
// LOOKING-1. Nothing is written: the table is in memory, and a start begins with an empty one.
// LOOKING-2. Each name looks at one approval at most. An entry that nobody repeats ends by itself; of more names than the
//     table holds, those that said it last stay.
// LOOKING-3. Somebody is told only of the workspaces that they may see.

import type { Clock } from "../ports.ts";
import { isWithin, type Reach } from "../workspace-reach.ts";

export interface Looker {
  readonly workspace: string;
  /** Of the approval. */
  readonly id: string;
  readonly name: string;
}

/** How long an entry lasts unless it is repeated, ms. */
export const LOOKS_FOR_MS = 45_000;
export const LOOKERS_MAX = 256;

interface Entry {
  readonly at: Looker;
  readonly cancel: () => void;
}

export class Looking {
  readonly #clock: Pick<Clock, "after">;
  readonly #onChange: () => void;
  /** By name, in the order in which they last said it. */
  readonly #entries = new Map<string, Entry>();
  #version = 0;

  /** @param onChange called after each change of what `within` tells. */
  constructor(clock: Pick<Clock, "after">, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Grows with each change of what `within` tells. */
  get version(): number {
    return this.#version;
  }

  look(at: Looker): void {
    const { name } = at;
    const before = this.#entries.get(name);
    this.#drop(name);
    const [eldest] = this.#entries.keys();
    if (eldest !== undefined && this.#entries.size >= LOOKERS_MAX) this.#drop(eldest);
    const cancel = this.#clock.after(LOOKS_FOR_MS, () => this.leave(at));
    this.#entries.set(name, { at, cancel });
    if (!before || !isSamePlace(before.at, at)) this.#changed();
  }

  /** Ends the entry, unless the person looks at another approval by now. */
  leave(at: Looker): void {
    const known = this.#entries.get(at.name);
    if (!known || !isSamePlace(known.at, at)) return;
    this.#drop(at.name);
    this.#changed();
  }

  /** LOOKING-3 */
  within(reach: Reach): readonly Looker[] {
    return [...this.#entries.values()]
      .map(({ at }) => at)
      .filter(({ workspace }) => isWithin(reach, workspace))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel();
    this.#entries.clear();
  }

  #drop(name: string): void {
    this.#entries.get(name)?.cancel();
    this.#entries.delete(name);
  }

  #changed(): void {
    this.#version += 1;
    this.#onChange();
  }
}

const isSamePlace = (one: Looker, other: Looker): boolean =>
  one.workspace === other.workspace && one.id === other.id;
