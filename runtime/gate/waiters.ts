// Waiters
// Keeps who waits for news of one approval or one call, and tells each of that one alone.
//
//   Owns:          the index of the waiting, by workspace, kind and id.
//   Does not own:  the waiting (wait-for), what the waiting do with the news.
//
// WAITERS-1. A change is told only to those who wait for its entity: its cost does not grow with the others who wait.

import type { Engine } from "../engine/engine.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Source } from "../wait-for.ts";

type Awaited = Pick<StateChange, "entity" | "id"> & {
  /** Undefined if the entity may be in any workspace. */
  readonly workspace?: string | undefined;
};

/** No workspace has this name. */
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

  /** Fires for everybody who waits. */
  tellAll(): void {
    for (const these of [...this.#waiting.values()]) tell(these);
  }
}

/** Some stop waiting while they are told, so the list is copied first. */
function tell(these: Iterable<() => void> = []): void {
  for (const hear of [...these]) hear();
}
