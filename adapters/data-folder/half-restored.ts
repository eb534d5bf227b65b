// Half restored
// Marks a folder that is being restored, so that nothing opens the folder before it is complete.
//
//   Owns:          the mark, and the message about a marked folder.
//   Does not own:  restoring (composition/backup), which journal a complete folder has (binding.ts).
//
// HALF-RESTORED-1. The mark is in the file that names the folder's journal, so that earlier versions of Signalbox refuse the
//     folder, too.

import { RefusedError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

const MARK = "restoring";

export const writeHalfRestored = ({ journal }: DataFolder): Promise<void> => writeOwn(journal, `${MARK}\n`);

export async function isHalfRestored({ journal }: DataFolder): Promise<boolean> {
  return (await readOwn(journal))?.trim() === MARK;
}

/** @throws RefusedError HALF_RESTORED if a restore into the folder has not ended */
export async function checkRestored(folder: DataFolder): Promise<void> {
  if (!(await isHalfRestored(folder))) return;
  throw new RefusedError(
    "HALF_RESTORED",
    `The data folder ${folder.dir} is only half restored: the restore still runs, or was stopped before its end.`,
    `Restore again into the same folder, which begins anew: npx signalbox restore FILE --data ${pasted(folder.dir)}`,
  );
}
