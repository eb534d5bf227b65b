// Roots
// The folders from which transcripts may be read, and the checks before reading.
//
//   Owns:          which paths may be opened, checking an opened file before it is read.
//   Does not own:  who may name a path (tailer), what is read.
//
// TRANSCRIPTS-ROOTS-1. Only a regular file below a root, by its real path, is read. A link to a file is refused, and so is a path
//     that a linked folder leads out of the roots. Files outside are not even opened, and a pipe does not block.
// TRANSCRIPTS-ROOTS-2. After opening, a file is checked through its descriptor and looked up again by its path: if the path
//     now leads to another file, neither is read. On Linux the descriptor itself tells where its file lies. (checked by
//     review: no test can step in between)

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, opendir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";

const PATH_MAX = 4_096;
const NAMES_MAX = 10_000;
/**
 * Flags to open a file without following a link or waiting for a pipe. Systems without these flags have no such links
 * and pipes.
 */
const CAREFULLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0);

export interface Opened {
  readonly file: FileHandle;
  readonly found: BigIntStats;
}

export class Roots {
  readonly #dirs: readonly string[];

  /** @param dirs absolute; missing folders count as empty. */
  constructor(dirs: readonly string[]) {
    this.#dirs = dirs;
  }

  /**
   * Opens a transcript for reading. @returns undefined while there is no such file.
   * @throws RefusedError TRANSCRIPT_… for a file that may not be read; the system's error for one that cannot be.
   */
  async open(path: string): Promise<Opened | undefined> {
    const real = await this.#place(path);
    if (real === undefined) return undefined;
    const file = await unlessGone(open(real, CAREFULLY), isLink);
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
   * The files of a folder that `isOne` accepts, up to a limit; empty while there is no folder.
   * @throws RefusedError for a folder that may not be read.
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

  /** The real path of a path below a root; undefined if its folder is missing. @throws RefusedError */
  async #place(path: string): Promise<string | undefined> {
    if (path.length > PATH_MAX || path.includes("\0") || !isAbsolute(path) || normalize(path) !== path)
      throw refused("BAD_PATH", "is no plain absolute path");
    if (!path.endsWith(".jsonl")) throw refused("BAD_PATH", "does not end in .jsonl");
    const folder = await real(dirname(path));
    const roots = await Promise.all(this.#dirs.map(real));
    if (folder === undefined) {
      // The folder does not exist yet. A path within the folders may be made later; a path outside of them is refused.
      if (this.#dirs.some((dir) => isBelow(path, dir))) return undefined;
      throw outside();
    }
    const whole = join(folder, basename(path));
    if (!roots.some((root) => root !== undefined && isBelow(whole, root))) throw outside();
    return whole;
  }
}

/** Where an open file lies now, on Linux; elsewhere the path by which it was opened. */
const placeOf = ({ fd }: FileHandle, path: string): Promise<string> | string =>
  process.platform === "linux" ? readlink(`/proc/self/fd/${fd}`) : path;

const isBelow = (path: string, root: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : root + sep);

async function real(path: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(path), isLoop);
  return found === "link" ? undefined : found;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
const isLink = (code: string): boolean => code === "ELOOP" || code === "EMLINK";
const isLoop = (code: string): boolean => code === "ELOOP";

async function unlessGone<T>(
  asked: Promise<T>,
  meansLink: (code: string) => boolean = () => false,
): Promise<T | "link" | undefined> {
  try {
    return await asked;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (meansLink(code)) return "link";
    throw error;
  }
}

const refused = (code: string, why: string): RefusedError =>
  new RefusedError(
    `TRANSCRIPT_${code}`,
    `A hook named a transcript that ${why}. It is not read.`,
    "The session goes on with its hooks alone. In transcript_path, name the client's own file.",
    "transcript_path",
  );

const outside = (): RefusedError =>
  new RefusedError(
    "TRANSCRIPT_OUTSIDE",
    "A hook named a transcript outside of the folders that may be read. It is not read.",
    "If the client keeps its transcripts there, name the folder: npx signalbox up --transcripts DIR.",
    "transcript_path",
  );

const moved = (): RetryableError =>
  new RetryableError(
    "TRANSCRIPT_MOVED",
    "A transcript was moved while it was opened.",
    "The engine looks for the transcript again.",
    250,
  );
