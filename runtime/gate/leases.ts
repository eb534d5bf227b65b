// Leases
// Who is still there to hear an answer: whoever asks holds a lease on the approval, and each ask renews it.
//
//   Owns:          the leases, and noticing that one has ended.
//   Does not own:  how long each lasts (times), what becomes of its approval then (gate, machines), the connections
//                  (adapters).
//   Decided in:    docs/decisions/0066-leases-and-one-wait.md.
//
// LEASES-1. An asker that lost its connection comes back within its lease, under the same id. One that does not is gone.
// LEASES-2. Nobody is gone because the engine stops.
// LEASES-3. One that says goodbye is gone at once, and one that hung up within a second, unless it comes back.
// LEASES-4. An engine that stood still hears what came meanwhile before it takes anyone to be gone.

import type { Clock } from "../ports.ts";
import { LEASE_MS, type Terms } from "./times.ts";

interface Lease {
  /** Asks that wait now: while there is one, it does not end. */
  asks: number;
  cancel: () => void;
}

export class Leases {
  readonly #clock: Clock;
  readonly #ended: (id: string) => void;
  readonly #leases = new Map<string, Lease>();
  #isOver = false;

  /** @param ended called once for one that was not renewed. */
  constructor(clock: Clock, ended: (id: string) => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Whoever asked has as long as this to ask again. */
  renew(id: string, ms: number): void {
    const lease = this.#of(id);
    if (lease.asks > 0 || this.#isOver) return;
    lease.cancel();
    lease.cancel = this.#clock.after(ms, () => {
      // LEASES-4: a timer that is overdue fires before anything is read.
      lease.cancel = this.#clock.after(LEASE_MS.read, () => this.#end(id));
    });
  }

  /** An ask begins to wait. @returns a function for when it waits no more; it is told whether whoever asked hung up. */
  hold(id: string, terms: Terms): (hungUp: boolean) => void {
    const lease = this.#of(id);
    lease.asks += 1;
    lease.cancel();
    return (hungUp) => {
      lease.asks -= 1;
      if (this.#leases.get(id) === lease) this.renew(id, hungUp ? terms.hungUp : terms.waited);
    };
  }

  /** The one that holds it says goodbye: beside another one that waits, that changes nothing. */
  leave(id: string): void {
    const lease = this.#leases.get(id);
    if (lease !== undefined && lease.asks <= 1 && !this.#isOver) this.#end(id);
  }

  /** Nobody is awaited for it any more. */
  forget(id: string): void {
    this.#leases.get(id)?.cancel();
    this.#leases.delete(id);
  }

  stop(): void {
    this.#isOver = true;
    for (const id of this.#leases.keys()) this.forget(id);
  }

  #of(id: string): Lease {
    const lease = this.#leases.get(id) ?? { asks: 0, cancel: () => undefined };
    this.#leases.set(id, lease);
    return lease;
  }

  #end(id: string): void {
    this.forget(id);
    this.#ended(id);
  }
}
