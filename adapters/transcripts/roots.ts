// Roots
// The folders from which transcripts may be read, and the checks before reading.
//
//   Owns:          which paths may be opened, checking an opened file before reading it.
//   Does not own:  who may name a path (tailer), what is read.
//
// TRANSCRIPTS-ROOTS-1. Only a regular file below a root, by its real path, is read. A link to a file is refused, and so is a path
//     that leads out of the roots through a linked folder. No file outside of the roots is opened, and no pipe is waited for.
// TRANSCRIPTS-ROOTS-2. After a file is opened, it is checked through its descriptor, and its path is looked up again: if the path
//     now leads to another file, neither of the two files is read. On Linux the descriptor tells where the file is. (checked by
//     review: no test can step in between)

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, opendir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { isCode } from "../../runtime/errors/system-codes.ts";

const PATH_MAX = 4_096;
const NAMES_MAX = 10_000;
/** Flags with which opening follows no link and waits for no pipe. Where Node lacks a flag (Windows), the flag counts as 0. */
const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface Opened {
  readonly file: FileHandle;
  readonly found: BigIntStats;
}

export class Roots {
  readonly #dirs: readonly string[];

  /** @param dirs absolute paths of the folders below which transcripts may be read. Missing folders count as empty. */
  constructor(dirs: readonly string[]) {
    this.#dirs = dirs;
  }

  /** @returns the opened file; undefined if the file is missing. @throws RefusedError if it may not be read; system errors. */
  async open(path: string): Promise<Opened | undefined> {
    const real = await this.#place(path);
    if (real === undefined) return undefined;
    const file = await unlessGone(open(real, CAREFULLY), "ELOOP", "EMLINK");
    if (file === "link") throw refused("LINK", "is a link");
    if (!file) return undefined;
    try {
      const found = await file.stat({ bigint: true });
      if (!found.isFile()) throw refused("NOT_A_FILE", "is no regular file");
      const now = await unlessGone(lstat(real, { bigint: true }));
      const isThere = now && now !== "link" && now.dev === found.dev && now.ino === found.ino;
      const isSame = isThere && (await this.#place(path)) === real && (await placeOf(file, real)) === real;
      if (!isSame) throw moved();
      return { file, found };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * The first files in a folder that `isOne` accepts; empty while there is no folder.
   * @throws RefusedError if it may not be read.
   */
  async list(folder: string, isOne: (name: string) => boolean): Promise<readonly string[]> {
    if ((await this.#place(join(folder, "*.jsonl"))) === undefined) return [];
    const found: string[] = [];
    const names = await unlessGone(opendir(folder));
    if (names === undefined || names === "link") return [];
    let count = 0;
    for await (const { name } of names) {
      if ((count += 1) > NAMES_MAX) break;
      if (isOne(name)) found.push(join(folder, name));
    }
    return found;
  }

  /** The real path of a file below a root; undefined if the file's folder is missing. @throws RefusedError */
  async #place(path: string): Promise<string | undefined> {
    if (path.length > PATH_MAX || path.includes("\0") || !isAbsolute(path) || normalize(path) !== path)
      throw refused("BAD_PATH", "is no plain absolute path");
    if (!path.endsWith(".jsonl")) throw refused("BAD_PATH", "does not end in .jsonl");
    const folder = await real(dirname(path));
    const roots = await Promise.all(this.#dirs.map(real));
    if (folder === undefined) {
      // A missing folder may be made later if it is below an allowed folder; otherwise the path is refused.
      if (this.#dirs.some((dir) => isBelow(path, dir))) return undefined;
      throw outside();
    }
    const whole = join(folder, basename(path));
    if (!roots.some((root) => root !== undefined && isBelow(whole, root))) throw outside();
    return whole;
  }
}

/** On Linux, the path at which an open file is now; on other systems, the path by which it was opened. */
const placeOf = ({ fd }: FileHandle, path: string): Promise<string> | string =>
  process.platform === "linux" ? readlink(`/proc/self/fd/${fd}`) : path;

const isBelow = (path: string, root: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : root + sep);

async function real(path: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(path), "ELOOP");
  return found === "link" ? undefined : found;
}

/** Waits for a step; undefined if the file is missing, `link` if it is a link. @param links the error codes that mean a link. */
async function unlessGone<T>(
  asked: Promise<T>,
  ...links: readonly string[]
): Promise<T | "link" | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (isCode(error, ...links)) return "link";
    throw error;
  }
}

const refused = (code: string, why: string): RefusedError =>
  new RefusedError(
    `TRANSCRIPT_${code}`,
    `A hook named a transcript that ${why}. The engine does not read that transcript.`,
    "The engine follows the session by its hooks alone. In transcript_path, name the client's own file.",
    "transcript_path",
  );

const outside = (): RefusedError =>
  new RefusedError(
    "TRANSCRIPT_OUTSIDE",
    "A hook named a transcript outside of the folders that may be read. The engine does not read that transcript.",
    "If the client keeps its transcripts in that folder, name the folder: npx signalbox up --transcripts DIR.",
    "transcript_path",
  );

const moved = (): RetryableError =>
  new RetryableError(
    "TRANSCRIPT_MOVED",
    "A transcript was moved while it was opened.",
    "The engine looks for the transcript again.",
    250,
  );
