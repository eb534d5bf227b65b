// Deadly
// A process that dies at a chosen step: before or after a commit, an append, a trim or a publication.
//
//   Owns:          counting the steps; whatever a dead process still waits for, it waits for ever.
//   Does not own:  the store, journal and outlet inside, when counting begins.

import type { Appending, Journal, Outlet, OutgoingChange, Store, Write } from "../../../runtime/ports.ts";
import { WrappedJournal } from "./wrapped-journal.ts";
import { WrappedStore } from "./wrapped-store.ts";

export class Deadly {
  readonly #diesAt: number;
  #step = 0;
  #isArmed = false;
  isDead = false;
  /** Ends the wait of the test: the process is dead, or has done everything. */
  end: () => void = () => undefined;
  readonly over = new Promise<void>((resolve) => (this.end = resolve));

  /** @param diesAt the number of the step, from 1. */
  constructor(diesAt: number) {
    this.#diesAt = diesAt;
  }

  /** Begins to count. */
  arm(): void {
    this.#isArmed = true;
  }

  journal(inside: Journal): Journal {
    return new DeadlyJournal(inside, (act) => this.#through(act));
  }

  store(inside: Store): Store {
    return new WrappedStore(inside, (_writes: readonly Write[], commit) => this.#through(commit));
  }

  outlet(inside: Outlet): Outlet {
    return { ...inside, publish: (change: OutgoingChange) => this.#through(() => inside.publish(change)) };
  }

  async #through<T>(act: () => Promise<T>): Promise<T> {
    await this.#pass();
    const done = await act();
    await this.#pass();
    return done;
  }

  async #pass(): Promise<void> {
    if (this.#isArmed) this.#step += 1;
    if (this.#step === this.#diesAt) this.isDead = true;
    if (!this.isDead) return;
    this.end();
    await new Promise(() => undefined);
  }
}

class DeadlyJournal extends WrappedJournal {
  readonly #through: <T>(act: () => Promise<T>) => Promise<T>;

  constructor(inside: Journal, through: <T>(act: () => Promise<T>) => Promise<T>) {
    super(inside);
    this.#through = through;
  }

  override append(bodies: readonly string[], how?: Appending): Promise<readonly number[]> {
    return this.#through(() => super.append(bodies, how));
  }

  override trim(position: number): Promise<void> {
    return this.#through(() => super.trim(position));
  }
}
