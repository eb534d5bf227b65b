// Settings file
// Reads a file of the client's settings, copies its earlier text, and replaces the file as a whole; refuses unsuitable files.
//
//   Owns:          which files are refused, the copy of the earlier text.
//   Does not own:  the file's path (install-form), the file's content (settings).
//
// SETTINGS-FILE-1. A file is refused if it is a link, belongs to another user, is write-protected or is not UTF-8. The message
//     says what to do.
// SETTINGS-FILE-2. A write replaces exactly the text that was read: if the file has changed since then, the write is refused.
// SETTINGS-FILE-3. A file that is replaced keeps its permissions. Only the user can read a new file, or the copy of an earlier
//     text.

import { randomUUID } from "node:crypto";
import { access, constants, lstat, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";

export interface SettingsFile {
  readonly path: string;
  /** The file's text; undefined if there is no file. */
  readonly text: string | undefined;
  readonly mode: number;
}

/** @throws RefusedError SETTINGS_LINKED, SETTINGS_NOT_YOURS, SETTINGS_NO_FILE, SETTINGS_NOT_UTF8, SETTINGS_UNREADABLE */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) throw isLink(path);
    if (!found.isFile()) throw noFile(path);
    if (process.getuid !== undefined && found.uid !== process.getuid()) throw notYours(path, found.uid);
    return { path, text: textOf(path, await readFile(path)), mode: found.mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { path, text: undefined, mode: 0o600 };
    throw codeOf(error) === undefined ? error : unreadable(path, error);
  }
}

/** The file's bytes as text. A file that is not UTF-8 is refused, because it could not be written back unchanged. */
function textOf(path: string, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const again = Buffer.from(text);
  if (bytes.equals(again)) return text;
  const differs = bytes.findIndex((byte, at) => byte !== again[at]);
  const right = differs < 0 ? bytes : bytes.subarray(0, differs);
  throw notUtf8(path, right.filter((byte) => byte === LF).length + 1);
}

const LF = 0x0a;

/**
 * @param copy the path to which the earlier text is copied.
 * @throws RefusedError SETTINGS_READ_ONLY, SETTINGS_CHANGED; as `readSettingsFile` does.
 */
export async function writeSettingsFile(before: SettingsFile, text: string, copy: string): Promise<void> {
  const { path, mode } = before;
  try {
    await makeFolder(dirname(path), 0o777);
    await access(before.text === undefined ? dirname(path) : path, constants.W_OK);
    if (before.text !== undefined) {
      await makeFolder(dirname(copy), 0o700);
      await put(copy, before.text, 0o600);
    }
    await put(path, text, mode, async () => {
      const now = await readSettingsFile(path);
      if (now.text !== before.text) throw changed(path);
    });
  } catch (error) {
    throw codeOf(error) === undefined ? error : readOnly(path, error);
  }
}

/** @param copy the path to which the text is copied; undefined for no copy. @throws as `writeSettingsFile` does. */
export async function removeSettingsFile(before: SettingsFile, copy: string | undefined): Promise<void> {
  const { path, text } = before;
  if (text === undefined) return;
  try {
    if (copy !== undefined) {
      await makeFolder(dirname(copy), 0o700);
      await put(copy, text, 0o600);
    }
    const now = await readSettingsFile(path);
    if (now.text !== text) throw changed(path);
    await unlink(path);
  } catch (error) {
    throw codeOf(error) === undefined ? error : readOnly(path, error);
  }
}

/**
 * Creates missing folders one at a time: Node's recursive mkdir retries for ever in some system folders.
 * @throws the system's error.
 */
async function makeFolder(dir: string, mode: number): Promise<void> {
  const make = (): Promise<unknown> => unless(["EEXIST"], mkdir(dir, { mode }));
  try {
    await make();
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(dir) === dir) throw error;
    await makeFolder(dirname(dir), mode);
    await make();
  }
}

async function put(path: string, text: string, mode: number, check?: () => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      // `open` applied the umask, which may have removed permissions from `mode`.
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await rename(draft, path);
  } finally {
    await unlessMissing(unlink(draft));
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined;
  return String(error.code);
}

const isLink = (path: string): RefusedError =>
  new RefusedError(
    "SETTINGS_LINKED",
    `${path} is a link: the file behind it may be shared with others, and is not changed here.`,
    "Install with another --scope; or add to the linked file, by hand, the lines that " +
      "`npx signalbox install --scope local --dry-run --verbose` prints.",
  );
const noFile = (path: string): RefusedError =>
  new RefusedError(
    "SETTINGS_NO_FILE",
    `${path} is no file.`,
    "Move away what is at this path, and install again.",
  );
const notYours = (path: string, uid: number): RefusedError =>
  new RefusedError(
    "SETTINGS_NOT_YOURS",
    `${path} belongs to ${uid === 0 ? "root" : `user ${uid}`}.`,
    "Install as that user, or with another --scope.",
  );
const notUtf8 = (path: string, line: number): RefusedError =>
  new RefusedError(
    "SETTINGS_NOT_UTF8",
    `${path} is not UTF-8: line ${line} has bytes that are no character. Nothing was written.`,
    "Save the file as UTF-8, and install again.",
  );
const unreadable = (path: string, error: unknown): RefusedError =>
  new RefusedError(
    "SETTINGS_UNREADABLE",
    `${path} cannot be read (${codeOf(error) ?? ""}).`,
    `Make the file readable: chmod u+r ${pasted(path)}.`,
  );
const readOnly = (path: string, error: unknown): RefusedError =>
  new RefusedError(
    "SETTINGS_READ_ONLY",
    `${path} cannot be written (${codeOf(error) ?? ""}).`,
    `Make the file writable: chmod u+w ${pasted(path)}; or install with another --scope.`,
  );
const changed = (path: string): RefusedError =>
  new RefusedError(
    "SETTINGS_CHANGED",
    `${path} was changed by somebody else just now. Nothing was written.`,
    "Install again.",
  );
