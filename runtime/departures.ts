// Departures
// All that leaves the engine by its outlet: changes, dead letters, the report after a start.
//
//   Owns:          what each log is outside, its floor; the report, told once a start.
//   Does not own:  order and repetition (outbox), when a floor is kept (chores), the outlet (adapters).
//
// D1. No reader outside is waited for: what is not taken stays in its log.

import { BackOff } from "./back-off.ts";
import { messageIdOf, type StateChange } from "./changes.ts";
import { type DeadLetter, outgoingLetter } from "./dead-letters.ts";
import { keys } from "./keys.ts";
import type { Meta } from "./meta.ts";
import { type Leaving, Outbox } from "./outbox.ts";
import type { Readable } from "./overlay.ts";
import type { Clock, Outlet, Store } from "./ports.ts";
import type { Recovered } from "./recovery.ts";
import { subjects } from "./subjects.ts";

/** How far each log has left, by the key of the row that keeps it. */
export type Floors = ReadonlyMap<string, number>;

/** What is durable. */
type Durable = Pick<Meta, "changes" | "deads">;

export class Departures {
  readonly #outlet: Outlet | undefined;
  readonly #incarnation: string;
  readonly #backOff: BackOff;
  readonly #changes: Outbox<StateChange> | undefined;
  readonly #letters: Outbox<DeadLetter> | undefined;
  #durable: Durable;
  #stopped = false;

  /**
   * @param rows where the floors were kept.
   * @param meta where the engine starts.
   * @param moved called when more has been taken.
   */
  constructor(
    ports: { readonly store: Store; readonly clock: Clock; readonly outlet?: Outlet | undefined },
    rows: Readable,
    meta: Meta,
    moved: () => void,
  ) {
    const { store, clock, outlet } = ports;
    const { incarnation, changes, changesFrom, deads } = meta;
    this.#outlet = outlet;
    this.#incarnation = incarnation;
    this.#backOff = new BackOff(clock);
    this.#durable = { changes, deads };
    if (!outlet) return;
    const kept = (key: string): number => Number(rows.get(key) ?? 0);
    const changesFloor = { published: Math.max(changesFrom, kept(keys.published)), durable: changes };
    this.#changes = new Outbox(store, changesBy(outlet), clock, changesFloor, moved);
    const leaving = lettersBy(outlet, incarnation);
    if (!leaving) return;
    const lettersFloor = { published: kept(keys.posted), durable: deads };
    this.#letters = new Outbox(store, leaving, clock, lettersFloor, moved);
  }

  /** Changes up to here need not be kept for the outlet. */
  get published(): number {
    return this.#changes?.published ?? this.#durable.changes;
  }

  /** Changes not taken yet. */
  get waiting(): number {
    return this.#changes?.waiting ?? 0;
  }

  /** What is to be kept on disk. */
  floors(): Floors {
    const floors = new Map<string, number>();
    if (this.#changes) floors.set(keys.published, this.#changes.published);
    if (this.#letters) floors.set(keys.posted, this.#letters.published);
    return floors;
  }

  /** Tells that more is durable. */
  advance({ changes, deads }: Durable): void {
    this.#durable = { changes, deads };
    this.#changes?.advance(changes);
    this.#letters?.advance(deads);
  }

  /** Tells whoever listens what the start found, as often as it takes until it is on its way. */
  report(recovered: Recovered): void {
    if (!this.#outlet?.notify) return;
    const body = JSON.stringify({ incarnation: this.#incarnation, ...recovered });
    void this.#tell({ subject: subjects.recovered, body });
  }

  /** Stops after what is in flight; what is left goes out at the next start, which has a report of its own. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#backOff.stop();
    await Promise.all([this.#changes?.stop(), this.#letters?.stop()]);
  }

  async #tell(notice: { readonly subject: string; readonly body: string }): Promise<void> {
    while (!this.#stopped) {
      try {
        return await this.#outlet?.notify?.(notice);
      } catch {
        await this.#backOff.pause();
      }
    }
  }
}

/** Of each session one change is in flight. */
export function changesBy(outlet: Outlet): Leaving<StateChange> {
  return {
    key: keys.change,
    lineOf: ({ workspace, sessionId }) => `${workspace}/${sessionId}`,
    versionOf: ({ version }) => version,
    lastVersion: ({ workspace, sessionId }) => outlet.lastVersion(workspace, sessionId),
    publish: (change) =>
      outlet.publish({
        n: change.n,
        messageId: messageIdOf(change),
        subject: subjects.state(change),
        body: JSON.stringify(change),
      }),
  };
}

/** All letters are one line; one that was sent before is known by its id. */
function lettersBy(outlet: Outlet, incarnation: string): Leaving<DeadLetter> | undefined {
  const post = outlet.publishLetter?.bind(outlet);
  if (!post) return undefined;
  return {
    key: keys.dead,
    lineOf: () => "letters",
    versionOf: ({ n }) => n,
    lastVersion: () => Promise.resolve(0),
    publish: (letter) => post(outgoingLetter(letter, incarnation)),
  };
}
