// Bell
// Rings when the system says that a file has changed.
//
//   Owns:          one watch of one file.
//   Does not own:  looking at the file: whoever hears nothing looks all the same (tailer).
//
// TRANSCRIPTS-BELL-1. The bell only makes a look come sooner. Where the system cannot watch, or says nothing,
//     nothing is lost.

import { type FSWatcher, watch } from "node:fs";

export class Bell {
  readonly #ring: () => void;
  #watcher: FSWatcher | undefined;
  #identity: string | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Watches what stands at a path now, unless it does already. */
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
