// Leases
// Keeps track of which askers still wait. An asker has a lease on its approval: a time after which it counts as gone. It renews
// the lease each time that it asks for the answer.
//
//   Owns:          the leases, and noticing that a lease has run out.
//   Does not own:  how long a lease lasts (times), what then happens to the approval (gate, machines), connections (adapters).
//   Decided in:    docs/decisions/0066-leases-and-one-wait.md.
//
// LEASES-1. An asker that lost its connection may come back under the same id until its lease ends. After that the asker counts
//     as gone.
// LEASES-2. When the engine stops, no asker counts as gone because of the stop.
// LEASES-3. An asker that reports that it leaves is removed immediately. An asker whose connection broke is removed after 750 ms,
//     or after 15 s if it is a service, unless it asks again.
// LEASES-4. If the engine's process stood still for a while, so that leases seem to have run out, the engine first reads what
//     arrived meanwhile, and only then may count an asker as gone.

import type { Clock } from "../ports.ts";
import { LEASE_MS, type Terms } from "./times.ts";

interface Lease {
  /** How many requests of the asker wait for the answer now. While at least one waits, the lease does not run out. */
  asks: number;
  cancel: () => void;
}

export class Leases {
  readonly #clock: Clock;
  readonly #ended: (id: string) => void;
  readonly #leases = new Map<string, Lease>();
  #isOver = false;

  /** @param ended called once for each lease that ran out. */
  constructor(clock: Clock, ended: (id: string) => void) {
    this.#clock = clock;
    this.#ended = ended;
  }

  renew(id: string, ms: number): void {
    const lease = this.#of(id);
    if (lease.asks > 0 || this.#isOver) return;
    lease.cancel();
    lease.cancel = this.#clock.after(ms, () => {
      // LEASES-4: Node runs an overdue timer before it reads the sockets, so the asker's message may have arrived in time, but
      // unread.
      lease.cancel = this.#clock.after(LEASE_MS.read, () => this.#end(id));
    });
  }

  /**
   * Notes that one of the asker's requests for the answer begins to wait. @returns a function to call when the wait is over; its
   * argument says whether the asker's connection broke.
   */
  hold(id: string, terms: Terms): (hungUp: boolean) => void {
    const lease = this.#of(id);
    lease.asks += 1;
    lease.cancel();
    return (hungUp) => {
      lease.asks -= 1;
      if (this.#leases.get(id) === lease) this.renew(id, hungUp ? terms.hungUp : terms.waited);
    };
  }

  /** Ends the lease of an asker that leaves, unless another request waits under the same lease. */
  leave(id: string): void {
    const lease = this.#leases.get(id);
    if (lease !== undefined && lease.asks <= 1 && !this.#isOver) this.#end(id);
  }

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
