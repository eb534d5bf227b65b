// Spool
// The folder in which hooks leave their messages, and the reader that passes them to the engine.
//
//   Owns:          the order in which files are read; which files are not read, and that each of these gets a dead letter.
//   Does not own:  the files' content (spool-file, runtime/door), writing them (adapters/install, adapters/gate).
//
// SPOOL-1. Files are read in the order in which they were finished, to the nanosecond; files with the same time are read in the
//     order of the numbers in their names: second, process, running number. A file is removed once the journal has it. If an
//     engine dies before that, the next one reads the file again, under the same id.
// SPOOL-2. A file that belongs to another user, or that others may write, is not read. A file that is too old, too large or
//     incomplete is not applied. Each of these files becomes a dead letter. One dead letter counts the messages that hooks
//     could not write, for example because the spool was full. An entry of the spool's folder that cannot be removed, such as
//     another folder, also gets one dead letter, and is ignored afterwards.
// SPOOL-3. While the engine accepts no messages, files stay in the spool's folder.
// SPOOL-4. No workspace delays the files of another: if a message exceeds its workspace's quota, the message's file is removed,
//     and a dead letter counts the message.

import { constants, type FSWatcher, watch } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isCode, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { RAW_BYTES_MAX, tooLarge } from "../../runtime/limits.ts";
import type { Clock } from "../../runtime/ports.ts";
import { OVER_QUOTA } from "../../runtime/turn/turning-away.ts";
import { readSpooled, type Spooled } from "./spool-file.ts";

export interface Found extends Spooled {
  /** The spool file's own id, which never changes. */
  readonly id: string;
  /** When the hook finished writing the file, ms. */
  readonly time: number;
}

export interface SpoolOptions {
  readonly dir: string;
  readonly clock: Clock;
  /**
   * Takes a file's message; resolves once the journal has the message.
   * @throws RefusedError, or RetryableError OVER_QUOTA, if the message has become a dead letter; any other RetryableError.
   */
  readonly take: (found: Found) => Promise<void>;
  /** Makes a dead letter of a file that could not be read. */
  readonly refuse: (error: RefusedError, body: Uint8Array, bytes: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const NAME = /^\d+-\d+(-\d+)?$/;
const DRAFT = /^\.\d+-\d+/;
/** A file with one byte for each hook that could not write its message. */
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
  /** Files that have become dead letters, but could not be removed. */
  readonly #stuck = new Set<string>();
  #watcher: FSWatcher | undefined;
  #cancel = (): void => undefined;
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Reads new files from now on; the existing files are read soon after. */
  async start(): Promise<void> {
    const { dir, onError } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    try {
      this.#watcher = watch(dir, { persistent: false }, () => void this.drain().catch(onError));
      this.#watcher.on("error", onError);
    } catch (error) {
      // If the system cannot watch the folder, the engine only looks for files from time to time.
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

  /** @returns once each file that existed at the call was read, or must stay in the folder. */
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

  async #listed(): Promise<readonly Listed[]> {
    const { dir } = this.#options;
    const listed: Listed[] = [];
    for (const name of await readdir(dir)) {
      const isDraft = DRAFT.test(name);
      if (this.#stuck.has(name) || (!isDraft && !NAME.test(name) && name !== DROPPED)) continue;
      const at = await mtimeOf(join(dir, name));
      if (!isDraft || (at !== 0n && this.#ageOf(at) > DRAFT_AGE_MAX_MS)) listed.push({ name, at });
    }
    return listed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : byNumbers(a.name, b.name)));
  }

  async #takeOne(name: string): Promise<void> {
    if (name === DROPPED) return this.#countDropped();
    if (DRAFT.test(name)) return this.#refuse(name, torn(name));
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
      if (error instanceof RefusedError) {
        if (error.code === "NOT_SPOOLED") return this.#refuse(name, error, bytes, whole);
      } else if (!(error instanceof RetryableError && error.code === OVER_QUOTA)) throw error;
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

  #remove(name: string): Promise<void> {
    return unlessMissing(unlink(join(this.#options.dir, name)));
  }

  async #countDropped(): Promise<void> {
    const { dir } = this.#options;
    // The file that counts dropped messages is moved away first, so that hooks that drop a message meanwhile begin a new file.
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

/** When the entry was last written, ns; 0 if there is no such entry. */
const mtimeOf = (path: string): Promise<bigint> =>
  stat(path, { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => 0n,
  );

const numbersIn = (name: string): readonly number[] => name.split("-").map(Number);

/** Compares file names by the numbers in them, so that a process's tenth file comes after its ninth. */
function byNumbers(one: string, other: string): number {
  const others = numbersIn(other);
  const apart = numbersIn(one).map((number, n) => number - (others[n] ?? -1));
  return apart.find((each) => each !== 0) ?? -1;
}

const CANNOT_RETRY =
  "The client's transcript may have these hook messages: `npx signalbox replay FILE` sends it.";

const foreign = (name: string): RefusedError =>
  new RefusedError(
    "NOT_YOURS",
    `The spool file ${name} is not a regular file that only this user can write; it was not read.`,
    "Check who can write to the data folder.",
  );
const tooOld = (name: string): RefusedError =>
  new RefusedError("TOO_OLD", `The spool file ${name} is older than 7 days.`, CANNOT_RETRY);
const torn = (name: string): RefusedError =>
  new RefusedError("TORN", `The hook that wrote the spool file ${name} never finished.`, CANNOT_RETRY);
const full = (count: number): RefusedError =>
  new RefusedError(
    "SPOOL_FULL",
    `The messages of ${count} hooks could not be written to the spool.`,
    CANNOT_RETRY,
  );
