// Presence
// Which gates are still there to hear their answers.
//
//   Owns:          who waits for which approval; when one that left is taken to be gone for good.
//   Does not own:  what becomes of its approval then (machines), the connections (adapters).
//
// GATE-PRESENCE-1. A gate that lost its connection comes back within a moment, under the same id. One that does not is gone.
// GATE-PRESENCE-2. Nobody is gone because the engine stops.
// GATE-PRESENCE-3. One that says that it leaves is gone at once, and one that hung up within a second, unless it comes back.
// GATE-PRESENCE-4. An engine that stood still hears what came meanwhile before it takes anyone to be gone.

import type { Clock } from "../ports.ts";

/** A gate that was acknowledged begins to wait. */
export const COME_BACK_MS = 3_000;
/** Nothing shows that a gate which was told "not yet" is gone: it may stand still itself. */
const ASK_AGAIN_MS = 10_000;
/** One that lives asks again sooner than this after it lost a connection. */
const HUNG_UP_MS = 750;
/** What lies in the sockets of an engine that stood still is read within this. */
const READ_MS = 50;

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

  /**
   * One is there.
   * @param backMs how soon it comes back when it leaves; without it, that depends on how it leaves.
   * @returns a function for when it is not waiting any more; it tells whether it hung up.
   */
  enter(id: string, backMs?: number): (hungUp: boolean) => void {
    const place = this.#place(id);
    place.here += 1;
    place.cancel();
    let isHere = true;
    return (hungUp) => {
      if (!isHere) return;
      isHere = false;
      place.here -= 1;
      if (place.here === 0 && !this.#isOver && this.#places.get(id) === place)
        this.#await(id, place, backMs ?? (hungUp ? HUNG_UP_MS : ASK_AGAIN_MS));
    };
  }

  /** The one that was here or expected says that it waits no more. */
  leave(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined || place.here > 1 || this.#isOver) return;
    this.forget(id);
    this.#gone(id);
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
      // GATE-PRESENCE-4: a timer that is overdue fires before anything is read.
      place.cancel = this.#clock.after(READ_MS, () => {
        this.#places.delete(id);
        this.#gone(id);
      });
    });
  }
}
