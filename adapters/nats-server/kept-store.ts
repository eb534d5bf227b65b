// Kept store
// Reads the store of a stopped private server for a backup, file by file, and restores it from one.
//
//   Owns:          holding the folder meanwhile, which of its files are the store, their names.
//   Does not own:  the files' content, where they are stored (composition/backup).
//
// NATS-SERVER-KEPT-STORE-1. The files are read only while no server runs on them, and none can be started: a server writes to
//     several files at once.
// NATS-SERVER-KEPT-STORE-2. A name from a backup leads only into the store.

import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { FatalError, RefusedError } from "../../runtime/errors/errors.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { claim, endOrphan, type Processes, release } from "./claim.ts";
import { configFileOf, pidFileOf, storeDirOf } from "./files.ts";

export interface KeptStore {
  /** The names of its files, as the store has them. */
  readonly names: readonly string[];
  read(name: string): Promise<Buffer>;
  release(): Promise<void>;
}

/** @param dir the server's folder. @returns undefined while the server runs, or if there is no store. */
export async function holdStore(dir: string, processes: Processes): Promise<KeptStore | undefined> {
  try {
    await claim(dir, processes);
  } catch (error) {
    if (error instanceof FatalError && error.code === "STORE_BUSY") return undefined;
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    await endOrphan(pidFileOf(dir), configFileOf(dir), processes);
    const store = storeDirOf(dir);
    const found = await readdir(store, { recursive: true, withFileTypes: true });
    const files = found.filter((each) => each.isFile());
    return {
      names: files.map(({ parentPath, name }) => relative(store, join(parentPath, name))).sort(),
      read: (name) => readFile(join(store, name)),
      release: () => release(dir),
    };
  } catch (error) {
    await release(dir);
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Letters, digits and the other characters of the server's file names, and no step upwards. */
const NAME = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w$.-]+(?:\/[\w$.-]+)*$/;

/** Writes a file of a store, durably. @throws RefusedError BACKUP_DAMAGED for a name that leads elsewhere. */
export async function putInStore(dir: string, name: string, content: Uint8Array): Promise<void> {
  if (!NAME.test(name))
    throw new RefusedError(
      "BACKUP_DAMAGED",
      `The backup names a file that no NATS server has: ${JSON.stringify(name.slice(0, 80))}.`,
      "Use another copy of this backup, or an earlier backup.",
    );
  const path = join(storeDirOf(dir), name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}
