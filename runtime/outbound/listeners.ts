// Listeners
// Notifies listeners in this process of changes once the changes are durable.
//
//   Owns:          the list of listeners.
//   Does not own:  readers outside this process (outlet-publisher), following the log at a reader's own speed (adapters).
//
// G9. A listener that throws does not affect the other listeners.

import type { StateChange } from "../rows/changes.ts";

export type Listener = (changes: readonly StateChange[]) => void;

export class Listeners {
  readonly #listeners = new Set<Listener>();
  readonly #onThrown: (error: unknown) => void;

  constructor(onThrown: (error: unknown) => void) {
    this.#onThrown = onThrown;
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(changes: readonly StateChange[]): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        this.#onThrown(error);
      }
    }
  }
}
