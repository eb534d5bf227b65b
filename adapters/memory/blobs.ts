// Memory blobs
// The reference implementation of blobs: every other implementation must behave as this one does.
//
//   Owns:          when each blob was last stored.
//   Does not own:  storing the blobs (disk.ts).

/* eslint-disable @typescript-eslint/require-await -- throws become rejections */

import { checkBlobName, isNamed } from "../../runtime/blob-name.ts";
import { blobDamaged } from "../../runtime/errors/errors.ts";
import type { Blobs, Clock } from "../../runtime/ports.ts";
import type { MemoryDisk } from "./disk.ts";

export class MemoryBlobs implements Blobs {
  readonly #disk: MemoryDisk;
  readonly #clock: Clock;

  constructor(disk: MemoryDisk, clock: Clock) {
    this.#disk = disk;
    this.#clock = clock;
  }

  async put(hash: string, text: string): Promise<void> {
    checkBlobName(hash);
    this.#disk.blobs.set(hash, { text, at: this.#clock.now() });
  }

  async get(hash: string): Promise<string | undefined> {
    checkBlobName(hash);
    const found = this.#disk.blobs.get(hash);
    if (found !== undefined && !isNamed(hash, found.text)) throw blobDamaged(hash);
    return found?.text;
  }

  old(before: number): Promise<readonly string[]> {
    const found = [...this.#disk.blobs].filter(([, { at }]) => at < before);
    return Promise.resolve(found.map(([hash]) => hash));
  }

  async drop(hash: string, before: number): Promise<void> {
    checkBlobName(hash);
    const found = this.#disk.blobs.get(hash);
    if (found !== undefined && found.at < before) this.#disk.blobs.delete(hash);
  }
}
