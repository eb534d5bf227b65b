// History
// The entries of a transcript, newest first. The file is read only as far back as needed.
//
//   Owns:          the entries read so far, the skipped lines, the limit on the bytes that are read.
//   Does not own:  which entries matter (call, words).
//
// INTENT-HISTORY-1. A file is read once: its entries are cached for later lookups, until the file has changed.
// INTENT-HISTORY-2. At most 32 MiB of one file are read, however far back a lookup goes.

import { type Entry, readEntry } from "./entry.ts";
import { LinesBackwards } from "./lines-backwards.ts";
import { NOTHING_SKIPPED, type SkippedLines } from "./query.ts";
import type { TranscriptFile } from "./transcript-file.ts";

const LIMITS = { line: 8 * 1024 * 1024, file: 32 * 1024 * 1024 };

/** True for an entry that is about the requested agent and session. */
export type Scope = (entry: Entry) => boolean;

export class History {
  readonly path: string;
  readonly mark: string;
  /** The entries that were read, the newest first. */
  readonly entries: Entry[] = [];
  /** Why reading has ended: at the file's first line, or at the limit. Undefined while there is more to read. */
  end: "start" | "limit" | undefined;
  readonly #byUuid = new Map<string, number>();
  readonly #skipped: { -readonly [K in keyof SkippedLines]: number } = { ...NOTHING_SKIPPED };
  readonly #lines: LinesBackwards;
  #file: TranscriptFile;

  constructor(file: TranscriptFile) {
    this.path = file.path;
    this.mark = file.mark;
    this.#file = file;
    const source = { size: file.size, read: (from: number, length: number) => this.#file.read(from, length) };
    this.#lines = new LinesBackwards(source, LIMITS);
  }

  get skipped(): SkippedLines {
    return { ...this.#skipped };
  }

  /** Continues with a file that was opened again and has not changed. */
  goOn(file: TranscriptFile): void {
    this.#file = file;
  }

  /** @returns the n-th entry from the file's end; undefined if the file has none, or the limit was reached. */
  async at(n: number): Promise<Entry | undefined> {
    while (this.entries.length <= n && this.end === undefined) await this.#pull();
    return this.entries[n];
  }

  /** @param within how many of the newest entries are searched. */
  async byUuid(uuid: string, within: number): Promise<Entry | "missing" | "limit"> {
    for (;;) {
      const n = this.#byUuid.get(uuid) ?? Infinity;
      const found = n < within ? this.entries[n] : undefined;
      if (found) return found;
      if (this.entries.length >= within) return "limit";
      if (this.end !== undefined) return this.end === "start" ? "missing" : "limit";
      await this.#pull();
    }
  }

  async #pull(): Promise<void> {
    const line = await this.#lines.next();
    if (!line) {
      this.end = this.#lines.isCut ? "limit" : "start";
      return;
    }
    if (line.bytes === undefined) {
      this.#skipped.tooLong += 1;
      return;
    }
    if (line.bytes.every(isBlank)) return;
    const read = readEntry(line.bytes, line.offset);
    if ("skipped" in read) this.#skipped[read.skipped] += 1;
    if ("entry" in read) this.#keep(read.entry);
  }

  /** Keeps an entry. If an entry occurs twice in the file, the newer line is used. */
  #keep(entry: Entry): void {
    if (entry.uuid !== undefined && this.#byUuid.has(entry.uuid)) {
      this.#skipped.doubled += 1;
      return;
    }
    if (entry.uuid !== undefined) this.#byUuid.set(entry.uuid, this.entries.length);
    if (entry.at === undefined) this.#skipped.badTime += 1;
    this.entries.push(entry);
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0d || byte === 0x09;
