// Restore
// Makes a data folder from a backup file.
//
//   Owns:          which folders may be filled, the order of steps, when a folder counts as complete.
//   Does not own:  the file (backup-file), writing the store (lmdb), the messages (cli).
//   Decided in:    docs/decisions/0074-a-backup-is-rows.md.
//
// RESTORE-1. The whole file and the passphrase are checked before anything in the folder is changed.
// RESTORE-2. Until everything is on disk, a file in the folder says that a restore is unfinished, and no engine opens the folder.
//     If a restore is killed, the next one starts from the beginning.
// RESTORE-3. A restore fills only an empty or missing folder. The folder may contain a settings file, which stays.
// RESTORE-4. If the header names an encrypted part, that part must be the last one: it is bound to the digest of all parts before
//     it, so none of them was altered. If a passphrase is given but the header names no encrypted part, the restore is refused:
//     somebody may have cut that part out.
// RESTORE-5. If the backup has the journal, what came after the backup is lost with the changes that readers saw of it. The
//     restored store then has a change log with another name, so that no reader takes the next changes for those (META-3).

import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { z } from "zod";
import { isFields, jsonIn } from "../../../machines/json.ts";
import { unlessMissing } from "../../../runtime/errors/system-codes.ts";
import { openSealed, readBackup, type ReadFrame } from "../../backup-file/index.ts";
import { BlobFiles } from "../../blob-files/blob-files.ts";
import type { Restored, RestoreWish } from "../../cli/index.ts";
import {
  accessIn,
  addToken,
  type DataFolder,
  ensureSecret,
  inWords,
  isHalfRestored,
  makeFolder,
  writeBinding,
  writeHalfRestored,
  writeRecord,
} from "../../data-folder/index.ts";
import { fillLmdb, type Filling } from "../../lmdb/index.ts";
import { putInStore } from "../../nats-server/index.ts";
import { markOf, systemClock } from "../../system/index.ts";
import { bareToken, LIMITED } from "../../../runtime/access-token.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { type Meta, underNewLog } from "../../../runtime/rows/meta.ts";
import { blob, header, type Header, natsFile, piece, type Secrets, secrets } from "./contents.ts";

/**
 * @throws RefusedError NOT_A_BACKUP, BACKUP_FORMAT, BACKUP_CUT, BACKUP_DAMAGED, WRONG_PASSPHRASE, NEEDS_PASSPHRASE, FOLDER_IN_USE
 * and as `makeFolder` does; FatalError as the store does; the file system's errors in reading `file`.
 */
export async function restore(folder: DataFolder, file: string, wish: RestoreWish): Promise<Restored> {
  const { isCheck = false } = wish;
  if (!isCheck) await checkEmpty(folder);
  const found = await looked(file, wish);
  if (!isCheck) await fill(folder, file, found, wish);
  const { secrets: opened, header: head, counts } = found;
  const { build, madeAt, position, journal, hasJournal, hasSecrets: isSealed } = head;
  return {
    dir: folder.dir,
    ...{ build, madeAt, position, journal: journal.kind, hasJournal },
    ...{ isSealed, isOpened: opened !== undefined },
    ...counts,
    hasKey: opened?.key !== undefined,
    tokens: Object.keys(opened?.tokens ?? {}).length,
  };
}

/** @throws the errors of `readBackup`. */
export async function isSealed(file: string): Promise<boolean> {
  for await (const { head } of readBackup(file)) return header.parse(head).hasSecrets;
  return false;
}

interface Looked {
  readonly header: Header;
  readonly secrets: Secrets | undefined;
  readonly counts: { readonly rows: number; readonly entries: number; readonly blobs: number };
}

/** The parts whose frames contain neither rows nor a blob. */
const OTHERS: ReadonlySet<string> = new Set(["header", "nats", "secrets", "end"]);

// Reads the whole file once, only to check it (RESTORE-1).
async function looked(file: string, { passphrase, isCheck = false, progress }: RestoreWish): Promise<Looked> {
  const passes = isCheck ? 1 : 2;
  const counts = { rows: 0, entries: 0, blobs: 0 };
  const parts: string[] = [];
  let [head, opened]: [Header | undefined, Secrets | undefined] = [undefined, undefined];
  for await (const frame of readBackup(file)) {
    const { part } = frame.head;
    progress(frame.to, frame.of * passes);
    if (parts.at(-1) !== part) parts.push(part);
    if (!head) head = header.parse(frame.head);
    else if (part === "secrets" && passphrase !== undefined) opened = await secretsIn(frame, passphrase);
    else if (part === "blobs") counts.blobs += 1;
    else if (!OTHERS.has(part)) {
      const piecesHead = piece.parse(frame.head);
      counts[piecesHead.part === "entries" ? "entries" : "rows"] += piecesHead.rows;
    }
  }
  if (!head || !isInOrder(parts, head)) throw altered(file);
  if (passphrase !== undefined && !head.hasSecrets) throw notSealed(file);
  return { header: head, secrets: opened, counts };
}

