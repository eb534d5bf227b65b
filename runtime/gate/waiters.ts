// Waiters
// Who waits for what becomes of one approval or one call: found by it, and told of nothing else.
//
//   Owns:          the index of those who wait, by workspace, kind and id.
//   Does not own:  the waiting (wait-for), what they make of it.
//
// WAITERS-1. A change is handed to those alone who wait for the entity it is of: what it costs does not grow with how many
//     others wait.

import type { Engine } from "../engine/engine.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Source } from "../wait-for.ts";

type Awaited = Pick<StateChange, "entity" | "id"> & {
  /** Undefined for one of any workspace. */
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

  /** News at each change of the one that is awaited, once that is durable. */
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

  /** News for everybody who waits. */
  tellAll(): void {
    for (const these of [...this.#waiting.values()]) tell(these);
  }
}

/** Some of them wait no more once they were told. */
function tell(these: Iterable<() => void> = []): void {
  for (const hear of [...these]) hear();
}
