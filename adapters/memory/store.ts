// Memory store
// The reference implementation of the store: every other implementation must behave as this one does.
//
//   Owns:          refusing the commits of a store once another store has been opened on the same disk.
//   Does not own:  storing the rows (disk.ts), what the rows contain.

import { FatalError, storeFenced } from "../../runtime/errors/errors.ts";
import type { Range, Store, Write } from "../../runtime/ports.ts";
import { checkWrites } from "../../runtime/writes.ts";
import type { MemoryDisk } from "./disk.ts";

export class MemoryStore implements Store {
  readonly #disk: MemoryDisk;
  #epoch: number | undefined;

  /**
   * @param disk keeps the rows when the engine restarts. If a second store is opened on the same disk, the first one can no
   * longer commit.
   */
  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  open(): Promise<number> {
    this.#epoch = ++this.#disk.epoch;
    return Promise.resolve(this.#epoch);
  }

  get(key: string): string | undefined {
    this.#opened();
    return this.#disk.rows.get(key);
  }

  range(range: Range): Iterable<readonly [key: string, value: string]> {
    this.#opened();
    return this.#disk.rows.range(range);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async commit(writes: readonly Write[]): Promise<void> {
    const epoch = this.#opened();
    if (epoch !== this.#disk.epoch) throw storeFenced(epoch, this.#disk.epoch);
    checkWrites(writes);
    for (const write of writes) {
      if ("put" in write) this.#disk.rows.set(write.put, write.value);
      else this.#disk.rows.delete(write.del);
    }
  }

  close(): Promise<void> {
    this.#epoch = undefined;
    return Promise.resolve();
  }

  #opened(): number {
    if (this.#epoch === undefined)
      throw new FatalError("STORE_CLOSED", "The store is not open.", "Open it first.");
    return this.#epoch;
  }
}
