// Spool
// The folder in which hooks leave their messages, and the reader that passes them to the engine.
//
//   Owns:          the order in which files are read; which files are not read, and that each of these gets a dead letter.
//   Does not own:  the files' content (spool-file, runtime/door), writing them (adapters/install, adapters/gate).
//
// SPOOL-1. Files are read in the order in which they were finished, to the nanosecond. If the file system shows no difference,
//     the numbers in their names decide: second, process, running number. A file is removed once the journal has it. If an engine
//     died in between, the file is read again under the same id.
// SPOOL-2. A file that belongs to another user, or that others may write, is not read. A file that is too old, too large or
//     incomplete is not applied. Each becomes a dead letter. One dead letter counts the files that a full spool dropped. An entry
//     that cannot be removed, such as a folder, also gets one dead letter, and is ignored afterwards.
// SPOOL-3. While the engine accepts nothing, files stay in the folder.

import { constants, type FSWatcher, watch } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isCode, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { RAW_BYTES_MAX, tooLarge } from "../../runtime/limits.ts";
import type { Clock } from "../../runtime/ports.ts";
import { readSpooled, type Spooled } from "./spool-file.ts";

/** A spooled file as the reader gets it. */
export interface Found extends Spooled {
  /** The file's own id, which never changes. */
  readonly id: string;
  /** When the hook had written it, ms. */
  readonly time: number;
}

export interface SpoolOptions {
  readonly dir: string;
  readonly clock: Clock;
  /** Resolves once the journal has the file's message. @throws RefusedError after a dead letter was written; RetryableError. */
  readonly take: (found: Found) => Promise<void>;
  /** Makes a dead letter of a file that was not read. */
  readonly refuse: (error: RefusedError, body: Uint8Array, bytes: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const NAME = /^\d+-\d+(-\d+)?$/;
const DRAFT = /^\.\d+-\d+/;
/** In this file, hooks count with one byte each what they dropped because the spool was full. */
const DROPPED = "dropped";
const AGE_MAX_MS = 7 * 86_400_000;
const DRAFT_AGE_MAX_MS = 3_600_000;
const LOOK_MS = 1_000;
const HEAD_BYTES = 16 * 1024;
const FILE_BYTES_MAX = RAW_BYTES_MAX + 1024;
const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

interface Listed {
  readonly name: string;
  readonly at: bigint;
}

export class Spool {
  readonly #options: SpoolOptions;
  readonly #told = new Set<string>();
  /** Entries that have their dead letter, and could not be removed. */
  readonly #stuck = new Set<string>();
  #watcher: FSWatcher | undefined;
  #cancel = (): void => undefined;
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Reads new files from now on, and soon the existing ones. */
  async start(): Promise<void> {
    const { dir, onError } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    try {
      this.#watcher = watch(dir, { persistent: false }, () => void this.drain().catch(onError));
      this.#watcher.on("error", onError);
    } catch (error) {
      // If the system cannot watch the folder, the engine looks for files from time to time.
      onError(error);
    }
    this.#lookAgain();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#cancel();
    this.#watcher?.close();
    await this.#running;
  }

  /** @returns once all files that existed at the call are read, or have to stay. */
  drain(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#pass().catch(this.#options.onError);
      return this.#running;
    });
    return this.#next;
  }

