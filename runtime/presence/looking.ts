// Looking
// Lists in memory who looks at which approval now, and tells followers.
//
//   Owns:          what is known of somebody who looks, for how long, the bound of the list, when it counts as changed.
//   Does not own:  finding out who a person is (http/access), telling followers (http/followers), answering an approval.
//   Decided in:    docs/decisions/0095-what-a-team-shares-of-an-approval.md.
//
// LOOKING-1. Each name looks at one approval at most.
// LOOKING-2. The list is never stored: each start begins with an empty one.
// LOOKING-3. A look that nobody repeats ends by itself. If the list is full, a new look replaces the oldest one.
// LOOKING-4. Somebody is told only of the workspaces that they may see.
// LOOKING-5. One workspace has at most a quarter of the list: a new look then replaces the workspace's own oldest look, not
//     another workspace's.

import type { Clock } from "../ports.ts";
import { isWithin, type Reach } from "../workspace-reach.ts";

export interface Looker {
  readonly workspace: string;
  /** The id of the approval. */
  readonly id: string;
  readonly name: string;
}

interface Entry {
  readonly looker: Looker;
  readonly cancel: () => void;
}

/** How long a look lasts unless it is repeated, ms. */
export const LOOKS_FOR_MS = 45_000;
export const LOOKERS_MAX = 256;
const WORKSPACE_SHARE = 4;

export class Looking {
  readonly #clock: Pick<Clock, "after">;
  readonly #onChange: () => void;
  /** The looks by name, the newest last. */
  readonly #entries = new Map<string, Entry>();
  #version = 0;

  /** @param onChange called after each change of what `within` returns. */
  constructor(clock: Pick<Clock, "after">, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Grows with each change of what `within` returns. */
  get version(): number {
    return this.#version;
  }

  put(looker: Looker): void {
    const isRepeated = this.#isAt(looker);
    this.#drop(looker.name);
    const own = [...this.#entries].filter(([, each]) => each.looker.workspace === looker.workspace);
    const isFull = this.#entries.size >= LOOKERS_MAX;
    const full = own.length >= LOOKERS_MAX / WORKSPACE_SHARE ? own : isFull ? this.#entries : [];
    const [eldest] = full;
    if (eldest) this.#drop(eldest[0]);
    const cancel = this.#clock.after(LOOKS_FOR_MS, () => this.take(looker));
    this.#entries.set(looker.name, { looker, cancel });
    if (!isRepeated) this.#changed();
  }

  /** Ends the look, unless its name looks at another approval now. */
  take(looker: Looker): void {
    if (!this.#isAt(looker)) return;
    this.#drop(looker.name);
    this.#changed();
  }

  /** Who looks, in the workspaces within reach (LOOKING-4). @returns the lookers in the order of their names. */
  within(reach: Reach): readonly Looker[] {
    return [...this.#entries.values()]
      .map(({ looker }) => looker)
      .filter(({ workspace }) => isWithin(reach, workspace))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  close(): void {
    for (const { cancel } of this.#entries.values()) cancel();
    this.#entries.clear();
  }

  #isAt({ workspace, id, name }: Looker): boolean {
    const known = this.#entries.get(name)?.looker;
    return known?.workspace === workspace && known.id === id;
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
