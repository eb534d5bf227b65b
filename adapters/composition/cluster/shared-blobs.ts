// Shared blobs
// The blobs of an engine that shares its journal: they are in the engine's own folder, and in a bucket that other engines read.
//
//   Owns:          whether folder or bucket is written and read; copying blobs that were stored before the first spare came.
//   Does not own:  the folder (blob-files), the bucket (nats/blob-bucket), when a journal counts as shared (shared-side).
//   Decided in:    docs/decisions/0094-large-inputs-in-an-object-store.md.
//
// SHARED-BLOBS-1. On a shared journal, a blob is acknowledged only once it is in the folder and in the bucket. So a spare can
//     read every blob that an entry names.
// SHARED-BLOBS-2. A blob that the folder lacks is read from the bucket, and stored in the folder.
// SHARED-BLOBS-3. When the first query of a spare reaches the owner after the owner's start, the owner copies all blobs of its
//     folder to the bucket, so that the spare can also read blobs that were stored while no spare was there.
// SHARED-BLOBS-4. An engine that does not share its journal neither makes nor reads the bucket.

import { blobNotKept } from "../../../runtime/errors/errors.ts";
import type { Blobs } from "../../../runtime/ports.ts";

interface Shared {
  readonly own: Blobs;
  /** The blobs in the bucket; undefined until the engine is connected to NATS. */
  readonly bucket: () => Blobs | undefined;
  readonly isShared: () => boolean;
  readonly onError: (error: unknown) => void;
}

export class SharedBlobs implements Blobs {
  readonly #with: Shared;
  #copying: Promise<void> | undefined;

  constructor(shared: Shared) {
    this.#with = shared;
  }

  async put(hash: string, text: string): Promise<void> {
    await this.#bucket()
      ?.put(hash, text)
      .catch((cause: unknown) => {
        throw blobNotKept(hash, cause);
      });
    await this.#with.own.put(hash, text);
  }

  async get(hash: string): Promise<string | undefined> {
    const { own } = this.#with;
    const kept = await own.get(hash);
    if (kept !== undefined) return kept;
    const text = await this.#bucket()?.get(hash);
    if (text !== undefined) await own.put(hash, text);
    return text;
  }

  async old(before: number): Promise<readonly string[]> {
    const [own, shared = []] = await Promise.all([this.#with.own.old(before), this.#bucket()?.old(before)]);
    return [...new Set([...own, ...shared])];
  }

  async drop(hash: string, before: number): Promise<void> {
    await this.#with.own.drop(hash, before);
    await this.#bucket()?.drop(hash, before);
  }

  /** Called at each query of a spare; copies the folder's blobs to the bucket only at the first one (SHARED-BLOBS-3). */
  share(): void {
    const bucket = this.#bucket();
    if (!bucket || this.#copying) return;
    this.#copying = this.#copy(bucket).catch((error: unknown) => {
      this.#copying = undefined;
      this.#with.onError(error);
    });
  }

  #bucket(): Blobs | undefined {
    return this.#with.isShared() ? this.#with.bucket() : undefined;
  }

  async #copy(bucket: Blobs): Promise<void> {
    const { own, onError } = this.#with;
    for (const hash of await own.old(Infinity)) {
      // A damaged blob is not copied: a call with this input cannot be approved anyway, neither on this engine nor on a spare.
      const text = await own.get(hash).catch(onError);
      if (typeof text === "string") await bucket.put(hash, text);
    }
  }
}
