// Waiters
// Keeps the list of callers that wait for changes of one approval or call, and notifies each caller of the changes of that
// approval or call only.
//
//   Owns:          the index of the waiting callers, by workspace, and by the kind and id of the approval or call that they
//                  wait for.
//   Does not own:  waiting with a time limit (wait-for), what a caller does with a change.
//
// WAITERS-1. A change of an approval or call notifies only the callers that wait for this approval or call. So the cost of a
//     change does not grow with the number of other callers.

import type { Engine } from "../engine/engine.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Source } from "../wait-for.ts";

type Awaited = Pick<StateChange, "entity" | "id"> & {
  /** The workspace of the entity; undefined if the entity may be in any workspace. */
  readonly workspace?: string | undefined;
};

/** The key for waiters that accept any workspace. No workspace has this name. */
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

  /** Returns a source that fires at each change of the awaited entity, once the change is durable. */
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