  #lookAgain(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      if (this.#isOver) return;
      this.drain().catch(this.#options.onError);
      this.#lookAgain();
    });
  }

  async #pass(): Promise<void> {
    for (const { name } of await this.#listed()) {
      if (this.#isOver) return;
      try {
        await this.#takeOne(name);
      } catch (error) {
        if (error instanceof RetryableError) return;
        // The file stays, and the engine tries it again; the error is reported only once.
        if (!this.#told.has(name)) this.#options.onError(error);
        this.#told.add(name);
      }
    }
  }

  /** The files in the order of SPOOL-1. */
  async #listed(): Promise<readonly Listed[]> {
    const { dir } = this.#options;
    const listed: Listed[] = [];
    for (const name of await readdir(dir)) {
      if (name === DROPPED) await this.#countDropped();
      const isDraft = DRAFT.test(name);
      if (!isDraft && !NAME.test(name)) continue;
      const found = await stat(join(dir, name), { bigint: true }).catch(() => undefined);
      if (!isDraft) listed.push({ name, at: found?.mtimeNs ?? 0n });
      else if (found && this.#ageOf(found.mtimeNs) > DRAFT_AGE_MAX_MS) await this.#dropDraft(name);
    }
    return listed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : byNumbers(a.name, b.name)));
  }

  async #takeOne(name: string): Promise<void> {
    if (this.#stuck.has(name)) return;
    const path = join(this.#options.dir, name);
    const file = await open(path, CAREFULLY).catch((error: unknown) => {
      if (isCode(error, "ENOENT")) return undefined;
      if (isCode(error, "ELOOP", "EACCES", "ENXIO")) return "foreign";
      throw error;
    });
    if (file === undefined) return;
    if (file === "foreign") return this.#refuse(name, foreign(name));
    try {
      await this.#takeOpened(name, file);
    } finally {
      await file.close();
    }
  }

  async #takeOpened(name: string, file: FileHandle): Promise<void> {
    const found = await file.stat({ bigint: true });
    const isMine = process.getuid === undefined || found.uid === BigInt(process.getuid());
    if (!found.isFile() || !isMine || found.nlink !== 1n || (found.mode & 0o022n) !== 0n)
      return this.#refuse(name, foreign(name));
    const bytes = Number(found.size);
    if (bytes > FILE_BYTES_MAX) return this.#refuse(name, tooLarge(bytes, RAW_BYTES_MAX), bytes);
    const whole = await file.readFile();
    if (this.#ageOf(found.mtimeNs) > AGE_MAX_MS) return this.#refuse(name, tooOld(name), bytes, whole);
    try {
      const id = `spool-${name}-${found.mtimeNs}`;
      await this.#options.take({ ...readSpooled(whole), id, time: Number(found.mtimeNs / 1_000_000n) });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === "NOT_SPOOLED") return this.#refuse(name, error, bytes, whole);
    }
    await this.#remove(name);
  }

  async #refuse(name: string, error: RefusedError, bytes = 0, body = new Uint8Array()): Promise<void> {
    await this.#options.refuse(error, body.subarray(0, HEAD_BYTES), bytes);
    await this.#remove(name).catch((stays: unknown) => {
      this.#stuck.add(name);
      this.#options.onError(stays);
    });
  }

  async #remove(name: string): Promise<void> {
    await unlessMissing(unlink(join(this.#options.dir, name)));
  }

  /** Reports a draft: its hook was killed while writing, so the message is lost. */
  async #dropDraft(name: string): Promise<void> {
    await this.#refuse(name, torn(name));
  }

  async #countDropped(): Promise<void> {
    const { dir } = this.#options;
    // The file is moved away first, so that hooks that drop a message meanwhile begin a new one.
    const aside = join(dir, `.${DROPPED}`);
    await rename(join(dir, DROPPED), aside);
    const { size } = await stat(aside);
    await this.#options.refuse(full(size), new Uint8Array(), 0);
    await unlink(aside);
  }

  #ageOf(ns: bigint): number {
    return this.#options.clock.now() - Number(ns / 1_000_000n);
  }
}

const numbersIn = (name: string): readonly number[] => name.split("-").map(Number);

/** Compares the numbers in names, so that the tenth file of a process comes after its ninth. */
function byNumbers(one: string, other: string): number {
  const others = numbersIn(other);
  const apart = numbersIn(one).map((number, n) => number - (others[n] ?? -1));
  return apart.find((each) => each !== 0) ?? -1;
}

const CANNOT_RETRY =
  "The engine does not know the content of these messages; the client's transcript has it.";

const foreign = (name: string): RefusedError =>
  new RefusedError(
    "NOT_YOURS",
    `The file ${name} of the spool is not a plain file of this user alone; it was not read.`,
    "Check who can write to the data folder.",
  );
const tooOld = (name: string): RefusedError =>
  new RefusedError("TOO_OLD", `The file ${name} of the spool is older than 7 days.`, CANNOT_RETRY);
const torn = (name: string): RefusedError =>
  new RefusedError("TORN", `The hook that wrote ${name} of the spool never finished.`, CANNOT_RETRY);
const full = (count: number): RefusedError =>
  new RefusedError("SPOOL_FULL", `The spool was full: ${count} hooks were dropped.`, CANNOT_RETRY);
