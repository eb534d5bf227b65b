// Engine
// The engine: with one store, one journal and one loop, it reads entries, applies them, commits the results and releases them.
//
//   Owns:          starting, taking messages in, releasing what is durable, stopping; stopping after a failed commit.
//   Does not own:  reading the journal (loop), the meaning of a message (machines, turn), any technology (adapters).
//
// G1. A message is acknowledged once the journal has it, and is applied exactly once, because its results and the cursor are in
//     the same commit.
// G4. Changes, answers and reports leave the engine only after their commit.
// G6. The first durable write of a start is the new epoch; after a failed commit this process writes nothing more.

import type { TurnResult, Reply } from "../turn/turn-result.ts";
import { defined, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import { Allowance } from "./allowance.ts";
import type { Maintenance } from "./maintenance.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Committer } from "./commit.ts";
import { Defects } from "../errors/defects.ts";
import { GROUP_MAX, loopFrom, openRows } from "./opening.ts";
import type { EngineOptions } from "./engine-options.ts";
import { RetryableError } from "../errors/errors.ts";
import { Intake, type Receipt } from "./intake.ts";
import { type Listener, Listeners } from "../outbound/listeners.ts";
import type { Loop } from "./loop.ts";
import { Mandate } from "./mandate.ts";
import { ENGINE, type Message, type OwnMessage } from "../message.ts";
import { logOf, type Meta, readMeta } from "../rows/meta.ts";
import { type JournalFull, Pressure } from "./pressure.ts";
import type { JournalEntry, Store } from "../ports.ts";
import { recoveredReport, type Recovered } from "../outbound/recovery.ts";
import { checkSamePartition } from "./same-partition.ts";
import { sayFirst, Speaking } from "./speaking.ts";
import { Telling } from "./telling.ts";
import type { PoisonDetector } from "./poison-detector.ts";
import { allOf, type Trouble } from "../errors/trouble.ts";
import { StoreJournal } from "./store-journal.ts";
import { Waiting } from "./waiting.ts";
import { WorkingSet } from "../rows/working-set.ts";

export type { EngineOptions, Receipt };

export class Engine {
  readonly #options: EngineOptions;
  readonly #journal: StoreJournal;
  readonly #rows: WorkingSet;
  readonly defects: Defects;
  readonly watch: ClockWatch;
  readonly #committer: Committer;
  readonly #waiting: Waiting;
  readonly #listeners: Listeners;
  readonly #telling = new Telling();
  readonly #abort = new AbortController();
  #epoch = 0;
  #loop: Loop | undefined;
  #detector: PoisonDetector | undefined;
  #ended: Promise<void> | undefined;
  #fatal: Error | undefined;
  readonly #intake: Intake;
  readonly #pressure: Pressure;
  readonly allowance: Allowance;
  readonly #speaking: Speaking;
  /** The part that knows whether this engine may write and publish, and who owns its journal. */
  readonly mandate: Mandate;
  #recovered: Recovered | undefined;
  /** Makes the report of what is open now and what this start found; undefined before the start. */
  #report: (() => Recovered) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#journal = new StoreJournal(options.journal, options.clients.defaults);
    const { store, clock, groupMax = GROUP_MAX, passivateAlways = false } = options;
    this.#rows = new WorkingSet(store);
    this.#committer = new Committer(store, this.#rows, { groupMax, passivateAlways }, (results, timer) =>
      this.#release(results, timer),
    );
    const defect = (error: unknown): void => options.onDefect?.(error, this.#loop?.applied ?? 0);
    this.defects = new Defects(defect);
    this.#listeners = new Listeners(defect);
    this.#waiting = new Waiting(store, (position) => this.mandate.tells(position));
    const [fail, meta] = [(error: unknown): void => this.#fail(error), (): Meta => this.meta()];
    const saying = { clock, meta, say: this.#say };
    this.mandate = new Mandate(options.cluster, {
      ...{ store, clock, meta, build: options.build ?? "", floors: () => this.#speaking.floors() },
      ...{ journal: this.#journal, waiting: this.#waiting },
      append: async (said) => (await this.#intake.take({ door: "own", ...ENGINE, said })).position,
      keep: (floors) => this.#loop?.keep(floors),
      isReady: () => this.isReady,
    });
    const watch = (this.watch = new ClockWatch({ ...saying, onClock: options.onClock }));
    const trimTo = this.mandate.trimTo.bind(this.mandate);
    const host = { ...saying, store, journal: this.#journal, watch, fail, trimTo };
    this.#pressure = new Pressure({ ...host, probe: () => this.#say({ type: "tallied" }) });
    this.allowance = new Allowance({ ...saying, rows: this.#rows });
    this.#intake = new Intake(this.#journal, this.#waiting, this.#pressure, fail);
    this.#speaking = new Speaking({
      ...{ ...host, options, rows: this.#rows, defects: this.defects },
      own: (workspace, session, said) => this.own(workspace, session, said),
      keepFloors: (floors) => {
        if (!this.#fatal) this.#loop?.keep(floors);
      },
    });
  }

  /**
   * Takes over the store, reads the journal to its end and becomes ready. @returns what the start found open (R2), for a
   * report.
   * @throws FatalError, RetryableError as the ports do. If start failed before the journal was open, it may be called again.
   */
  async start(): Promise<Recovered> {
    const { store, clock, cluster: { follows = false } = {} } = this.#options;
    const fail = this.#fail.bind(this);
    if (this.#epoch === 0 || this.#loop) this.#epoch = await store.open();
    const [options, committer] = [this.#options, this.#committer];
    const parts = { options, journal: this.#journal, rows: this.#rows, committer };
    const found = await openRows(parts);
    const { meta: opened, lost } = found;
    this.watch.start(opened);
    const { loop, detector } = loopFrom(found, { ...parts, epoch: this.#epoch, fail });
    [this.#loop, this.#detector] = [loop, detector];
    await committer.flush();
    if (!this.mandate.needsTerm(opened)) this.#speaking.publish(opened);
    this.mandate.turn("opened");
    this.#ended = loop.run(this.#abort.signal).catch(fail);
    const behind = this.#journal.tail() - opened.position;
    const end = await this.mandate.end(this.#journal.tail(), this.#abort.signal);
    if (end > this.meta().position) await this.#waiting.at(end);
    this.mandate.turn("caught-up");
    checkSamePartition(this.meta().configuration, store, options.configuration);
    const began = { epoch: this.#epoch, replayed: behind, ...defined({ lost }) };
    this.#report = () => recoveredReport(store, { ...began, at: clock.now() });
    if (follows) this.#recovered = this.#report();
    else if (!(await this.lead())) throw this.mandate.elsewhere();
    detector.calmDown(clock, () => loop.sendOff());
    return this.#recovered ?? this.#report();
  }

  /**
   * Makes this engine the owner: takes the next term if the journal has terms, and then fires deadlines and publishes.
   * @returns false if another engine took that term first. @throws as an append does.
   */
  async lead(): Promise<boolean> {
    const report = this.#report;
    if (!report) return false;
    if (this.mandate.needsTerm(this.meta())) {
      this.mandate.turn("silence");
      if (!(await this.mandate.claim())) return false;
      this.watch.start(this.meta());
    } else this.mandate.goOn();
    const floors = this.#speaking.publish(this.meta()).floors();
    await sayFirst(this.#say, this.meta(), this.#options);
    this.mandate.speak();
    this.#speaking.begin(floors, (this.#recovered = report()));
    return true;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The name of the change log. Every place in the log begins with this name. */
  get incarnation(): string {
    const row = readMeta(this.#rows);
    return row ? logOf(row) : "";
  }

  get store(): Store {
    return this.#options.store;
  }

  get recovered(): Recovered | undefined {
    return this.#recovered;
  }

  get isReady(): boolean {
    return this.#recovered !== undefined && this.#fatal === undefined && !this.#abort.signal.aborted;
  }

  /** Why the journal accepts nothing; undefined while it accepts messages. */
  get journalFull(): JournalFull | undefined {
    return this.#pressure.full;
  }

  /** How far the durable state lags behind the journal, and the outlet behind the engine. */
  lag(): { readonly journal: number; readonly outlet: number; readonly waiting: number } {
    const behind = Math.max(0, this.#journal.tail() - (readMeta(this.#rows)?.position ?? 0));
    return { journal: behind, outlet: this.#speaking.publisher?.waiting ?? 0, waiting: this.#intake.waiting };
  }

  /** What does not work at the moment, the most important first. */
  troubles(): readonly Trouble[] {
    const clock = this.#recovered ? this.watch.troubles() : [];
    const others = allOf(this.#speaking.publisher?.troubles(), this.#speaking.maintenance.trouble, clock);
    return allOf(this.#pressure.full, this.#options.journal.troubles?.(), others, this.#telling.trouble);
  }

  /** A journal entry, for queries of the past; undefined if it does not exist, or was trimmed. */
  entry(position: number): Promise<JournalEntry | undefined> {
    return this.#journal.entry(position);
  }

  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  meta(): Meta {
    const row = readMeta(this.#rows);
    if (!row)
      throw new RetryableError("NOT_STARTED", "The engine has not started.", "Try again shortly.", 1000);
    return row;
  }

  /**
   * Appends a message to the journal.
   * @returns once the journal has it; for a known idempotency key, the position and the reply of the first message with this
   * key.
   * @throws RetryableError OVERLOADED beyond 4,096 waiting messages or 16 MiB.
   */
  submit(message: Message): Promise<Receipt> {
    const refusal = this.mandate.refusalOf(message);
    if (refusal) return Promise.reject(refusal);
    if (this.mandate.speaks) this.watch.look();
    return this.#intake.take(message);
  }

  /** The present or future reply under an idempotency key; undefined for a key not seen before. */
  known(key: string): Promise<Reply> | undefined {
    return this.#waiting.attach(key);
  }

  /** True if `count` messages of `bytes` in all can be taken in now. */
  hasRoom(count: number, bytes: number): boolean {
    return this.#intake.hasRoom(count, bytes);
  }

  readonly #say = (said: OwnMessage["said"]): Promise<Reply> =>
    this.own(ENGINE.workspace, ENGINE.session, said);

  /** Writes an own message. @returns its result, once durable. */
  async own(workspace: WorkspaceId, session: SessionId, said: OwnMessage["said"]): Promise<Reply> {
    const term = this.mandate.stamp(said);
    return (await this.submit({ door: "own", workspace, session, said, ...term })).settled;
  }

  /** The part that counts what is old enough to be removed, and removes it on request. */
  get retention(): Pick<Maintenance, "due" | "sweep" | "letGo"> {
    return this.#speaking.maintenance;
  }

  /** Calls back with every group's changes once they are durable. @returns a function that ends these calls. */
  onChanges(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /** Finishes the commits in flight, and closes everything. The next start applies the entries that wait in the journal. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#shut();
    await this.#ended;
    await this.#speaking.publisher?.stop();
    this.#speaking.maintenance.keepFloors();
    if (!this.#fatal) {
      this.#detector?.clear();
      await this.#committer.land();
    }
    this.#waiting.abandon();
    await this.#options.journal.close();
    await this.#options.store.close();
  }

  #release(results: readonly TurnResult[], timer: string | undefined): void {
    this.#telling.tell(results, this.#options);
    const ending = this.mandate.ending(this.meta());
    if (ending) {
      void this.#speaking.publisher?.stop();
      return this.#fail(ending);
    }
    this.#waiting.settle(results);
    this.#listeners.tell(results.flatMap((result) => result.changes));
    if (this.mandate.isSilent) return;
    this.#speaking.publisher?.advance(this.meta());
    this.#pressure.look();
    this.allowance.landed(results);
    if (this.mandate.speaks) this.#speaking.look(timer);
  }

  #shut(): void {
    this.#abort.abort();
    this.#intake.close();
    for (const part of [this.#speaking, this.#pressure, this.allowance, this.#detector]) part?.stop();
  }

  #fail(cause: unknown): void {
    if (this.#fatal) return;
    this.#fatal = cause instanceof Error ? cause : new Error(String(cause));
    this.#shut();
    this.#waiting.abandon();
    this.#options.onFatal(this.#fatal);
  }
}