/** Whether the backup is complete (RESTORE-4). @param parts in their order; successive frames of one part count once. */
function isInOrder(parts: readonly string[], { hasSecrets }: Header): boolean {
  const last = hasSecrets ? ["secrets", "end"] : ["end"];
  const between = parts.slice(1, -last.length);
  const isWhole = parts[0] === "header" && last.every((part, n) => parts.at(n - last.length) === part);
  return isWhole && !between.some((part) => part === "header" || part === "secrets" || part === "end");
}

const secretsIn = async ({ head, body, before }: ReadFrame, passphrase: string): Promise<Secrets> =>
  secrets.parse(JSON.parse(await openSealed(head, body, passphrase, before)));

async function fill(
  folder: DataFolder,
  file: string,
  found: Looked,
  { progress }: RestoreWish,
): Promise<void> {
  await makeFolder(folder);
  await inWords(folder.dir, () => emptied(folder), true);
  const { header: head, secrets: opened } = found;
  const named = head.hasJournal ? { textOf: underAnotherLog } : {};
  const filling = await fillLmdb(folder.store, { after: head.epoch, markOf, ...named });
  const blobs = new DatedBlobs(folder);
  try {
    for await (const frame of readBackup(file)) {
      if (frame.head.part === "nats")
        await putInStore(folder.nats, natsFile.parse(frame.head).name, frame.body);
      else await put(frame, filling, blobs);
      progress(frame.of + frame.to, frame.of * 2);
    }
  } finally {
    await filling.close();
  }
  const { epoch } = filling;
  const { key } = opened ?? {};
  if (key !== undefined) await ensureSecret(folder.key, () => key);
  const { tokens = {}, grants = {} } = opened ?? {};
  for (const [name, token] of Object.entries(tokens)) {
    // A limited token gives no access unless its grant, the file that lists what the token may do, is restored, too (GRANTS-1).
    const access = token.startsWith(LIMITED) ? accessIn(grants[name] ?? "") : undefined;
    await addToken(folder, name, access, bareToken(token));
  }
  // First all files become durable. Then `writeBinding` writes the file `journal`, which marks the folder as complete. The second
  // `writeRecord` adds to the record which journal this file names.
  await writeRecord(folder, epoch);
  await writeBinding(folder, head.journal);
  await writeRecord(folder, epoch);
}

/** RESTORE-5. */
function underAnotherLog(key: string, text: string): string {
  const meta = key === keys.meta ? jsonIn(text) : undefined;
  return isFields(meta) ? JSON.stringify(underNewLog(meta as unknown as Meta, systemClock().now())) : text;
}

async function put({ head, body }: ReadFrame, filling: Filling, blobs: DatedBlobs): Promise<void> {
  if (OTHERS.has(head.part)) return;
  if (head.part === "blobs") return blobs.put(blob.parse(head), body);
  const { part: kind, n } = piece.parse(head);
  await filling.put({ kind, n, bytes: body });
}

/** Restores blobs with their original time, because the engine removes blobs by age. */
class DatedBlobs {
  readonly #blobs: BlobFiles;
  #at = 0;

  constructor(folder: DataFolder) {
    this.#blobs = new BlobFiles(folder.blobs, { ...systemClock(), now: () => this.#at });
  }

  async put({ name, at }: z.infer<typeof blob>, content: Buffer): Promise<void> {
    this.#at = at;
    await this.#blobs.put(name, content.toString("utf8"));
  }
}

/** Removes the files that an interrupted restore has left in the folder (RESTORE-2). */
async function emptied(folder: DataFolder): Promise<void> {
  if (!(await isHalfRestored(folder))) {
    await checkEmpty(folder);
    return writeHalfRestored(folder);
  }
  for (const name of await readdir(folder.dir)) {
    const path = join(folder.dir, name);
    if (path !== folder.journal && path !== folder.settings) await rm(path, { recursive: true });
  }
}

const altered = (file: string): RefusedError =>
  new RefusedError(
    "BACKUP_DAMAGED",
    `The parts of the backup ${file} are not in the order in which a backup is written: somebody altered it.`,
    "Nothing was restored. Use another copy of this backup, or an earlier backup.",
  );

const notSealed = (file: string): RefusedError =>
  new RefusedError(
    "WRONG_PASSPHRASE",
    `The backup ${file} has no part that a passphrase opens. If it was made with a passphrase, somebody altered it.`,
    "Nothing was restored. If it was made without a passphrase, restore it with `--no-key`.",
  );

// Refuses a folder that has files of its own, other than a settings file (RESTORE-3).
async function checkEmpty(folder: DataFolder): Promise<void> {
  const names = (await inWords(folder.dir, () => unlessMissing(readdir(folder.dir)))) ?? [];
  // A restore first marks the folder as unfinished, in the file `journal`. If an earlier restore was killed while it wrote this
  // mark, the folder contains only a draft of the file, and counts as empty.
  const isDraft = (name: string): boolean => name.startsWith(`${basename(folder.journal)}.`);
  const isSettings = (name: string): boolean => name === basename(folder.settings);
  if (names.every((name) => isDraft(name) || isSettings(name)) || (await isHalfRestored(folder))) return;
  throw new RefusedError(
    "FOLDER_IN_USE",
    `The folder ${folder.dir} is not empty: nothing was restored into it.`,
    "Name another folder with --data DIR; or stop this folder's engine, and move the folder away first.",
  );
}
