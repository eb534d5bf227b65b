// Rig
// An engine on the reference adapters that a test can wrap, stop, restart and inspect.
//
//   Owns:          composing, handing it inputs directly, waiting until nothing moves, reading the store back.
//   Does not own:  what the inputs are (said), what their effects should be.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import type { SessionId, SourceInput, WorkspaceId } from "../../../machines/index.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine, type EngineOptions, type Receipt } from "../../../runtime/engine/engine.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import type { Journal, Store } from "../../../runtime/ports.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { after, keys } from "../../../runtime/rows/keys.ts";
import { decodeTurnChanges } from "../../../runtime/rows/turn-changes.ts";
import { MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "./manual-clock.ts";
import { clients, translate as translateClient } from "../../../adapters/composition/clients.ts";

export const WORKSPACE = "w" as WorkspaceId;
export const START_MS = 1_800_000_000_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** `test.inputs` carries inputs directly; `test.refused` and `test.broken` cannot be translated. */
export function translate(message: SourceMessage): readonly SourceInput[] {
  switch (message.type) {
    case "test.inputs":
      return message.data as readonly SourceInput[];
    case "test.refused":
      throw new RefusedError("BAD_SHAPE", "It has the wrong shape.", "Send it right.", "data.x");
    case "test.broken":
      throw new TypeError("a defect of the translator");
    default:
      return translateClient(message);
  }
}

const same = <T>(part: T): T => part;

export interface RigOptions extends Partial<Omit<EngineOptions, "store" | "journal">> {
  readonly disk?: MemoryDisk;
  readonly manual?: ManualClock;
  readonly wrapStore?: (store: Store) => Store;
  readonly wrapJournal?: (journal: Journal) => Journal;
}

/** The most entries that may follow from one step of a test. */
const QUIET_WITHIN = 5_000;

export class Rig {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly disk: MemoryDisk;
  readonly fatals: Error[] = [];
  readonly defects: unknown[] = [];
  /** Everything released to listeners, in order. */
  readonly changes: StateChange[] = [];
  readonly options: RigOptions;
  readonly #journal: Journal;
  #told = 0;

  constructor(options: RigOptions = {}) {
    const { disk = new MemoryDisk("rig"), manual = new ManualClock(START_MS), ...rest } = options;
    const { wrapStore = same<Store>, wrapJournal = same<Journal>, ...engine } = rest;
    this.options = options;
    this.disk = disk;
    this.clock = manual;
    this.#journal = wrapJournal(new MemoryJournal(disk, manual));
    this.engine = new Engine({
      store: wrapStore(new MemoryStore(disk)),
      journal: this.#journal,
      clock: manual,
      digest: digestId,
      clients,
      translate,
      onFatal: (error) => this.fatals.push(error),
      onDefect: (error) => this.defects.push(error),
      ...engine,
    });
    this.engine.onChanges((changes) => this.changes.push(...changes));
  }

  static async start(options: RigOptions = {}): Promise<Rig> {
    const rig = new Rig(options);
    await rig.engine.start();
    return rig;
  }

  /** A message with its own id, unless `other` names one. */
  message(
    session: string,
    inputs: readonly SourceInput[],
    other: Partial<SourceMessage> = {},
  ): SourceMessage {
    this.#told += 1;
    return {
      door: "in",
      workspace: WORKSPACE,
      session: session as SessionId,
      source: "test",
      id: `m${this.disk.tail}-${this.#told}`,
      type: "test.inputs",
      data: inputs,
      ...other,
    };
  }

  submit(
    session: string,
    inputs: readonly SourceInput[],
    other: Partial<SourceMessage> = {},
  ): Promise<Receipt> {
    return this.engine.submit(this.message(session, inputs, other));
  }

  /** One message of these inputs; @returns its result, once durable. */
  async tell(session: string, ...inputs: SourceInput[]): Promise<Reply> {
    return (await this.submit(session, inputs)).settled;
  }

  /** Advances the clock, waiting after each step until all effects are durable. */
  async pass(ms: number, stepMs = 10 * MINUTE_MS): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.clock.advance(Math.min(left, stepMs));
      await this.quiet();
    }
  }

  /** Waits until every journal entry is durable in the store and no new one follows. */
  async quiet(): Promise<void> {
    const most = this.disk.tail + QUIET_WITHIN;
    for (let calm = 0; calm < 5;) {
      if (this.disk.tail > most) throw new Error("The engine never comes to rest.");
      if (this.fatals.length > 0) throw new Error("The engine died.", { cause: this.fatals[0] });
      await nextTick();
      calm = this.engine.meta().position === this.disk.tail ? calm + 1 : 0;
    }
  }

  /** A new engine on the same disk and clock; the one before must have stopped or been killed. */
  restart(options: RigOptions = {}): Promise<Rig> {
    return Rig.start({ ...this.options, ...options, disk: this.disk, manual: this.clock });
  }

  /** Ends it like a killed process: what it would do from now on reaches nothing. */
  kill(): void {
    void this.#journal.close();
  }

  rows(prefix = ""): Map<string, string> {
    return rowsOf(this.disk, prefix);
  }

  /** The log of changes, as it stands in the store. */
  log(): readonly StateChange[] {
    return changesIn(this.rows(keys.changes));
  }

  /** A row of the store, parsed; undefined if there is none. */
  row(key: string): unknown {
    const text = this.disk.rows.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The engine's own messages of one kind, from the journal. */
  saidOwn(type: string): readonly Record<string, unknown>[] {
    return this.disk.entries.flatMap(({ position, at, body }) => {
      const { door, said } = JSON.parse(body) as { door: string; said?: { type: string } };
      return door === "own" && said?.type === type ? [{ position, at, ...said }] : [];
    });
  }

  /** The state of an actor, from its snapshot; undefined if there is none. */
  state(address: string): unknown {
    return (this.row(`actor/${WORKSPACE}/${address}`) as { value: unknown } | undefined)?.value;
  }
}

/** The changes in rows of the store, in order; other rows are skipped. */
export function changesIn(rows: Iterable<readonly [key: string, text: string]>): readonly StateChange[] {
  return [...rows].flatMap(([key, text]) =>
    key.startsWith(keys.changes) ? decodeTurnChanges(text).changes : [],
  );
}

/** Writes the log as version 0.1.0 did, one row a change, so that a test can lose or damage a single one. */
export function splitLog(disk: MemoryDisk): void {
  const rows = [...disk.rows.range({ gte: keys.changes, lt: after(keys.changes) })];
  for (const [key] of rows) disk.rows.delete(key);
  for (const change of changesIn(rows)) disk.rows.set(keys.change(change.n), JSON.stringify(change));
}

export function rowsOf(disk: MemoryDisk, prefix = ""): Map<string, string> {
  return new Map(disk.rows.range({ gte: prefix === "" ? " " : prefix, lt: `${prefix}~` }));
}
