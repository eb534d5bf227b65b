// Disk room
// Checks how much more may be written to the folder's disk.
//
//   Owns:          asking how much room the disk has, at most once a second; the reserve for the engine's own messages.
//   Does not own:  the size of the journal (journal-room), a disk that is full (environment.ts, tables.ts).
//
// DISK-ROOM-1. A write that finds no room ends the process, because nothing may be written after a failed write
//     (ENVIRONMENT-4). So the engine refuses messages of sources while there is still room for its own messages, and refuses
//     its own messages before the disk is full.

import { statfs } from "node:fs/promises";
import { keptFree } from "../../runtime/limits.ts";
import { journalFull } from "../../runtime/errors/errors.ts";
import type { Appending, Clock } from "../../runtime/ports.ts";

const ASK_MS = 1_000;
type Disk = (
  dir: string,
) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;

export class DiskRoom {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #disk: Disk;
  #free = Infinity;
  #kept = 0;
  #askedAt = -Infinity;
  #asking = false;

  constructor(dir: string, clock: Clock, disk: Disk = statfs) {
    this.#dir = dir;
    this.#clock = clock;
    this.#disk = disk;
  }

  /** Reserves room according to the disk's last known figures; never waits. @throws RetryableError JOURNAL_FULL */
  take(bytes: number, { own = false }: Appending): void {
    if (this.#clock.monotonic() - this.#askedAt >= ASK_MS && !this.#asking) void this.ask();
    const free = this.#free - bytes;
    if (free < this.#kept * (own ? 1 / 4 : 1))
      throw journalFull(`the disk under ${this.#dir} is nearly full`);
    this.#free = free;
  }

  /** Asks the disk how much room it has. If the disk does not answer, there is no limit. */
  async ask(): Promise<void> {
    this.#asking = true;
    try {
      const { bavail, blocks, bsize } = await this.#disk(this.#dir);
      this.#free = bavail * bsize;
      this.#kept = keptFree(blocks * bsize);
    } catch {
      this.#free = Infinity;
    }
    this.#askedAt = this.#clock.monotonic();
    this.#asking = false;
  }
}
