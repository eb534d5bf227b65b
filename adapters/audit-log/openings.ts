// Openings
// Removes openings from their files.
//
//   Owns:          which lines are removed, and their number.
//   Does not own:  writing the files (files.ts), recording the removal (audit-log.ts).

import { type AuditRow, entryIn, NO_OPENING, openedRow } from "../../runtime/audit/entry.ts";
import { entriesIn } from "../../runtime/tlog/bundles.ts";
import { TILE_WIDTH } from "../../runtime/tlog/tiles.ts";
import { type LogFiles, openingsPath, piecePath } from "./files.ts";

/** The remaining openings of a bundle. */
export interface Remaining {
  readonly text: string;
  readonly removed: number;
}

/** @param size of the log. @throws RefusedError BAD_OPENING if an opening does not fit its entry. */
export async function remaining(
  files: LogFiles,
  n: number,
  size: number,
  isErased: (row: AuditRow) => boolean,
): Promise<Remaining> {
  const width = Math.min(TILE_WIDTH, size - n * TILE_WIDTH);
  const bundle = await files.read(piecePath("entries", n, width));
  const lines = (await files.read(openingsPath(n)))?.toString().split("\n") ?? [];
  const entries = bundle ? entriesIn(bundle).map(entryIn) : [];
  let removed = 0;
  const kept = entries.map((entry, at) => {
    const line = lines[at] ?? NO_OPENING;
    const row = openedRow(entry, line);
    if (!row || !isErased(row)) return line;
    removed += 1;
    return NO_OPENING;
  });
  return { text: kept.map((line) => `${line}\n`).join(""), removed };
}
