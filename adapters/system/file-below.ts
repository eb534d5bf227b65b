// File below
// Reads a file in a given folder or below it, without following a link on the way.
//
//   Owns:          which files are opened, reading the files.
//   Does not own:  which file the caller wants, and who may see the file (runtime/reading/around).
//   Decided in:    docs/decisions/0098-lines-of-a-projects-file.md.
//
// FILE-BELOW-1. Below the folder no link is followed: on Linux each folder is opened within the one above it, so that nobody can
//     put a link there between check and reading; macOS refuses a path with links as a whole; on other systems no file is read.
// FILE-BELOW-2. Only a regular file with a single name is read, through the descriptor that was checked: no pipe, device or
//     folder, and no file with a second hard link.
// FILE-BELOW-3. A file is not read if it is empty, longer than the limit, or shorter than the system has reported.
// FILE-BELOW-4. Nothing is read if the folder is the user's home or contains it. Nothing in the engine's own folder is read.

import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
const FILE = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** A flag of macOS with which opening fails if any part of the path is a link. Node has no name for this flag. */
const O_NOFOLLOW_ANY = 0x2000_0000;

export interface Surroundings {
  /** The user's home folder. */
  readonly home: string;
  /** Folders whose files are never read. */
  readonly closed: readonly string[];
}

interface Place {
  /** The absolute path of the folder; links in this path are followed. */
  readonly folder: string;
  readonly names: readonly string[];
}

/** @returns the file's content; undefined if the file is missing, or must not be read. */
export async function readBelow(
  { folder, names }: Place,
  bytesMax: number,
  { home, closed }: Surroundings,
): Promise<Uint8Array | undefined> {
  if (names.length === 0 || !names.every(isPlain)) return undefined;
  try {
    const real = await realpath(folder);
    const path = join(real, ...names);
    if (isWithin(await realpath(home), real)) return undefined;
    for (const each of closed) if (isWithin(path, await realpath(each))) return undefined;
    const file = await openBelow(real, names);
    try {
      return file && (await bytesOf(file, bytesMax));
    } finally {
      await file?.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const isPlain = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Opens a file below a folder without following links (FILE-BELOW-1). */
async function openBelow(real: string, names: readonly string[]): Promise<FileHandle | undefined> {
  if (process.platform === "darwin") {
    const path = join(real, ...names);
    return (await lstat(path)).isFile() ? open(path, FILE | O_NOFOLLOW_ANY) : undefined;
  }
  if (process.platform !== "linux") return undefined;
  let folder = await open(real, FOLDER);
  try {
    for (const name of names.slice(0, -1)) {
      const next = await open(within(folder, name), FOLDER);
      await folder.close();
      folder = next;
    }
    const last = within(folder, names.at(-1) ?? "");
    // A device is not even opened, because opening it can have an effect, such as rewinding a tape.
    return (await lstat(last)).isFile() ? await open(last, FILE) : undefined;
  } finally {
    await folder.close();
  }
}

/** The path of a name in an open folder; it is right even if the folder was moved since it was opened. */
const within = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

/** The file's content; undefined if it must not be read (FILE-BELOW-2, FILE-BELOW-3). */
async function bytesOf(file: FileHandle, bytesMax: number): Promise<Uint8Array | undefined> {
  const found = await file.stat({ bigint: true });
  const isRead = found.isFile() && found.nlink === 1n && found.size > 0n && found.size <= BigInt(bytesMax);
  if (!isRead) return undefined;
  const buffer = Buffer.alloc(Number(found.size));
  for (let filled = 0; filled < buffer.length;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return buffer;
}
