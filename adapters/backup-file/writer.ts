// Writer
// Writes a backup into a draft, `….part`, and renames it to the backup's file name once it is complete and on disk.
//
//   Owns:          the draft, the draft's mode, the last frame, the rename.
//   Does not own:  the form of frames (frame.ts), the content of frames.
//
// BACKUP-FILE-WRITER-1. At any time, the backup's file name belongs to the previous file or to the complete new backup. Only this
//     user can read the backup.
// BACKUP-FILE-WRITER-2. A file that is not a backup is never overwritten.

import { constants } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isThere } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { encodeFrame, FIRST_LINE, firstDigest, type Head, type PartSums, Sums } from "./frame.ts";
import { isBackup } from "./reader.ts";

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const MODE = 0o600;

export interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly parts: PartSums;
  readonly sha256: string;
}

export class BackupWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #sums = new Sums();
  #digest = firstDigest();
  #bytes = FIRST_LINE.length;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @throws RefusedError NOT_A_BACKUP if another kind of file has the name; the file system's own errors. */
  static async begin(file: string): Promise<BackupWriter> {
    const path = resolve(file);
    if (!(await isFree(path)) && !(await isBackup(path))) throw notABackup(path);
    await rm(draftOf(path), { force: true });
    const writer = new BackupWriter(path, await open(draftOf(path), NEW, MODE));
    await writer.#file.appendFile(FIRST_LINE);
    return writer;
  }

  get digest(): Buffer {
    return this.#digest;
  }

  async add(head: Head, body: Uint8Array = new Uint8Array()): Promise<void> {
    this.#sums.add(head, body);
    await this.#write(head, body);
  }

  /** Gives the complete file its name. @throws RefusedError BACKUP_TAKEN if another process has begun a file of the same name. */
  async end(): Promise<Written> {
    const parts = this.#sums.parts();
    await this.#write({ part: "end", parts }, new Uint8Array());
    await this.#file.sync();
    if (!(await this.#isOurs())) throw taken(this.#path);
    await rename(draftOf(this.#path), this.#path);
    const folder = await open(dirname(this.#path), "r");
    await folder.sync().finally(() => folder.close());
    await this.#file.close();
    return { path: this.#path, bytes: this.#bytes, parts, sha256: this.#digest.toString("hex") };
  }

  async abandon(): Promise<void> {
    if (await this.#isOurs()) await rm(draftOf(this.#path), { force: true });
    await this.#file.close();
  }

  /** False once another process has begun a backup file of the same name. */
  async #isOurs(): Promise<boolean> {
    const { ino } = await this.#file.stat();
    return (await stat(draftOf(this.#path)).catch(() => undefined))?.ino === ino;
  }

  async #write(head: Head, body: Uint8Array): Promise<void> {
    const { bytes, digest } = encodeFrame(head, body, this.#digest);
    await this.#file.appendFile(bytes);
    this.#bytes += bytes.length;
    this.#digest = digest;
  }
}

const draftOf = (path: string): string => `${path}.part`;

const isFree = async (path: string): Promise<boolean> => !(await isThere(stat(path)));

const notABackup = (path: string): RefusedError =>
  new RefusedError(
    "NOT_A_BACKUP",
    `${path} exists and is no backup of Signalbox: it was not changed.`,
    "Choose another name for the backup.",
  );

const taken = (path: string): RefusedError =>
  new RefusedError(
    "BACKUP_TAKEN",
    `Another backup is being written to ${path}.`,
    "Wait until that backup is written, or choose another name.",
  );
