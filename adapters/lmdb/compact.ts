// Compact
// Rewrites the data file without its free pages: lmdb reuses those pages, but never returns them to the disk.
//
//   Owns:          the copy, and replacing the file with it.
//   Does not own:  who may have the store meanwhile (environment.ts: a running engine keeps it).
//
// LMDB-COMPACT-1. The copy replaces the file in one step, once it is complete and on disk. However the process ends, the store is
//     the old file or the new one, with the same rows.
// LMDB-COMPACT-2. This process holds the store until the new file has replaced the old one, so nobody can have written to the
//     old file.

import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FatalError } from "../../runtime/errors/errors.ts";
import { lookAtDataFile } from "./data-file.ts";
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { sync } from "./sync.ts";
import { storeUnopened, troubleOf } from "./trouble.ts";

export interface Compacted {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Returns the disk space that removals have freed in a store. No engine may have the store open.
 * @returns the length of the data file before and after.
 * @throws FatalError STORE_BUSY while an engine has the store, STORE_UNOPENED if the copy is incomplete; RetryableError
 * STORE_FULL if there is no room for a copy beside the file.
 */
export async function compactLmdb(dir: string, options: EnvironmentOptions = {}): Promise<Compacted> {
  const environment = new Environment(dir, options);
  const file = join(dir, "data.mdb");
  const drafts = join(dir, "compacting");
  const draft = join(drafts, "data.mdb");
  // The size is read before the takeover, which writes a row and can make the file longer. The takeover also reports a missing
  // file.
  const bytesBefore = (await stat(file).catch(() => undefined))?.size ?? 0;
  await environment.takeOver();
  try {
    await rm(drafts, { recursive: true, force: true });
    await mkdir(drafts, { mode: 0o700 });
    await environment.tables.root.backup(drafts, true);
    if ((await lookAtDataFile(draft)) !== "whole") throw new Error(`The copy ${draft} is not complete.`);
    await chmod(draft, 0o600);
    await sync(draft);
    const bytesAfter = (await stat(draft)).size;
    await rename(draft, file);
    await sync(dir);
    return { bytesBefore, bytesAfter };
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw troubleOf(dir, error) ?? storeUnopened(dir, error);
  } finally {
    await rm(drafts, { recursive: true, force: true });
    await environment.close();
  }
}
