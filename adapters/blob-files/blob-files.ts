// Blob files
// Blobs as files in one folder, named by the hash of their content.
//
//   Owns:          the files and their modes; when each blob was last stored (the file's time); whether a file is complete.
//   Does not own:  which blobs are needed (runtime/reading/blob-sweep).
//
// BLOB-FILES-1. A file gets its blob's name once the content is on disk. The blob is acknowledged once the name is on disk, too.
// BLOB-FILES-2. Steps on the folder run one after another. So a blob that is being stored again is never dropped as an old one.
// BLOB-FILES-3. Only the engine that holds the store writes into the blobs' folder. So a draft (a file named `….draft`, which
//     may be incomplete) that it finds when it first uses the folder was left by an engine that has ended, and is removed.
// BLOB-FILES-4. `blobNamesIn` and `keptBlob`, which a backup uses, change nothing in the folder: an engine may be storing blobs
//     there. A blob that is removed meanwhile is skipped.

import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { checkBlobName, isBlobName, isNamed } from "../../runtime/blob-name.ts";
import { blobDamaged, blobNotKept } from "../../runtime/errors/errors.ts";
import type { Blobs, Clock } from "../../runtime/ports.ts";

const DRAFT = ".draft";

export class BlobFiles implements Blobs {
  readonly #dir: string;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  #ready: Promise<void> | undefined;

  /** @param dir the blobs' folder. If missing, it is created with mode 0700 at the first use; its parent must exist. */
  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  async put(hash: string, text: string): Promise<void> {
    checkBlobName(hash);
    try {
      await this.#alone(() => this.#keep(hash, text));
    } catch (cause) {
      throw blobNotKept(hash, cause);
    }
  }

  async get(hash: string): Promise<string | undefined> {
    checkBlobName(hash);
    const content = await this.#content(hash).catch((cause: unknown) => {
      throw blobDamaged(hash, cause);
    });
    if (content !== undefined && !isNamed(hash, content)) throw blobDamaged(hash);
    return content?.toString("utf8");
  }

  old(before: number): Promise<readonly string[]> {
    return this.#alone(async () => {
      const found: string[] = [];
      for (const name of await readdir(this.#dir)) {
        if (isBlobName(name) && (await this.#putAt(name)) < before) found.push(name);
      }
      return found;
    });
  }

  async drop(hash: string, before: number): Promise<void> {
    checkBlobName(hash);
    await this.#alone(async () => {
      if ((await this.#putAt(hash)) < before) await unlink(this.#path(hash));
    });
  }

  #path(hash: string): string {
    return join(this.#dir, hash);
  }

  #content(hash: string): Promise<Buffer | undefined> {
    return unlessMissing(readFile(this.#path(hash)));
  }

  /** When a blob was last stored, ms; Infinity for a missing blob, so that it never counts as old. */
  async #putAt(hash: string): Promise<number> {
    const found = await unlessMissing(stat(this.#path(hash)));
    return found?.mtimeMs ?? Infinity;
  }

  async #keep(hash: string, text: string): Promise<void> {
    const found = await this.#content(hash).catch(() => undefined);
    if (found !== undefined && isNamed(hash, found)) await this.#renew(hash);
    else await this.#write(hash, text);
    // An earlier process may have written the file, and died before the file's name was on disk. So the folder is synced even
    // if the file was there.
    await sync(this.#dir);
  }

  async #renew(hash: string): Promise<void> {
    const file = await open(this.#path(hash), "r");
    try {
      const now = new Date(this.#clock.now());
      await file.utimes(now, now);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #write(hash: string, text: string): Promise<void> {
    const draft = join(this.#dir, hash + DRAFT);
    try {
      const file = await open(draft, "w", 0o600);
      try {
        await file.writeFile(text);
        const now = new Date(this.#clock.now());
        await file.utimes(now, now);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.#path(hash));
    } catch (error) {
      await unlessMissing(unlink(draft));
      throw error;
    }
  }

  /** Runs a step on the folder after all earlier steps (BLOB-FILES-2). */
  #alone<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      await (this.#ready ??= this.#prepare());
      return step();
    });
    this.#last = turn.catch(() => {
      // The caller of `#alone` gets the error.
    });
    return turn;
  }

  async #prepare(): Promise<void> {
    try {
      const made = await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      if (made !== undefined) await sync(dirname(this.#dir));
      const drafts = (await readdir(this.#dir)).filter((name) => name.endsWith(DRAFT));
      for (const name of drafts) await unlink(join(this.#dir, name));
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }
}

async function sync(dir: string): Promise<void> {
  const folder = await open(dir, "r");
  await folder.sync().finally(() => folder.close());
}

interface KeptBlob {
  readonly name: string;
  /** When the blob was last stored, ms. */
  readonly at: number;
  /** The text of the blob; undefined if the file cannot be read, or its content does not match the name. */
  readonly content: Buffer | undefined;
}

export async function blobNamesIn(dir: string): Promise<readonly string[]> {
  return (await readdir(dir)).filter(isBlobName).sort();
}

/** @returns the blob in the file with this name; undefined if there is no such file. */
export async function keptBlob(dir: string, name: string): Promise<KeptBlob | undefined> {
  const path = join(dir, name);
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const content = await readFile(path).catch(() => undefined);
  const isWhole = content !== undefined && isNamed(name, content);
  return { name, at: Math.round(found.mtimeMs), content: isWhole ? content : undefined };
}
