// Bell
// Calls back when the system reports that a file has changed.
//
//   Owns:          one watch of one file.
//   Does not own:  reading the file: the tailer also looks at it without a call (tailer).
//
// TRANSCRIPTS-BELL-1. The bell only makes the next look come sooner. If the system cannot watch a file, or reports nothing,
//     nothing is lost.

import { type FSWatcher, watch } from "node:fs";

export class Bell {
  readonly #ring: () => void;
  #watcher: FSWatcher | undefined;
  #identity: string | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Watches the present file at a path, unless it is watched already. */
  watch(path: string, identity: string): void {
    if (this.#identity === identity) return;
    this.close();
    this.#identity = identity;
    try {
      this.#watcher = watch(path, { persistent: false }, this.#ring).on("error", () => this.#drop());
    } catch {
      // TRANSCRIPTS-BELL-1
    }
  }

  close(): void {
    this.#drop();
    this.#identity = undefined;
  }

  #drop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
