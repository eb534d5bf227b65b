// Trial
// Finding the entry that ends the process each time it is applied.
//
//   Owns:          counting the processes that died at one cursor; applying what follows it one entry at a time.
//   Does not own:  what becomes of the entry that is found (poison), restarting (whoever started this process).
//
// G9. No entry ends every process there will ever be: after three that died at one cursor, each entry within reach is
//     named on disk for as long as its turn runs. The one that is still named at the next start is poison.
// F23. Progress and a clean stop clear the count. A commit that fails names nobody: the name is gone before it.

import type { Committer } from "./commit.ts";
import { keys } from "./keys.ts";
import type { Store } from "./ports.ts";

const DEATHS_MAX = 3;

/** Where a process started, and how many had died there before. */
interface Starts {
  readonly position: number;
  readonly deaths: number;
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

export class Trial {
  /** The position of the entry that must not be applied. */
  readonly poison: number | undefined;
  readonly #store: Store;
  readonly #committer: Committer;
  /** The last entry in doubt. */
  readonly #until: number;

  /** Notes the start in the open group: nothing may be applied before that is durable. */
  constructor({ store, committer, groupMax, position, isSame }: Started) {
    this.#store = store;
    this.#committer = committer;
    const { group } = committer;
    // Both rows are written here only.
    const before = group.get(keys.starts) as Starts | undefined;
    const tried = group.get(keys.trying) as number | undefined;
    const deaths = before === undefined ? 0 : before.position === position ? before.deaths + 1 : 1;
    group.set(keys.starts, { position, deaths } satisfies Starts);
    if (!isSame) group.delete(keys.trying);
    else if (tried !== undefined && tried > position) this.poison = tried;
    const inDoubt = isSame && (this.poison !== undefined || deaths >= DEATHS_MAX);
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
    await this.#store.commit([{ put: keys.trying, value: JSON.stringify(position) }]);
    try {
      step();
    } finally {
      // Sent before the entry's own commit can be, which may fail.
      await this.#store.commit([{ del: keys.trying }]);
    }
  }

  /** A clean stop: nobody died. */
  stop(): void {
    this.#committer.group.delete(keys.starts);
  }
}
