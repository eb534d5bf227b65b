// Waiters
// Keeps the list of callers that each wait for changes of one approval or call, and notifies each of those changes only.
//
//   Owns:          the index of those who wait, by workspace, kind and id.
//   Does not own:  waiting with a time limit (wait-for), what a reader does with a change.
//
// WAITERS-1. A change notifies only those who wait for its entity. So its cost does not grow with the number of other waiters.

import type { Engine } from "../engine/engine.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Source } from "../wait-for.ts";

type Awaited = Pick<StateChange, "entity" | "id"> & {
  /** Undefined if the entity may be in any workspace. */
  readonly workspace?: string | undefined;
};

/** Stands for any workspace. No workspace has this name. */
const ANY = "*";
const keyOf = ({ workspace = ANY, entity, id }: Awaited): string => `${workspace}/${entity}/${id}`;

export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(engine: Pick<Engine, "onChanges">) {
    engine.onChanges((changes) => {
      for (const { workspace, entity, id } of this.#waiting.size > 0 ? changes : []) {
        tell(this.#waiting.get(keyOf({ workspace, entity, id })));
        tell(this.#waiting.get(keyOf({ entity, id })));
      }
    });
  }

  /** Fires at each change of the awaited entity, once the change is durable. */
  of(awaited: Awaited): Source<void> {
    const key = keyOf(awaited);
    return (hear) => {
      const these = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, these.add(hear));
      return () => {
        if (these.delete(hear) && these.size === 0) this.#waiting.delete(key);
      };
    };
  }

  tellAll(): void {
    for (const these of [...this.#waiting.values()]) tell(these);
  }
}

/** Copies the list first, because some callers stop waiting while they are notified. */
function tell(these: Iterable<() => void> = []): void {
  for (const hear of [...these]) hear();
}
