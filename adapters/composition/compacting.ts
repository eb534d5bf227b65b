// Compacting
// Returns the disk space that a data folder's store no longer uses.
//
//   Owns:          which folder has a store to compact.
//   Does not own:  how a store is compacted (lmdb), the messages (cli).

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { checkHeld, type DataFolder, inWords, makeFolder } from "../data-folder/index.ts";
import { type Compacted, compactLmdb } from "../lmdb/index.ts";
import { markOf } from "../system/index.ts";

/** @throws RefusedError NO_STORE, FOLDER_LOST and as `makeFolder`; FatalError and RetryableError as `compactLmdb`. */
export async function compactFolder(folder: DataFolder): Promise<Compacted> {
  const known = await checkHeld(folder);
  const file = await stat(join(folder.store, "data.mdb")).catch(() => undefined);
  if (!known && !file) throw noStore(folder.dir);
  await makeFolder(folder);
  return inWords(folder.dir, () => compactLmdb(folder.store, { known, markOf }));
}

const noStore = (dir: string): RefusedError =>
  new RefusedError(
    "NO_STORE",
    `There is no store in ${dir}.`,
    "Name the engine's data folder: npx signalbox compact --data DIR",
  );
