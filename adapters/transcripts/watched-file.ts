// Watched file
// Sends those lines of one transcript that were written since the file was last examined.
//
//   Owns:          how far the file was read, what one examination of it does.
//   Does not own:  when a file is examined (tailer), which files are watched.
//
// TRANSCRIPTS-WATCHED-FILE-1. One examination reads one piece of the file at most. The stored place moves on once its lines are
//     durable.
// TRANSCRIPTS-WATCHED-FILE-2. Of a new or replaced file, at most the last `historyBytes` of its present content are read.
// TRANSCRIPTS-WATCHED-FILE-3. A line is sent only once it is whole: an unfinished last line waits, and no part of a line is
//     sent if the file is cut or replaced.

import { type BigIntStats } from "node:fs";
import { type FileHandle, lstat } from "node:fs/promises";
import type { Load } from "../../runtime/quota.ts";
import type { Counts } from "./counts.ts";
import { type LineLimits, type Piece, readLines } from "./lines.ts";
import {
  type Begun,
  begunWith,
  compare,
  isBegun,
  NOTHING_BEGUN,
  type Place,
  placeAfter,
  placeAt,
} from "./place.ts";
import type { KeptFile } from "./places.ts";
import type { Roots } from "./roots.ts";
import type { Sending } from "./sending.ts";

export interface FileLimits extends LineLimits {
  readonly historyBytes: number;
}

export interface Surroundings {
  readonly roots: Roots;
  readonly sending: Pick<Sending, "send">;
  readonly counts: Counts;
  readonly limits: FileLimits;
}

/** The result of one look at a file. */
export interface Look {
  /** `gone`: there is no file. `quiet`: nothing is new. `grown`: everything new was read. `more`: there is more to read. */
  readonly is: "gone" | "quiet" | "grown" | "more";
  readonly load: Load;
}

const NOTHING: Load = { messages: 0, bytes: 0 };

export class WatchedFile {
  readonly #around: Surroundings;
  readonly named: Omit<KeptFile, "place" | "isEnded">;
  isEnded: boolean;
  #place: Place | undefined;
  #begun: Begun = NOTHING_BEGUN;
  /** True while the place is within a line whose beginning is in the part of the file that is not read. */
  #isMidLine = false;
  /** The file's size and times when everything in it had been read; undefined while there is more. */
  #seen: string | undefined;
  #toldForeign = false;

  constructor({ place, isEnded, ...named }: KeptFile, around: Surroundings) {
    this.#around = around;
    this.named = named;
    this.isEnded = isEnded;
    this.#place = place;
  }

  get kept(): KeptFile {
    // A place within a line is not stored: the next process would not know that the line's beginning was skipped, and would send
    // the rest as a line.
    const place = this.#isMidLine ? undefined : this.#place;
    return { ...this.named, isEnded: this.isEnded, ...(place && { place }) };
  }

  /** A text that identifies the file itself: if another file takes its path, that file has another identity. */
  get identity(): string | undefined {
    return this.#place && `${this.#place.dev}:${this.#place.ino}`;
  }

  /**
   * Reads what is new.
   * @throws RefusedError if the path may not be read; RetryableError or the system's error if a later look may succeed.
   */
  async look(): Promise<Look> {
    const { path } = this.named;
    if (this.#seen !== undefined && (await signatureAt(path)) === this.#seen)
      return { is: "quiet", load: NOTHING };
    const opened = await this.#around.roots.open(path);
    if (!opened) return { is: "gone", load: NOTHING };
    try {
      return await this.#readOn(opened.file, opened.found);
    } finally {
      await opened.file.close();
    }
  }

  async #readOn(file: FileHandle, found: BigIntStats): Promise<Look> {
    const { limits, counts } = this.#around;
    const place = await this.#placeIn(file, found);
    const begun = (await isBegun(file, place, this.#begun)) ? this.#begun : NOTHING_BEGUN;
    const piece = await readLines(file, place.offset, begun.length, limits);
    // The file's size and identity are checked once more, because the file may have been cut and written anew while it was read.
    const now = await file.stat({ bigint: true });
    if ((await compare(file, now, place)) !== "same" || !(await isBegun(file, place, begun)))
      return { is: "more", load: NOTHING };
    await this.#send(piece);
    const bytes = piece.read + piece.scanned - begun.length;
    counts.bytes += Math.max(0, bytes);
    this.#begun = begunWith(begun, piece.rest, piece.scanned);
    this.#place = piece.read === 0 ? place : await placeAfter(file, place, piece.read, piece.tail);
    this.#seen = piece.isEnd ? signature(found) : undefined;
    const is = piece.isEnd ? (bytes > 0 ? "grown" : "quiet") : "more";
    return { is, load: { messages: piece.lines.length, bytes: Math.max(0, bytes) } };
  }

  async #send({ lines }: Piece): Promise<void> {
    const whole = this.#isMidLine ? lines.slice(1) : lines;
    this.#toldForeign = await this.#around.sending.send(whole, this.named, this.#toldForeign);
    if (lines.length > 0) this.#isMidLine = false;
  }

  /** The place at which reading continues (TRANSCRIPTS-PLACE-1, TRANSCRIPTS-WATCHED-FILE-2). */
  async #placeIn(file: FileHandle, found: BigIntStats): Promise<Place> {
    const { counts, limits } = this.#around;
    if (this.#place) {
      const verdict = await compare(file, found, this.#place);
      if (verdict === "same") return this.#place;
      counts.file(verdict);
    }
    const size = Number(found.size);
    const offset = Math.max(0, size - limits.historyBytes);
    counts.skippedBytes += offset;
    this.#begun = NOTHING_BEGUN;
    this.#isMidLine = offset > 0;
    this.#place = await placeAt(file, found, offset);
    return this.#place;
  }
}

const signature = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

const signatureAt = (path: string): Promise<string | undefined> =>
  lstat(path, { bigint: true }).then(signature, () => undefined);
