// Audit log
// Writes an engine's audit rows into a signed log, once a minute, and at a clean stop.
//
//   Owns:          when leaves are written, removing openings, the trouble while the log cannot be written.
//   Does not own:  the leaves (rows.ts), files and signatures (log-writer.ts), where copies of checkpoints go (composition).
//   Decided in:    docs/decisions/0085-an-audit-log-that-proves-itself.md.
//
// AUDIT-LOG-1. Each durable row becomes one leaf, in the order of the rows' numbers. A leaf records which rows the store no
//     longer has.
// AUDIT-LOG-2. No turn waits for the log. The log reads durable rows, a slice at a time, and after a crash it reads again the
//     rows that it had not written. If a checkpoint's copy fails, a trouble is reported until a later copy succeeds.
// AUDIT-LOG-3. A log that was changed from outside stays unchanged, and is reported as a trouble; the engine goes on.
// AUDIT-LOG-4. If the last row came from another store, an entry records that the log begins again.
// AUDIT-LOG-5. A removed opening is gone from its file, and the log records how many were removed. Proofs stay valid.

import { setImmediate as nextTick } from "node:timers/promises";
import {
  type AuditRow,
  entryIn,
  type Leaf,
  NO_OPENING,
  openedRow,
  type OwnEntry,
  ownLeaf,
} from "../../runtime/audit/entry.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { allOf, codeOf, type Trouble } from "../../runtime/errors/trouble.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Signer } from "../../runtime/tlog/note.ts";
import { TILE_WIDTH } from "../../runtime/tlog/tiles.ts";
import { CHECKPOINT, type LogFiles, openingsPath, piecePath } from "./files.ts";
import { LogWriter } from "./log-writer.ts";
import { placeOf } from "./place.ts";
import { type Audited, firstRow, sliceOf } from "./rows.ts";
import { entriesIn } from "../../runtime/tlog/bundles.ts";

export interface AuditLogOptions {
  readonly engine: Audited;
  readonly clock: Clock;
  readonly files: LogFiles;
  /** Called at each opening of the log; the key may be made then. */
  readonly signer: () => Promise<Signer>;
  /** Called with each checkpoint that is on disk; the log does not wait for the callee. */
  readonly onCheckpoint?: (note: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 60_000;
/** How many leaves one checkpoint covers at most, while the log is far behind the rows. */
const LEAVES_MAX = 4 * TILE_WIDTH;

export class AuditLog {
  readonly #options: AuditLogOptions;
  #writer: LogWriter | undefined;
  #next = 1;
  #failing: { readonly error: unknown; readonly since: number } | undefined;
  #cancel = (): void => undefined;
  /** Until the start, the log's folder may belong to another engine. */
  #isStarted = false;
  #isStopping = false;
  #last: Promise<unknown> = Promise.resolve();
  /** Settles once the copies of all checkpoints so far were tried, one after another. */
  #copied: Promise<void> = Promise.resolve();
  #uncopied: { readonly error: unknown; readonly since: number } | undefined;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Begins to follow, once the engine is ready. @returns once the log is open, or has a trouble; rows come later. */
  async start(): Promise<void> {
    this.#isStarted = true;
    const opened = this.#alone(() => this.#tried(() => this.#ready()));
    void this.#alone(() => this.#round());
    await opened;
  }

  /** Writes the rows that exist now, and their copies, and stops. A log that was not started stays unchanged. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancel();
    if (!this.#isStarted) return;
    await this.#alone(() => this.#round());
    await this.#copied;
  }

  /** The newest checkpoint on disk, as it was signed; undefined before the start. @throws the system's error. */
  async head(): Promise<string | undefined> {
    return this.#isStarted ? (await this.#options.files.read(CHECKPOINT))?.toString() : undefined;
  }

  /** Writes the rows that exist now. @throws RefusedError AUDIT_LOG_DIFFERS, BAD_KEY; the system's error. */
  catchUp(): Promise<void> {
    return this.#alone(() => this.#follow());
  }

  /**
   * Removes the openings of rows from the disk: their salt and their content (AUDIT-LOG-5). It covers all rows that are durable
   * now; a later call covers later rows. @returns how many were removed. @throws as `catchUp`.
   */
  erase(isErased: (row: AuditRow) => boolean): Promise<number> {
    return this.#alone(async () => {
      await this.#follow();
      const { files } = this.#options;
      const size = this.#writer?.size ?? 0;
      const found: number[] = [];
      let count = 0;
      for (let n = 0; n * TILE_WIDTH < size; n += 1) {
        const { removed } = await remaining(files, n, size, isErased);
        if (removed > 0) found.push(n);
        count += removed;
        await nextTick();
      }
      if (count === 0) return 0;
      // The removal is recorded first: after a crash in between, nothing was removed without a record.
      await this.#append([this.#own({ kind: "rows-erased", count })]);
      for (const n of found)
        await files.write(openingsPath(n), (await remaining(files, n, size + 1, isErased)).text);
      return count;
    });
  }

