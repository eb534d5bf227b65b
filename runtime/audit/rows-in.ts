// Rows in
// Reads the rows of an audit log, newest first, each with its content unless the content was removed.
//
//   Owns:          the order in which rows are read, selecting rows.
//   Does not own:  checking the log (verify-log.ts); only the opening of each row is checked here.

import { TILE_WIDTH } from "../tlog/tiles.ts";
import { type AuditRow, type Entry, entryIn, type Leaf, openedRow } from "./entry.ts";
import { entriesOf, leavesIn, type OpenedLog } from "./kept-log.ts";

export interface Placed extends Leaf {
  readonly index: number;
  readonly said: Entry;
  /** The audit row; undefined if its opening was removed, or if the entry is about the log itself. */
  readonly row: AuditRow | undefined;
}

export interface RowFilter {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly workspace?: string | undefined;
  readonly session?: string | undefined;
  readonly by?: string | undefined;
  readonly kind?: string | undefined;
  /** The id of a call, or one of the two ids of an approval. */
  readonly id?: string | undefined;
}

/** @throws RefusedError BAD_OPENING, BAD_ENTRY, BAD_BUNDLE, MISSING_PIECE if the log is not as it was written. */
export function* rowsIn(log: OpenedLog, filter: RowFilter = {}): Generator<Placed> {
  // If a log goes on with the rows of another store, a later row may have an earlier time. So after a bundle (256 entries) that
  // has only rows from before `since`, the search still goes on to older bundles.
  for (let n = Math.ceil(log.size / TILE_WIDTH) - 1; n >= 0; n -= 1) {
    const said = entriesOf(log, n).map(entryIn);
    if (!said.some((each) => isTimely(each, filter))) continue;
    const leaves = leavesIn(log, n);
    for (let at = said.length - 1; at >= 0; at -= 1) {
      const [entry, leaf] = [said[at], leaves[at]];
      if (!entry || !leaf || !isTimely(entry, filter)) continue;
      const row = openedRow(entry, leaf.opening);
      if (isMeant(row, filter)) yield { ...leaf, index: n * TILE_WIDTH + at, said: entry, row };
    }
  }
}

const isTimely = (
  { at, kind }: Entry,
  { since = 0, until = Infinity, kind: wanted = kind }: RowFilter,
): boolean => at >= since && at < until && kind === wanted;

/**
 * True if the filter selects the row. A filter for a workspace, session, person or id selects no row whose opening was removed,
 * because nobody knows any more what that row was about.
 */
function isMeant(row: AuditRow | undefined, { workspace, session, by, id }: RowFilter): boolean {
  if ([workspace, session, by, id].every((each) => each === undefined)) return true;
  return (
    row !== undefined &&
    (workspace ?? row.workspace) === row.workspace &&
    (session ?? row.sessionId) === row.sessionId &&
    (by ?? row.by) === row.by &&
    (id === undefined || [row.approvalId, row.alias, row.callId].includes(id))
  );
}
