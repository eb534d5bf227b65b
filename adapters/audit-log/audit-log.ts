// Audit log
// Writes an engine's audit rows into a signed log, once a minute, and at a clean stop.
//
//   Owns:          when leaves are written, removing openings, the trouble that is reported while the log cannot be written.
//   Does not own:  the leaves (rows.ts), files and signatures (log-writer.ts), where copies of checkpoints go (composition).
//   Decided in:    docs/decisions/0085-an-audit-log-that-proves-itself.md.
//
// AUDIT-LOG-1. Each durable audit row becomes one leaf, in the order of the rows' numbers. Leaves also record missing rows.
// AUDIT-LOG-2. No turn waits for the log. The log reads durable rows, a slice at a time, and after a crash it reads the rows
//     again that had not become leaves. If a checkpoint's copy fails, a trouble is reported until a later copy succeeds.
// AUDIT-LOG-3. If somebody else changed the log, the engine leaves the log as it is, reports a trouble, and goes on.
// AUDIT-LOG-4. If the log's last row came from another store, an entry records that the log begins again.
// AUDIT-LOG-5. A removed opening is deleted from its file, and the log records how many openings were removed. Proofs stay
//     valid. After a crash a removal goes on without being recorded a second time, because recording too many removals would
//     hide that somebody else removed openings.

import { setImmediate as nextTick } from "node:timers/promises";
import {
  type AuditRow,
  entryIn,
  isOfRow,
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
  /** Gives the key that signs the log. Called each time the log is opened; the first call may make the key. */
  readonly signer: () => Promise<Signer>;
  /** Called with each checkpoint once it is on disk; the log does not wait for the called function. */
  readonly onCheckpoint?: (note: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 60_000;
/** The most leaves that one checkpoint adds. The limit matters while the log is far behind the rows. */
const LEAVES_MAX = 4 * TILE_WIDTH;

export class AuditLog {
  readonly #options: AuditLogOptions;
  #writer: LogWriter | undefined;
  #next = 1;
  /** What fails at the moment: writing the log, or copying its newest checkpoint. */
  readonly #failing = new Map<"log" | "copy", Failure>();
  #cancel = (): void => undefined;
  /** False until the start: until then, the log's folder may belong to another engine. */
  #isStarted = false;
  #isStopping = false;
  #last: Promise<unknown> = Promise.resolve();
  /** Settles once every checkpoint so far was copied, or could not be copied. Copies are made one after another. */
  #copied: Promise<void> = Promise.resolve();

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /**
   * Begins to write the audit rows, once the engine is ready.
   * @returns once the log is open, or has a trouble; rows come later.
   */
  async start(): Promise<void> {
    this.#isStarted = true;
    const opened = this.#alone(() => this.#tried("log", () => this.#ready()));
    void this.#alone(() => this.#round());
    await opened;
  }

  /** Writes the rows that exist now, copies their checkpoints, and stops. A log that was not started stays unchanged. */
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
   * Removes openings (AUDIT-LOG-5) of the rows that are durable at the call.
   * @returns how many were removed.
   * @throws as `catchUp`.
   */
  erase(isErased: (row: AuditRow) => boolean): Promise<number> {
    return this.#alone(async () => {
      const { bundles, count, left } = await this.#found(isErased);
      if (count === 0) return 0;
      // The log records the removal before it removes anything, so that a crash leaves no removal without a record. Openings
      // that were recorded as removed before a crash, but are still there, are not recorded again.
      if (count > left) await this.#append([this.#own({ kind: "rows-erased", count: count - left })]);
      const { files } = this.#options;
      const size = this.#writer?.size ?? 0;
      for (const n of bundles)
        await files.write(openingsPath(n), (await remaining(files, n, size, isErased)).text);
      return count;
    });
  }

  /** Counts the openings of the selected rows, among the rows that are durable at the call. @throws as `catchUp`. */
  count(isCounted: (row: AuditRow) => boolean): Promise<number> {
    return this.#alone(async () => (await this.#found(isCounted)).count);
  }

  /** Finds openings. @returns their bundles, their count, and how many are still there although they are recorded as removed. */
  async #found(isWanted: (row: AuditRow) => boolean) {
    await this.#follow();
    const size = this.#writer?.size ?? 0;
    const bundles: number[] = [];
    let count = 0;
    let left = 0;
    for (let n = 0; n * TILE_WIDTH < size; n += 1) {
      const { wanted, missing, recorded } = await remaining(this.#options.files, n, size, isWanted);
      if (wanted > 0) bundles.push(n);
      count += wanted;
      left += recorded - missing;
      await nextTick();
    }
    // If more openings are missing than recorded as removed, somebody else removed some, and the log must still show this.
    return { bundles, count, left: Math.max(0, left) };
  }

  troubles(): readonly Trouble[] {
    const [unwritten, uncopied] = [this.#failing.get("log"), this.#failing.get("copy")];
    return allOf(unwritten && stuck(unwritten), uncopied && stays(uncopied));
  }

  async #round(): Promise<void> {
    await this.#tried("log", () => this.#follow());
    if (this.#isStopping) return;
    this.#cancel = this.#options.clock.after(EVERY_MS, () => void this.#alone(() => this.#round()));
  }

  /** Runs a step. If the step fails, what it is for has a trouble until a later step succeeds. */
  async #tried(what: "log" | "copy", step: () => Promise<unknown>): Promise<void> {
    const { clock, onError } = this.#options;
    try {
      await step();
      this.#failing.delete(what);
    } catch (error) {
      const before = this.#failing.get(what);
      if (!before) onError(error);
      this.#failing.set(what, { error, since: before?.since ?? clock.now() });
    }
  }

  /** Opens the log unless it is open. @returns the number of the last durable row. */
  async #ready(): Promise<number> {
    const { audits } = this.#options.engine.meta();
    if (!this.#writer) await this.#open(audits);
    return audits;
  }

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
    const { onCheckpoint } = this.#options;
    try {
      const note = await this.#writer?.append(leaves);
      // The disk with the log's copy may hang, so the log does not wait until the copy is written.
      if (note !== undefined && onCheckpoint)
        this.#copied = this.#copied.then(() => this.#tried("copy", () => onCheckpoint(note)));
    } catch (error) {
      this.#writer = undefined;
      throw error;
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
      // AUDIT-LOG-4: an entry records that the log goes on with rows that do not follow its last row.
      const from = place === "behind" ? last + 1 : firstRow(store, last);
      await this.#append([this.#own({ kind: "log-begun", store: incarnation, from })]);
      this.#next = from;
    }
  }

  #own(said: Unstamped): Leaf {
    return ownLeaf({ v: 1, at: this.#options.clock.now(), ...said });
  }

  /** Runs a step once all earlier steps have ended, even if some failed. */
  #alone<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => {
      // The step's caller gets the error.
    });
    return turn;
  }
}

