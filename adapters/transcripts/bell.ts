// Bell
// Calls a function when the system reports that a file has changed.
//
//   Owns:          one watch on one file.
//   Does not own:  reading the file; the tailer does that, also at intervals without any report (tailer).
//
// TRANSCRIPTS-BELL-1. A report of the system only makes the tailer read the file earlier: without it, no line is lost.

import { type FSWatcher, watch } from "node:fs";

export class Bell {
  readonly #ring: () => void;
  #watcher: FSWatcher | undefined;
  #identity: string | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Watches the file that is now at a path, unless this file is watched already. */
  watch(path: string, identity: string): void {
    if (this.#identity === identity) return;
    this.close();
    this.#identity = identity;
    try {
      this.#watcher = watch(path, { persistent: false }, this.#ring).on("error", () => this.#drop());
    } catch {
      // Without a watch, the tailer still looks at the file at intervals, so it only reads new lines later (TRANSCRIPTS-BELL-1).
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
