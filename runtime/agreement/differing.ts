// Differing
// The error for a store whose history differs from that of the journal's owner.
//
//   Owns:          the text of the error, and when it refuses a start.
//   Does not own:  finding the difference (agreement), stopping (engine/mandate).
//   Decided in:    docs/decisions/0093-a-spare-compares-with-the-owner.md.
//
// DIFFERING-1. A store whose history once differed from the owner's is never opened again, whatever options a start has. A
//     backup of the store does not contain this mark: a person who has found the store right may restore it into another
//     folder.

import { FatalError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import type { Readable } from "../rows/overlay.ts";

/** @param position the position of the first entry that led to another result here than at the owner. */
export const historyDiffers = (position: number): FatalError =>
  new FatalError(
    "HISTORY_DIFFERS",
    `Entry ${position} of the journal had another result in this data folder than at the owner.`,
    "Keep both folders. `npx signalbox verify` says which of the two is right: restore a backup of that one into an empty folder, and start it with --follow.",
  );

/** Refuses a store whose history differs from the owner's (DIFFERING-1). @throws FatalError HISTORY_DIFFERS */
export function refuseDiffering(rows: Pick<Readable, "get">): void {
  const position = rows.get(keys.differs);
  if (position !== undefined) throw historyDiffers(Number(position));
}
