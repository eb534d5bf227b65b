// Compact
// Rewrites the data file without its free pages: lmdb reuses those pages, but never returns them to the disk.
//
//   Owns:          making the copy, and replacing the data file with the copy.
//   Does not own:  who else may have the store during that time (environment.ts).
//
// LMDB-COMPACT-1. The copy replaces the data file in one step, once the copy is complete and on disk.
// LMDB-COMPACT-2. This process holds the store until the copy has replaced the old file, so nobody writes to the old file.

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
 * @throws FatalError STORE_BUSY while an engine has the store, STORE_UNOPENED if the copy is incomplete; RetryableError
 * STORE_FULL if there is no room for a copy beside the file.
 */
export async function compactLmdb(dir: string, options: EnvironmentOptions = {}): Promise<Compacted> {
  const environment = new Environment(dir, options);
  const file = join(dir, "data.mdb");
  const drafts = join(dir, "compacting");
  const draft = join(drafts, "data.mdb");
  // The size is read first, because the takeover writes a row, which may lengthen the file. The takeover reports a missing file.
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
