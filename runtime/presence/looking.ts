// Looking
// Lists in memory who looks at which approval now.
//
//   Owns:          what the list says about each viewer, how long an item stays in it, how many items it may have, when it counts
//                  as changed.
//   Does not own:  finding out who a person is (http/access), telling followers (http/followers), answering an approval.
//   Decided in:    docs/decisions/0095-what-a-team-shares-of-an-approval.md.
//
// LOOKING-1. The list of who looks at which approval has at most one approval for each viewer's name.
// LOOKING-2. The list of viewers is never stored: after each start of the engine the list is empty.
// LOOKING-3. A viewer renews its item in the list again and again; an item that is not renewed is removed after a while. If the
//     list is full, a new item replaces the oldest item.
// LOOKING-4. A person is told only who looks at approvals of workspaces that this person may see.
// LOOKING-5. One workspace may fill at most a quarter of the list of viewers; after that, a new item replaces the oldest item of
//     the same workspace.

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

/** How long a person counts as looking at an approval unless the page repeats the report, ms. */
export const LOOKS_FOR_MS = 45_000;
export const LOOKERS_MAX = 256;
const WORKSPACE_SHARE = 4;

export class Looking {
  readonly #clock: Pick<Clock, "after">;
  readonly #onChange: () => void;
  /** The items of the list by the viewer's name, the newest last. */
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

  /** Notes that a person no longer looks at an approval, unless that person looks at another approval by now. */
  take(looker: Looker): void {
    if (!this.#isAt(looker)) return;
    this.#drop(looker.name);
    this.#changed();
  }

  /** Who looks at approvals in the workspaces within reach (LOOKING-4). @returns the lookers in the order of their names. */
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
