// Verify log
// Checks every byte of an audit log: computes each hash again, and compares each opening with its entry and each row's number
// with the previous row's.
//
//   Owns:          what is compared in an audit log, what counts as wrong, how the result names the place of an error.
//   Does not own:  reading an audit log (kept-log.ts), the progress bar and the text of the report (cli).
//
// VERIFY-LOG-1. If a file differs from what the engine wrote, the result names the file.
// VERIFY-LOG-2. The numbers of rows have no gap, except gaps that the log itself records.
// VERIFY-LOG-3. An audit log is wrong if more openings are missing than the log itself records as removed.

import { codeOf } from "../errors/trouble.ts";
import type { Checkpoint } from "../tlog/checkpoint.ts";
import { leafHash } from "../tlog/hashes.ts";
import type { Verifier } from "../tlog/note.ts";
import { numberPath, rootIn, subtreesOf, TILE_WIDTH, tilePath, tilesOf } from "../tlog/tiles.ts";
import { rootOf } from "../tlog/tree.ts";
import { type Entry, entryIn, isOfRow, NO_OPENING, openedRow } from "./entry.ts";
import {
  entriesOf,
  hashesOf,
  type KeptLog,
  openLog,
  type OpenedLog,
  pieceOf,
  pieceWidth,
} from "./kept-log.ts";

export interface Wrong {
  /** The file in the log's folder where the difference is, with the place in the file if known. */
  readonly place: string;
  readonly what: string;
}

export interface VerifiedLog {
  readonly origin: string;
  readonly size: number;
  /** The root of the log, in base64. */
  readonly root: string;
  /** How many entries of the log are about an audit row. */
  readonly rows: number;
  /** How many of these entries have no opening any more. */
  readonly removed: number;
  /** False for the public part of a log, which has no content. */
  readonly isOpened: boolean;
  readonly missing: number;
  /** The differences that were found, at most the first 100. */
  readonly wrong: readonly Wrong[];
}

export interface VerifyingLog {
  readonly verifier: Verifier;
  /** Checkpoints of this log that were stored outside of it, to be compared with the log. */
  readonly against?: readonly Checkpoint[];
  readonly progress?: (done: number, all: number) => void;
}

const WRONG_MAX = 100;

/** @throws RefusedError NO_AUDIT_LOG, and the errors of `openedCheckpoint` for an invalid checkpoint. */
export function verifyLog(kept: KeptLog, { verifier, against = [], progress }: VerifyingLog): VerifiedLog {
  const log = openLog(kept, verifier);
  const look = new Look(log);
  const bundles = Math.ceil(log.size / TILE_WIDTH);
  for (let n = 0; n < bundles; n += 1) {
    look.bundle(n);
    progress?.(Math.min(log.size, (n + 1) * TILE_WIDTH), log.size);
  }
  look.upperTiles();
  look.root();
  look.older(against);
  return look.found();
}

class Look {
  readonly #log: OpenedLog;
  readonly #wrong: Wrong[] = [];
  /** The computed roots of the full tiles, by their level above the entries. */
  readonly #roots: Buffer[][] = [];
  #edge = Buffer.alloc(0);
  #next: number | undefined;
  #rows = 0;
  #removed = 0;
  #erased = 0;
  #missing = 0;

  constructor(log: OpenedLog) {
    this.#log = log;
  }

