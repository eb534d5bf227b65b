// Differing
// The error for a store whose history differs from that of the journal's owner.
//
//   Owns:          the text of the error, and when an engine refuses to start because of a difference.
//   Does not own:  finding the difference (agreement), stopping (engine/mandate).
//   Decided in:    docs/decisions/0093-a-spare-compares-with-the-owner.md.
//
// DIFFERING-1. A store whose history once differed from the owner's is never opened again, whatever options a start has. A backup
//     lacks the record of the difference, so a person who has checked that the store is right may restore its backup into another
//     folder.

import { FatalError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import type { Readable } from "../rows/overlay.ts";

/** @param position the position of the first entry whose result in this store is not the owner's result. */
export const historyDiffers = (position: number): FatalError =>
  new FatalError(
    "HISTORY_DIFFERS",
    `This engine and the journal's owner got different results for journal entry ${position}.`,
    "Keep both folders. `npx signalbox verify` says which of the two folders is right: restore a backup of the right one into an empty folder, and start its engine with --follow.",
  );

/** Refuses a store whose history differs from the owner's (DIFFERING-1). @throws FatalError HISTORY_DIFFERS */
export function refuseDiffering(rows: Pick<Readable, "get">): void {
  const position = rows.get(keys.differs);
  if (position !== undefined) throw historyDiffers(Number(position));
}
