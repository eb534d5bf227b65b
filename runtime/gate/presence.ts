// Presence
// Which gates are still there to hear their answers.
//
//   Owns:          who waits for which approval; when one that left is taken to be gone for good.
//   Does not own:  what becomes of its approval then (machines), the connections (adapters).
//
// GATE-PRESENCE-1. A gate that lost its connection comes back within a moment, under the same id. One that does not is gone.
// GATE-PRESENCE-2. Nobody is gone because the engine stops.

import type { Clock } from "../ports.ts";

/** Gates come back within a second of losing a connection. */
const COME_BACK_MS = 3_000;

interface Place {
  here: number;
  cancel: () => void;
}

export class Presence {
  readonly #clock: Clock;
  readonly #gone: (id: string) => void;
  readonly #places = new Map<string, Place>();
  #isOver = false;

  /** @param gone called once for one that did not come back. */
  constructor(clock: Clock, gone: (id: string) => void) {
    this.#clock = clock;
    this.#gone = gone;
  }

  /** One is to come within `ms`. */
  expect(id: string, ms = COME_BACK_MS): void {
    const place = this.#place(id);
    if (place.here === 0 && !this.#isOver) this.#await(id, place, ms);
  }

  /** One is there. @returns a function for when it leaves. */
  enter(id: string): () => void {
    const place = this.#place(id);
    place.here += 1;
    place.cancel();
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      place.here -= 1;
      if (place.here === 0 && !this.#isOver && this.#places.get(id) === place)
        this.#await(id, place, COME_BACK_MS);
    };
  }

  /** The approval is answered: nobody is awaited for it. */
  forget(id: string): void {
    this.#places.get(id)?.cancel();
    this.#places.delete(id);
  }

  stop(): void {
    this.#isOver = true;
    for (const { cancel } of this.#places.values()) cancel();
    this.#places.clear();
  }

  #place(id: string): Place {
    const known = this.#places.get(id);
    if (known) return known;
    const place: Place = { here: 0, cancel: () => undefined };
    this.#places.set(id, place);
    return place;
  }

  #await(id: string, place: Place, ms: number): void {
    place.cancel();
    place.cancel = this.#clock.after(ms, () => {
      this.#places.delete(id);
      this.#gone(id);
    });
  }
}