  /** Checks a bundle, its tile of hashes and its openings. */
  bundle(n: number): void {
    const width = pieceWidth(0, n, this.#log.size);
    const place = tilePath("entries", n, width);
    const entries = this.#tried(place, () => entriesOf(this.#log, n)) ?? [];
    if (entries.length !== width) this.#tell(place, `it has ${entries.length} entries of ${width}`);
    const hashes = Buffer.concat(entries.map(leafHash));
    this.#compare(tilePath(0, n, width), hashes, () => pieceOf(this.#log, 0, n));
    if (width === TILE_WIDTH && entries.length === width) this.#grow(1, rootIn(hashes));
    else this.#edge = hashes;
    const said = entries.map((bytes, at) => this.#tried(`${place}, entry ${at}`, () => entryIn(bytes)));
    said.forEach((entry, at) => entry && this.#follow(`${place}, entry ${at}`, entry));
    if (this.#log.kept.hasOpenings) this.#openings(n, width, said);
  }

  #openings(n: number, width: number, said: readonly (Entry | undefined)[]): void {
    const place = `openings/${numberPath(n)}`;
    const lines = this.#log.kept.openings(n)?.split("\n") ?? [];
    // During the check, an engine may append lines to the last bundle. The check ignores these lines.
    const isWhole =
      width === TILE_WIDTH ? lines.length === width + 1 && lines[width] === "" : lines.length > width;
    if (!isWhole) this.#tell(place, `it has ${Math.max(0, lines.length - 1)} whole lines of ${width}`);
    said.forEach((entry, at) => entry && this.#open(`${place}, line ${at + 1}`, entry, lines[at] ?? ""));
  }

  upperTiles(): void {
    for (const { level, n, width } of tilesOf(this.#log.size)) {
      if (level === 0) continue;
      const made = this.#roots[level]?.slice(n * TILE_WIDTH, n * TILE_WIDTH + width) ?? [];
      this.#compare(tilePath(level, n, width), Buffer.concat(made), () => pieceOf(this.#log, level, n));
    }
  }

  root(): void {
    if (this.#wrong.length > 0) return;
    const tile = (level: number, n: number): Buffer =>
      level === 0
        ? this.#edge
        : Buffer.concat(this.#roots[level]?.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH) ?? []);
    const made = rootOf(this.#log.size, subtreesOf(tile));
    if (!made.equals(this.#log.root)) this.#tell("checkpoint", "its root is not that of the entries");
  }

  /** Checks that the log begins with exactly what the given checkpoints signed. */
  older(checkpoints: readonly Checkpoint[]): void {
    const hashes = hashesOf(this.#log);
    for (const { size, root } of checkpoints) {
      if (size > this.#log.size)
        this.#tell("checkpoint", `the log had ${size} entries once, and has fewer now`);
      else if (!this.#tried("tile", () => rootOf(size, hashes))?.equals(root))
        this.#tell("checkpoint", `the log was another one when it had ${size} entries`);
    }
  }

  found(): VerifiedLog {
    if (this.#removed > this.#erased)
      this.#tell("openings", `${this.#removed} are gone, and the log says that ${this.#erased} were removed`);
    const { origin, size, root } = this.#log;
    const counts = { rows: this.#rows, removed: this.#removed, missing: this.#missing };
    const isOpened = this.#log.kept.hasOpenings;
    return { origin, size, root: root.toString("base64"), ...counts, isOpened, wrong: this.#wrong };
  }

  #grow(level: number, root: Buffer): void {
    const roots = (this.#roots[level] ??= []);
    roots.push(root);
    if (roots.length % TILE_WIDTH === 0)
      this.#grow(level + 1, rootIn(Buffer.concat(roots.slice(-TILE_WIDTH))));
  }

  /** Checks that the number of an entry's row follows the number of the previous entry's row (VERIFY-LOG-2). */
  #follow(place: string, entry: Entry): void {
    if (isOfRow(entry)) {
      if (entry.n !== this.#next)
        this.#tell(place, `row ${entry.n} stands where row ${this.#next ?? "(none)"} would`);
      this.#rows += 1;
      this.#next = entry.n + 1;
    } else if (entry.kind === "rows-missing") {
      if (entry.from !== this.#next)
        this.#tell(place, `it tells of rows from ${entry.from} on in a wrong place`);
      this.#missing += entry.to - entry.from + 1;
      this.#next = entry.to + 1;
    } else if (entry.kind === "log-begun") this.#next = entry.from;
    else this.#erased += entry.count;
  }

  #open(place: string, entry: Entry, opening: string): void {
    if (isOfRow(entry) && opening === NO_OPENING) this.#removed += 1;
    else if (!isOfRow(entry) && opening !== NO_OPENING)
      this.#tell(place, "it opens an entry that has no content");
    else this.#tried(place, () => openedRow(entry, opening));
  }

  #compare(place: string, made: Buffer, read: () => Buffer): void {
    const found = this.#tried(place, read);
    if (!found || found.equals(made)) return;
    const count = Math.max(found.length, made.length) / 32;
    let at = 0;
    while (at < count && found.subarray(at * 32, at * 32 + 32).equals(made.subarray(at * 32, at * 32 + 32)))
      at += 1;
    this.#tell(`${place}, hash ${at}`, "it is not the hash of what stands below it");
  }

  #tried<T>(place: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#tell(place, error instanceof Error ? error.message : codeOf(error));
      return undefined;
    }
  }

  #tell(place: string, what: string): void {
    if (this.#wrong.length < WRONG_MAX) this.#wrong.push({ place, what });
  }
}
