// Back up
// Writes everything that a data folder can be restored from into one file, while its engine runs.
//
//   Owns:          which parts a backup has, and their order.
//   Does not own:  reading the store (lmdb), the file (backup-file), the messages (cli).
//   Decided in:    docs/decisions/0074-a-backup-is-rows.md.
//
// BACK-UP-1. Making a backup changes nothing in the data folder, except that the folder's list of backups gets a line. The store
//     and its own journal are read as of one moment. The blobs are read afterwards, so that every blob which the store names is
//     in the backup.
// BACK-UP-2. A backup contains the seal's key and the tokens only encrypted with a passphrase; without a passphrase, it contains
//     neither.

import { unlessMissing } from "../../../runtime/errors/system-codes.ts";
import { defined } from "../../../machines/defined.ts";
import type { Binding, DataFolder } from "../../data-folder/index.ts";
import {
  checkHeld,
  grantText,
  inWords,
  noStore,
  noteBackup,
  readBinding,
  readSecret,
  readTokens,
} from "../../data-folder/index.ts";
import { BackupWriter, checkPassphrase, sealed } from "../../backup-file/index.ts";
import { blobNamesIn, keptBlob } from "../../blob-files/blob-files.ts";
import { holdStore, type KeptStore } from "../../nats-server/index.ts";
import { commandOf, markOf } from "../../system/index.ts";
import type { BackedUp, BackupWish } from "../../cli/index.ts";
import { openSnapshot, type Snapshot } from "../../lmdb/index.ts";
import { LIMITED } from "../../../runtime/access-token.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { version } from "../../version.ts";
import type { Header, Secrets } from "./contents.ts";

/**
 * @throws RefusedError NO_STORE, FOLDER_LOST, WEAK_PASSPHRASE, NOT_A_BACKUP, BACKUP_TAKEN; FatalError as `openSnapshot` does; the
 * file system's errors in writing `file`.
 */
export async function backUp(folder: DataFolder, file: string, wish: BackupWish): Promise<BackedUp> {
  const { passphrase } = wish;
  if (passphrase !== undefined) checkPassphrase(passphrase);
  await checkHeld(folder);
  const journal = await readBinding(folder);
  if (!journal) throw noStore(folder.dir, "backup FILE");
  // If the folder's private server is stopped, so that no engine uses it, the server's files are locked before the store is read:
  // no engine can then start the server and change the files during the backup.
  const nats = journal.kind === "private" ? await heldStore(folder) : undefined;
  try {
    const snapshot = await inWords(folder.dir, () => openSnapshot(folder.store));
    try {
      return await begun(folder, file, { snapshot, journal, nats }, wish);
    } finally {
      await snapshot.close();
    }
  } finally {
    await nats?.release();
  }
}

const heldStore = ({ dir, nats }: DataFolder): Promise<KeptStore | undefined> =>
  inWords(dir, () => holdStore(nats, { markOf, commandOf }));

async function begun(
  folder: DataFolder,
  file: string,
  open: Omit<Open, "writer">,
  wish: BackupWish,
): Promise<BackedUp> {
  const writer = await BackupWriter.begin(file);
  try {
    return await written(folder, { ...open, writer }, wish);
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

interface Open {
  readonly snapshot: Snapshot;
  readonly writer: BackupWriter;
  readonly journal: Binding;
  /** The private server's store; undefined unless there is one and the server is stopped. */
  readonly nats: KeptStore | undefined;
}

async function written(
  folder: DataFolder,
  open: Open,
  { passphrase, progress }: BackupWish,
): Promise<BackedUp> {
  const { snapshot, writer, journal, nats } = open;
  const head = headerOf(open, passphrase !== undefined);
  const names = (await unlessMissing(blobNamesIn(folder.blobs))) ?? [];
  const all = snapshot.rows + names.length;
  let [done, entries] = [0, 0];
  const add = async (
    fields: Parameters<BackupWriter["add"]>[0],
    body?: Uint8Array,
    count = 0,
  ): Promise<void> => {
    await writer.add(fields, body);
    progress((done += count), Math.max(all, done));
  };
  await add(head);
  for (const { kind: part, n, rows, bytes } of snapshot.pieces(journal.kind === "embedded")) {
    if (part === "entries") entries += rows;
    await add({ part, n, rows }, bytes, rows);
  }
  const rows = done - entries;
  const damaged: string[] = [];
  for (const name of names) {
    const blob = await keptBlob(folder.blobs, name);
    if (blob && !blob.content) damaged.push(name);
    if (blob?.content) await add({ part: "blobs", name, at: blob.at }, blob.content, 1);
  }
  for (const name of nats?.names ?? []) await add({ part: "nats", name }, await nats?.read(name));
  const secrets = await secretsOf(folder);
  if (passphrase !== undefined) {
    const seal = await sealed(JSON.stringify(secrets), passphrase, writer.digest);
    await add({ part: "secrets", ...seal.head }, seal.body);
  }
  const { path, bytes, parts, sha256 } = await writer.end();
  const isNoted = await noteBackup(folder, { file: path, at: head.madeAt }).then(yes, no);
  const blobs = parts["blobs"]?.frames ?? 0;
  const tokens = Object.keys(secrets.tokens).length;
  const { position, hasJournal } = head;
  const kept = { hasKey: secrets.key !== undefined, tokens, isSealed: passphrase !== undefined };
  return {
    ...{ dir: folder.dir, file: path, bytes, position, rows, entries, blobs, damaged, isNoted },
    ...{ journal: journal.kind, hasJournal, ...kept, sha256 },
  };
}

/** The backup counts even if it cannot be added to the folder's list of backups, for example on a read-only disk. */
const [yes, no] = [() => true, () => false];

function headerOf({ snapshot, journal, nats }: Omit<Open, "writer">, hasSecrets: boolean): Header {
  const meta = JSON.parse(snapshot.row(keys.meta) ?? "{}") as { format?: number | string; position?: number };
  const { format: store, position = 0 } = meta;
  const { epoch } = snapshot;
  return {
    ...{ part: "header", build: version, madeAt: Date.now(), epoch, position, journal },
    ...defined({ store }),
    hasJournal: journal.kind === "embedded" || nats !== undefined,
    hasSecrets,
  };
}

async function secretsOf(folder: DataFolder): Promise<Secrets> {
  const key = await readSecret(folder.key);
  const read = await readTokens(folder);
  const tokens = read.map(({ name, token, access }) => [name, `${access ? LIMITED : ""}${token}`] as const);
  const grants = read.flatMap(({ name, access }) => (access ? [[name, grantText(access)] as const] : []));
  return {
    ...(key !== undefined && { key }),
    tokens: Object.fromEntries(tokens),
    ...(grants.length > 0 && { grants: Object.fromEntries(grants) }),
  };
}
