// Audit log files
// Writes the files of a log's folder. A crash leaves a replaced file whole, in its old or its new form; after a crash during
// an append, log-writer.ts cuts the file.
//
//   Owns:          writing files durably, reading them while an engine writes.
//   Does not own:  the files' content, the order of writing (log-writer.ts).
//
// AUDIT-LOG-FILES-1. Content and file name are on disk before a write returns. Only this user can read the files.
// AUDIT-LOG-FILES-2. If a tile (a file of hashes) or bundle (a file of entries) has grown since a reader read the checkpoint,
//     the reader gets only those hashes or entries that the checkpoint counts.

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isCode, unlessMissing } from "../../runtime/errors/system-codes.ts";
import type { KeptLog } from "../../runtime/audit/kept-log.ts";
import { bundleOf, entriesIn } from "../../runtime/tlog/bundles.ts";
import { HASH_BYTES } from "../../runtime/tlog/hashes.ts";
import { type Level, numberPath, TILE_WIDTH, tilePath } from "../../runtime/tlog/tiles.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** The folder of the log's public part: the checkpoint, the tiles, the entries. */
export const PUBLIC = "log";
export const CHECKPOINT = `${PUBLIC}/checkpoint`;
export const piecePath = (level: Level, n: number, width?: number): string =>
  `${PUBLIC}/${tilePath(level, n, width)}`;
export const openingsPath = (n: number): string => `openings/${numberPath(n)}`;

/** The files of an audit log. Paths are relative to the log's folder. */
export interface LogFiles {
  read(path: string): Promise<Buffer | undefined>;
  write(path: string, content: Buffer | string): Promise<void>;
  append(path: string, text: string): Promise<void>;
  cut(path: string, bytes: number): Promise<void>;
  /** The names in a folder; empty if there is no folder. */
  names(path: string): Promise<readonly string[]>;
  /** Removes a file, or a folder with its content; it is no error if there is none. */
  remove(path: string): Promise<void>;
}

/** @param dir the log's folder; it is created if missing. */
export function filesIn(dir: string): LogFiles {
  const at = (path: string): string => join(dir, path);
  const put = (path: string, flag: "a" | "w", content: Buffer | string): Promise<void> =>
    writeFile(path, content, { flag, mode: FILE_MODE, flush: true });
  return {
    read: (path) => unlessMissing(readFile(at(path))),
    async write(path, content) {
      await makeFolder(dirname(at(path)));
      await put(`${at(path)}.draft`, "w", content);
      await rename(`${at(path)}.draft`, at(path));
      await sync(dirname(at(path)));
    },
    append: (path, text) => put(at(path), "a", text),
    async cut(path, bytes) {
      await truncate(at(path), bytes);
      await put(at(path), "a", "");
    },
    names: async (path) => (await unlessMissing(readdir(at(path)))) ?? [],
    remove: (path) => rm(at(path), { recursive: true, force: true }),
  };
}

/** Creates a folder, and syncs the parent folder, so that the new name is durable. */
async function makeFolder(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = dir; made.length >= first.length; made = dirname(made)) await sync(dirname(made));
}

async function sync(dir: string): Promise<void> {
  const folder = await open(dir, "r");
  await folder.sync().finally(() => folder.close());
}

/** @param dir a log's folder, or a copy of its public part alone. */
export function keptIn(dir: string): KeptLog {
  const read = (path: string): Buffer | undefined => unlessAbsent(() => readFileSync(join(dir, path)));
  const inside = read(CHECKPOINT) ? `${PUBLIC}/` : "";
  return {
    hasOpenings: inside !== "",
    checkpoint: () => read(`${inside}checkpoint`)?.toString(),
    piece(level, n, width) {
      const found = read(inside + tilePath(level, n, width));
      if (found ?? width === TILE_WIDTH) return found;
      const wider =
        read(inside + tilePath(level, n)) ??
        unlessAbsent(() => widest(join(dir, inside, `${tilePath(level, n)}.p`)));
      return wider && beginning(level, wider, width);
    },
    openings: (n) => read(openingsPath(n))?.toString(),
  };
}

function widest(folder: string): Buffer {
  const width = Math.max(...readdirSync(folder).map(Number).filter(Number.isInteger));
  return readFileSync(join(folder, String(width)));
}

function unlessAbsent<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** The part of a tile or bundle that was asked for (AUDIT-LOG-FILES-2). */
const beginning = (level: Level, piece: Buffer, width: number): Buffer =>
  level === "entries" ? bundleOf(entriesIn(piece).slice(0, width)) : piece.subarray(0, width * HASH_BYTES);
