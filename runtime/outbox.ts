// Outbox
// The change log on its way to the outlet: in order, again after a failure, never past a gap.
//
//   Owns:          the window in flight, going back to the lowest change not taken, the published floor.
//   Does not own:  the log (turn), the outlet (adapters), keeping the floor on disk (chores).
//
// G4. A change is published only from durable rows.
// P1. No change ever arrives behind a later version of its session: of each session one is in flight at a time, and
//     after a failure all in flight are waited for before publishing goes on from the lowest change not taken.
// P2. What may have been sent before (by an earlier start, or in a window that failed) is asked for first: a change
//     the other side has is not sent again.

import { messageIdOf, type StateChange } from "./changes.ts";
import { keys } from "./keys.ts";
import type { Clock, Outlet, Store } from "./ports.ts";
import { subjects } from "./subjects.ts";

const WINDOW = 256;
const RETRY_MS = 250;
const RETRY_MAX_MS = 10_000;

const sessionOf = ({ workspace, sessionId }: StateChange): string => `${workspace}/${sessionId}`;

export class Outbox {
  readonly #store: Store;
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #moved: () => void;
  /** The last version the other side has, of the sessions asked for. */
  readonly #known = new Map<string, number>();
  /** Changes up to here may have been sent before. */
  #askUpTo: number;
  #published: number;
  #durable: number;
  #running: Promise<void> | undefined;
  #stopped = false;
  #retryMs = RETRY_MS;
  #wakeUp: (() => void) | undefined;

  /**
   * @param published changes up to here have been taken, as far as the store knows.
   * @param durable changes up to here are in the store.
   * @param moved called when more have been taken.
   */
  constructor(
    store: Store,
    outlet: Outlet,
    clock: Clock,
    published: number,
    durable: number,
    moved: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#outlet = outlet;
    this.#clock = clock;
    this.#moved = moved;
    this.#published = published;
    this.#durable = durable;
    this.#askUpTo = durable;
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
    while (this.waiting > 0 && !this.#stopped) {
      const changes = this.#next();
      try {
        await this.#ask(changes);
        await this.#send(changes);
        this.#retryMs = RETRY_MS;
      } catch {
        this.#known.clear();
        this.#askUpTo = Math.max(this.#askUpTo, changes.at(-1)?.n ?? 0);
        await this.#pause();
      }
    }
  }

  /** P2 */
  async #ask(changes: readonly StateChange[]): Promise<void> {
    const sessions = new Map<string, StateChange>();
    for (const change of changes) {
      if (change.n <= this.#askUpTo && !this.#known.has(sessionOf(change)))
        sessions.set(sessionOf(change), change);
    }
    await Promise.all(
      Array.from(sessions, async ([session, { workspace, sessionId }]) => {
        this.#known.set(session, await this.#outlet.lastVersion(workspace, sessionId));
      }),
    );
  }

  /** P1. @throws what the first change that was not taken failed with. */
  async #send(changes: readonly StateChange[]): Promise<void> {
    const lines = new Map<string, Promise<void>>();
    let failed = false;
    const sent = changes.map((change) => {
      const before = lines.get(sessionOf(change)) ?? Promise.resolve();
      const next = before.then(async () => {
        if (failed) throw new Error("An earlier change was not taken.");
        await this.#publish(change);
      });
      next.catch(() => {
        failed = true;
      });
      lines.set(sessionOf(change), next);
      return next;
    });
    const ends = await Promise.allSettled(sent);
    const lost = ends.findIndex(({ status }) => status === "rejected");
    const first = changes[lost];
    this.#published = first ? first.n - 1 : (changes.at(-1)?.n ?? this.#durable);
    if (this.#published >= this.#askUpTo) this.#known.clear();
    this.#moved();
    const failure = ends[lost];
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #publish(change: StateChange): Promise<void> {
    if ((this.#known.get(sessionOf(change)) ?? 0) >= change.version) return;
    await this.#outlet.publish({
      n: change.n,
      messageId: messageIdOf(change),
      subject: subjects.state(change),
      body: JSON.stringify(change),
    });
  }

  /** The next window; empty where the log has nothing left up to what is durable. */
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
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(delayMs, resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
  }
}
