// Engine
// One store, one journal, one loop: read, apply, commit, release.
//
//   Owns:          starting, taking messages in, releasing what is durable, stopping; stopping after a failed commit.
//   Does not own:  reading on (loop), any rule of what a message means (machines, turn), any technology (adapters).
//
// G1. A message is acknowledged once the journal has it, and applied exactly once: the cursor is in the same commit.
// G4. Changes, answers and reports leave only after their commit.
// G6. The first durable write of a start is the new epoch; after a failed commit this process writes nothing more.

import type { TurnResult, Reply } from "../turn/turn-result.ts";
import { defined, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import { Allowance } from "./allowance.ts";
import { Maintenance } from "./maintenance.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Committer } from "./commit.ts";
import { Defects } from "../errors/defects.ts";
import { OutletPublisher } from "../outbound/outlet-publisher.ts";
import type { EngineOptions } from "./engine-options.ts";
import { RetryableError } from "../errors/errors.ts";
import { sayFirst } from "./first-words.ts";
import { Intake, type Receipt } from "./intake.ts";
import { dueOf } from "../journal/journal-time.ts";
import { keys } from "../rows/keys.ts";
import { type Listener, Listeners } from "../outbound/listeners.ts";
import { Loop } from "./loop.ts";
import { ENGINE, type Message, type OwnMessage } from "../message.ts";
import { logOf, type Meta, openMeta, readMeta } from "../rows/meta.ts";
import { migrate } from "./migration.ts";
import { beginProofs } from "../turn/proof.ts";
import { type JournalFull, Pressure } from "./pressure.ts";
import type { JournalEntry, Store } from "../ports.ts";
import { recordLoss } from "../turn/missing.ts";
import { recoveredReport, type Recovered } from "../outbound/recovery.ts";
import { tellOwner } from "./telling.ts";
import { Timers } from "./timers.ts";
import { PoisonDetector } from "./poison-detector.ts";
import { allOf, type Trouble } from "../errors/trouble.ts";
import { JOURNAL_KEPT } from "../turn/trimming.ts";
import { StoreJournal } from "./store-journal.ts";
import { Waiting } from "./waiting.ts";
import { WorkingSet } from "../rows/working-set.ts";

export type { EngineOptions } from "./engine-options.ts";
export type { Receipt } from "./intake.ts";

const GROUP_MAX = 64;

export class Engine {
  readonly #options: EngineOptions;
  readonly #journal: StoreJournal;
  readonly #rows: WorkingSet;
  readonly defects: Defects;
  readonly watch: ClockWatch;
  readonly #committer: Committer;
  readonly #waiting: Waiting;
  readonly #timers: Timers;
  readonly #listeners: Listeners;
  readonly #abort = new AbortController();
  #publisher: OutletPublisher | undefined;
  #epoch = 0;
  #loop: Loop | undefined;
  #detector: PoisonDetector | undefined;
  #ended: Promise<void> | undefined;
  #fatal: Error | undefined;
  readonly #intake: Intake;
  readonly #pressure: Pressure;
  /** What workspaces may still send. */
  readonly allowance: Allowance;
  readonly #maintenance: Maintenance;
  #recovered: Recovered | undefined;
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
    this.#waiting = new Waiting(store);
    const [fail, meta] = [(error: unknown): void => this.#fail(error), (): Meta => this.meta()];
    const saying = { clock, meta, say: this.#say };
    const watch = (this.watch = new ClockWatch({ ...saying, onClock: options.onClock }));
    const host = { ...saying, store, journal: this.#journal, watch, fail };
    this.#pressure = new Pressure({ ...host, probe: () => this.#say({ type: "tallied" }) });
    this.allowance = new Allowance({ ...saying, rows: this.#rows });
    this.#intake = new Intake(this.#journal, this.#waiting, this.#pressure, fail);
    this.#timers = new Timers(host, this.defects, async ({ address, timer, generation }, at) => {
      await this.own(at.workspace, at.session, { type: "timer.fired", address, timer, generation });
      return dueOf(this.meta());
    });
    this.#maintenance = new Maintenance({
      ...host,
      journalKept: options.journalKept ?? JOURNAL_KEPT,
      published: () => this.#publisher?.published ?? 0,
      floors: () => this.#publisher?.floors() ?? new Map(),
      keepFloors: (floors) => {
        if (!this.#fatal) this.#loop?.keep(floors);
      },
    });
  }

  /**
   * Takes over the store, reads the journal to its end and becomes ready.
   * @returns what it found open (R2), for a report.
   * @throws FatalError, RetryableError as the ports do.
   */
  async start(): Promise<Recovered> {
    const { store, clock, adoptJournal = false, onMigrating = () => undefined } = this.#options;
    const unreadable = (key: string, cause: unknown): void => this.defects.ofRow(key, cause);
    this.#epoch = await store.open();
    await migrate(store, { progress: onMigrating, broken: unreadable });
    const known = openMeta(this.#rows);
    const { meta: opened, lack } = await this.#journal.open(known, adoptJournal, clock.now());
    this.watch.start(opened);
    const { group } = this.#committer;
    if (opened !== readMeta(this.#rows)) group.set(keys.meta, opened);
    beginProofs(group, { isFresh: !known, position: opened.position, build: this.#options.build ?? "" });
    const lost =
      lack && recordLoss(group, known ?? opened, { lack, isStopped: !this.#rows.get(keys.starts) });
    this.#loop = this.#prepare(opened.position, lack?.isSame ?? true);
    await this.#committer.flush();
    const moved = (): void => this.#maintenance.floorMoved();
    const publisher = new OutletPublisher(this.#options, this.#rows, opened, { moved, unreadable });
    const floors = (this.#publisher = publisher).floors();
    this.#ended = this.#loop.run(this.#abort.signal).catch((error: unknown) => this.#fail(error));
    const behind = this.#journal.tail() - opened.position;
    if (this.#journal.tail() > this.meta().position) await this.#waiting.at(this.#journal.tail());
    await sayFirst(this.#say, this.meta(), this.#options);
    const began = { epoch: this.#epoch, at: clock.now(), replayed: behind, ...defined({ lost }) };
    this.#recovered = recoveredReport(store, began);
    publisher.advance(this.meta());
    publisher.report(this.#recovered);
    this.#timers.look();
    this.#maintenance.start(floors);
    this.#detector?.calmDown(clock, () => this.#loop?.sendOff());
    return this.#recovered;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The name of the log of changes: a place in it begins so. */
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

  /** Why the journal accepts nothing; undefined while it does. */
  get journalFull(): JournalFull | undefined {
    return this.#pressure.full;
  }

  /** How far what is durable is behind the journal, and the outlet behind the engine. */
  lag(): { readonly journal: number; readonly outlet: number; readonly waiting: number } {
    const behind = Math.max(0, this.#journal.tail() - (readMeta(this.#rows)?.position ?? 0));
    return { journal: behind, outlet: this.#publisher?.waiting ?? 0, waiting: this.#intake.waiting };
  }

  /** What does not work at the moment, the most important first. */
  troubles(): readonly Trouble[] {
    const clock = this.#recovered ? this.watch.troubles() : [];
    const others = allOf(this.#publisher?.troubles(), this.#maintenance.trouble, clock);
    return allOf(this.#pressure.full, this.#options.journal.troubles?.(), others);
  }

  /** A journal entry, for readers of the past; undefined if there is none, or none any more. */
  entry(position: number): Promise<JournalEntry | undefined> {
    return this.#journal.entry(position);
  }

  /** The durable meta row. */
  meta(): Meta {
    const row = readMeta(this.#rows);
    if (!row)
      throw new RetryableError("NOT_STARTED", "The engine has not started.", "Wait until it is ready.", 1000);
    return row;
  }

  /**
   * Appends a message to the journal.
   * @returns once the journal has it; for a known idempotency key, the reference of the first.
   * @throws RetryableError OVERLOADED beyond 4,096 waiting messages or 16 MiB.
   */
  submit(message: Message): Promise<Receipt> {
    if (this.#recovered) this.watch.look();
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
    return (await this.submit({ door: "own", workspace, session, said })).settled;
  }

  /** Counts what is old enough to be removed, and removes it on request. */
  get retention(): Pick<Maintenance, "due" | "sweep" | "letGo"> {
    return this.#maintenance;
  }

  /** Calls back with every group's changes once they are durable. @returns a function that ends it. */
  onChanges(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /** Finishes what is in flight and releases everything; what waits in the journal is applied at the next start. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#shut();
    await this.#ended;
    await this.#publisher?.stop();
    this.#maintenance.keepFloors();
    if (!this.#fatal) {
      this.#detector?.clear();
      await this.#committer.land();
    }
    this.#waiting.abandon();
    await this.#options.journal.close();
    await this.#options.store.close();
  }

  #prepare(position: number, isSame: boolean): Loop {
    const { store, clock, digest, translate, clients, onDefect = () => undefined } = this.#options;
    const { groupMax = GROUP_MAX } = this.#options;
    const [journal, committer] = [this.#journal, this.#committer];
    const detector = new PoisonDetector({ store, committer, groupMax, position, isSame });
    this.#detector = detector;
    const deps = { digest, translate, clients, epoch: this.#epoch, poison: detector.poison };
    const fail = (error: unknown): void => this.#fail(error);
    return new Loop(position, { journal, clock, committer, detector, deps, onDefect, fail });
  }

  #release(results: readonly TurnResult[], timer: string | undefined): void {
    const changes = results.flatMap((result) => result.changes);
    this.#waiting.settle(results);
    tellOwner(results, this.#options);
    this.#listeners.tell(changes);
    this.#publisher?.advance(this.meta());
    this.#pressure.look();
    this.allowance.landed(results);
    if (!this.#recovered) return;
    this.#timers.look(timer);
    this.#maintenance.look();
  }

  #shut(): void {
    this.#abort.abort();
    this.#intake.close();
    const parts = [this.#timers, this.#maintenance, this.#pressure, this.allowance, this.#detector];
    for (const part of parts) part?.stop();
  }

  #fail(cause: unknown): void {
    if (this.#fatal) return;
    this.#fatal = cause instanceof Error ? cause : new Error(String(cause));
    this.#shut();
    this.#waiting.abandon();
    this.#options.onFatal(this.#fatal);
  }
}
