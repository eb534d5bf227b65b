// Rows in
// The rows of a log, newest first, with what of them can still be shown.
//
//   Owns:          walking through a log, which rows are meant.
//   Does not own:  whether the log is right (verify-log.ts): of each row only its opening is tried.

import { TILE_WIDTH } from "../tlog/tiles.ts";
import { type AuditRow, type Entry, entryIn, isOfRow, type Leaf, openedRow } from "./entry.ts";
import { leavesIn, type OpenedLog } from "./kept-log.ts";

/** A leaf in its place. */
export interface Placed extends Leaf {
  readonly index: number;
  readonly said: Entry;
  /** Undefined where it was removed, and for what the log says of itself. */
  readonly row: AuditRow | undefined;
}

export interface RowFilter {
  /** From this time on, ms. */
  readonly since?: number | undefined;
  /** Before this time, ms. */
  readonly until?: number | undefined;
  readonly workspace?: string | undefined;
  readonly session?: string | undefined;
  readonly by?: string | undefined;
  readonly kind?: string | undefined;
  /** Of an approval, by either of its ids, or of a call. */
  readonly id?: string | undefined;
}

/** @throws RefusedError BAD_OPENING, BAD_ENTRY, BAD_BUNDLE, MISSING_PIECE: then the log is not as it was written. */
export function* rowsIn(log: OpenedLog, filter: RowFilter = {}): Generator<Placed> {
  const { since = 0 } = filter;
  for (let n = Math.ceil(log.size / TILE_WIDTH) - 1; n >= 0; n -= 1) {
    const placed = leavesIn(log, n).map((leaf, at) => placedAt(n * TILE_WIDTH + at, leaf));
    for (const each of placed.reverse()) if (isMeant(each, filter)) yield each;
    // Rows come in the order of their times; the log's own words have another clock.
    if (placed.some(({ said }) => isOfRow(said) && said.at < since)) return;
  }
}

function placedAt(index: number, leaf: Leaf): Placed {
  const said = entryIn(Buffer.from(leaf.entry));
  return { ...leaf, index, said, row: openedRow(said, leaf.opening) };
}

function isMeant({ said, row }: Placed, { since = 0, until = Infinity, kind, ...of }: RowFilter): boolean {
  if (said.at < since || said.at >= until || (kind ?? said.kind) !== said.kind) return false;
  const { workspace, session, by, id } = of;
  if ([workspace, session, by, id].every((each) => each === undefined)) return true;
  // Of what was removed nobody knows whose it was.
  return (
    row !== undefined &&
    (workspace ?? row.workspace) === row.workspace &&
    (session ?? row.sessionId) === row.sessionId &&
    (by ?? row.by) === row.by &&
    (id === undefined || [row.approvalId, row.alias, row.callId].includes(id))
  );
}
