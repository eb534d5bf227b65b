// Compacting
// Gives disk space that a data folder's store no longer uses back to the system.
//
//   Owns:          checking that the folder has a store.
//   Does not own:  how a store is compacted (lmdb), the messages (cli).

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { checkHeld, type DataFolder, inWords, makeFolder, noStore } from "../data-folder/index.ts";
import { type Compacted, compactLmdb } from "../lmdb/index.ts";
import { markOf } from "../system/index.ts";

/** @throws RefusedError NO_STORE, FOLDER_LOST and as `makeFolder`; FatalError and RetryableError as `compactLmdb`. */
export async function compactFolder(folder: DataFolder): Promise<Compacted> {
  const known = await checkHeld(folder);
  const file = await stat(join(folder.store, "data.mdb")).catch(() => undefined);
  if (!known && !file) throw noStore(folder.dir, "compact");
  await makeFolder(folder);
  return inWords(folder.dir, () => compactLmdb(folder.store, { known, markOf }));
}
