// Outbox
// The change log on its way to the outlet: in order, again after a failure, never past a gap.
//
//   Owns:          the window in flight, going back to the lowest change not taken, the published floor.
//   Does not own:  the log (turn), the outlet (adapters).
//
// G4. A change is published only from durable rows.
// P1. After a failure everything in flight is waited for, then publishing goes on from the lowest change not taken:
//     no change ever arrives behind a later version of its session.

import { messageIdOf, type StateChange, subjectOf } from "./changes.ts";
import { keys } from "./keys.ts";
import type { Clock, Outlet, Store } from "./ports.ts";

const WINDOW = 256;
const RETRY_MS = 250;
const RETRY_MAX_MS = 10_000;

export class Outbox {
  readonly #store: Store;
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #known = new Map<string, number>();
  #published: number;
  #durable: number;
  #running: Promise<void> | undefined;
  #stopped = false;
  #retryMs = RETRY_MS;
  #wakeUp: (() => void) | undefined;

  constructor(store: Store, outlet: Outlet, clock: Clock, published: number, durable: number) {
    this.#store = store;
    this.#outlet = outlet;
    this.#clock = clock;
    this.#published = published;
    this.#durable = durable;
  }

  /** Changes up to here have been taken by the outlet. */
  get published(): number {
    return this.#published;
  }

  /** Changes not taken yet. */
  get waiting(): number {
    return this.#durable - this.#published;
  }

  /** Tells that changes up to `n` are durable. */
  advance(n: number): void {
    this.#durable = Math.max(this.#durable, n);
    if (this.#running === undefined && !this.#stopped && this.waiting > 0) {
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
    }
  }

  /** Stops after what is in flight; what is left goes out at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failed = this.#known.size === 0;
    while (this.waiting > 0 && !this.#stopped) {
      try {
        if (failed) await this.#ask();
        await this.#window();
        failed = false;
        this.#retryMs = RETRY_MS;
      } catch {
        failed = true;
        await this.#pause();
      }
    }
  }

  /** After a start or a failure: what the outlet has already taken of the sessions in the next window. */
  async #ask(): Promise<void> {
    this.#known.clear();
    for (const { workspace, sessionId } of this.#next()) {
      const session = `${workspace}/${sessionId}`;
      if (!this.#known.has(session))
        this.#known.set(session, await this.#outlet.lastVersion(workspace, sessionId));
    }
  }

  async #window(): Promise<void> {
    const changes = this.#next();
    const sent = await Promise.allSettled(changes.map((change) => this.#send(change)));
    const lost = sent.findIndex(({ status }) => status === "rejected");
    this.#published += lost < 0 ? changes.length : lost;
    const failure = sent[lost];
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #send(change: StateChange): Promise<void> {
    if ((this.#known.get(`${change.workspace}/${change.sessionId}`) ?? 0) >= change.version) return;
    await this.#outlet.publish({
      n: change.n,
      messageId: messageIdOf(change),
      subject: subjectOf(change),
      body: JSON.stringify(change),
    });
  }

  #next(): StateChange[] {
    const range = {
      gte: keys.change(this.#published + 1),
      lt: keys.change(this.#durable + 1),
      limit: WINDOW,
    };
    // Change rows are written by the turn only.
    return Array.from(this.#store.range(range), ([, text]) => JSON.parse(text) as StateChange);
  }

  #pause(): Promise<void> {
    const delayMs = this.#retryMs;
    this.#retryMs = Math.min(RETRY_MAX_MS, delayMs * 2);
    return new Promise((resolve) => {
      const cancel = this.#clock.after(delayMs, resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
  }
}
