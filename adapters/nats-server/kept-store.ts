// Kept store
// Reads the files of a stopped private server's store for a backup, and restores the files from a backup.
//
//   Owns:          claiming the server's folder while the store is read, which files belong to the store, their names.
//   Does not own:  the backup (composition/backup).
//
// NATS-SERVER-KEPT-STORE-1. The store's files are read only while no server runs on them, and none can be started.
// NATS-SERVER-KEPT-STORE-2. A file name from a backup never leads out of the store's folder.

import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { FatalError, RefusedError } from "../../runtime/errors/errors.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { claim, endOrphan, type Processes, release } from "./claim.ts";
import { configFileOf, pidFileOf, storeDirOf } from "./files.ts";

export interface KeptStore {
  /** The names of the store's files, relative to the store's folder. */
  readonly names: readonly string[];
  read(name: string): Promise<Buffer>;
  release(): Promise<void>;
}

/** @param dir the server's folder. @returns the server's store; undefined while the server runs, or if there is no store. */
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

/** Matches a path with the characters that the server's file names have, and without a step to a folder above. */
const NAME = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w$.-]+(?:\/[\w$.-]+)*$/;

/** Writes a file of a store, durably. @throws RefusedError BACKUP_DAMAGED if the name leads out of the store. */
export async function putInStore(dir: string, name: string, content: Uint8Array): Promise<void> {
  if (!NAME.test(name))
    throw new RefusedError(
      "BACKUP_DAMAGED",
      `The backup names a file that no NATS server has: ${JSON.stringify(name.slice(0, 80))}.`,
      "Use another copy of this backup, or an earlier backup.",
    );
  const path = join(storeDirOf(dir), name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { flag: "wx", mode: 0o600, flush: true });
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}