  troubles(): readonly Trouble[] {
    return allOf(this.#ownTrouble(), this.#uncopied && uncopied(this.#uncopied));
  }

  #ownTrouble(): Trouble | undefined {
    if (!this.#failing) return undefined;
    const { error, since } = this.#failing;
    if (error instanceof RefusedError) return { ...DIFFERS, next: error.next, since, isEssential: false };
    const message = `The audit log cannot be written (${codeOf(error)}). The store keeps what the log lacks.`;
    const next =
      "Make room on the log's disk, and let the engine's user write there; the engine tries again each minute.";
    return { code: "AUDIT_LOG_STUCK", message, next, since, isEssential: false };
  }

  async #round(): Promise<void> {
    await this.#tried(() => this.#follow());
    if (this.#isStopping) return;
    this.#cancel = this.#options.clock.after(EVERY_MS, () => void this.#alone(() => this.#round()));
  }

  /** A failure is a trouble until a later step succeeds. */
  async #tried(step: () => Promise<unknown>): Promise<void> {
    const { clock, onError } = this.#options;
    try {
      await step();
      this.#failing = undefined;
    } catch (error) {
      if (!this.#failing) onError(error);
      this.#failing = { error, since: this.#failing?.since ?? clock.now() };
    }
  }

  /** Opens the log. @returns the number of the last durable row. */
  async #ready(): Promise<number> {
    const { audits } = this.#options.engine.meta();
    if (!this.#writer) await this.#open(audits);
    return audits;
  }

  /** Writes up to the last durable row. */
  async #follow(): Promise<void> {
    const { engine, clock } = this.#options;
    const last = await this.#ready();
    while (this.#next <= last) {
      const leaves: Leaf[] = [];
      let next = this.#next;
      while (next <= last && leaves.length < LEAVES_MAX) {
        const slice = sliceOf(engine.store, next, last, clock.now());
        leaves.push(...slice.leaves);
        next = slice.next;
        await nextTick();
      }
      await this.#append(leaves);
      this.#next = next;
    }
  }

  async #append(leaves: readonly Leaf[]): Promise<void> {
    try {
      const note = await this.#writer?.append(leaves);
      // The disk of the copy may not answer, so the log does not wait for the copy.
      if (note !== undefined) this.#copied = this.#copied.then(() => this.#copy(note));
    } catch (error) {
      this.#writer = undefined;
      throw error;
    }
  }

  async #copy(note: string): Promise<void> {
    const { onCheckpoint, onError, clock } = this.#options;
    try {
      await onCheckpoint?.(note);
      this.#uncopied = undefined;
    } catch (error) {
      if (!this.#uncopied) onError(error);
      this.#uncopied = { error, since: this.#uncopied?.since ?? clock.now() };
    }
  }

  async #open(last: number): Promise<void> {
    const { files, signer, engine } = this.#options;
    const writer = await LogWriter.open(files, await signer());
    const { store, incarnation } = engine;
    const place = await placeOf(files, writer.size, store, last);
    this.#writer = writer;
    if (typeof place === "object") this.#next = place.next;
    else {
      // AUDIT-LOG-4
      const from = place === "behind" ? last + 1 : firstRow(store, last, last + 1);
      await this.#append([this.#own({ kind: "log-begun", store: incarnation, from })]);
      this.#next = from;
    }
  }

  #own(said: Unstamped): Leaf {
    return ownLeaf({ v: 1, at: this.#options.clock.now(), ...said });
  }

  /** Runs a step after the earlier ones, however they ended. */
  #alone<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => {
      // The step's caller gets the error.
    });
    return turn;
  }
}

type Unstamped = OwnEntry extends infer E ? (E extends OwnEntry ? Omit<E, "v" | "at"> : never) : never;

const uncopied = ({ error, since }: { readonly error: unknown; readonly since: number }): Trouble => ({
  code: "CHECKPOINTS_STAY",
  message: `The audit log's newest checkpoint was not copied (${codeOf(error)}); the log itself goes on.`,
  next: "Check that the file of --checkpoint-file can be written, and run the command of --checkpoint-cmd by hand. The next checkpoint is copied again.",
  ...{ since, isEssential: false },
});

const DIFFERS = {
  code: "AUDIT_LOG_DIFFERS",
  message:
    "The audit log was changed after it was written, so nothing is added to it. The engine itself goes on.",
} as const;

/** The remaining openings of a bundle. */
interface Remaining {
  readonly text: string;
  readonly removed: number;
}

/** @param size the size of the log. @throws RefusedError BAD_OPENING if an opening does not fit its entry. */
async function remaining(
  files: LogFiles,
  n: number,
  size: number,
  isErased: (row: AuditRow) => boolean,
): Promise<Remaining> {
  const width = Math.min(TILE_WIDTH, size - n * TILE_WIDTH);
  const bundle = await files.read(piecePath("entries", n, width));
  const lines = (await files.read(openingsPath(n)))?.toString().split("\n") ?? [];
  const entries = bundle ? entriesIn(bundle).map(entryIn) : [];
  let removed = 0;
  const kept = entries.map((entry, at) => {
    const line = lines[at] ?? NO_OPENING;
    const row = openedRow(entry, line);
    if (!row || !isErased(row)) return line;
    removed += 1;
    return NO_OPENING;
  });
  return { text: kept.map((line) => `${line}\n`).join(""), removed };
}