type Unstamped = OwnEntry extends infer E ? (E extends OwnEntry ? Omit<E, "v" | "at"> : never) : never;

interface Failure {
  readonly error: unknown;
  readonly since: number;
}

function stuck({ error, since }: Failure): Trouble {
  if (error instanceof RefusedError) return { ...DIFFERS, next: error.next, since, isEssential: false };
  const message = `The engine cannot write the audit log (${codeOf(error)}). The store keeps the missing rows.`;
  const next =
    "Make room on the log's disk, and let the engine's user write there; the engine tries again each minute.";
  return { code: "AUDIT_LOG_STUCK", message, next, since, isEssential: false };
}

const stays = ({ error, since }: Failure): Trouble => ({
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

/**
 * @param size how many leaves the log has.
 * @returns a bundle's openings without the wanted ones, and how many are wanted, are missing, and are recorded as removed.
 * @throws RefusedError BAD_OPENING for a wrong opening.
 */
async function remaining(files: LogFiles, n: number, size: number, isWanted: (row: AuditRow) => boolean) {
  const width = Math.min(TILE_WIDTH, size - n * TILE_WIDTH);
  const bundle = await files.read(piecePath("entries", n, width));
  const lines = (await files.read(openingsPath(n)))?.toString().split("\n") ?? [];
  const entries = bundle ? entriesIn(bundle).map(entryIn) : [];
  let [wanted, missing, recorded] = [0, 0, 0];
  const kept = entries.map((entry, at) => {
    const line = lines[at] ?? NO_OPENING;
    const row = openedRow(entry, line);
    if (!row && isOfRow(entry)) missing += 1;
    if (!isOfRow(entry) && entry.kind === "rows-erased") recorded += entry.count;
    if (!row || !isWanted(row)) return line;
    wanted += 1;
    return NO_OPENING;
  });
  return { text: kept.map((line) => `${line}\n`).join(""), wanted, missing, recorded };
}
