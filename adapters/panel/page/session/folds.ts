// Folds
// Folds a subagent's calls under the call that started the subagent, so that a reader first sees what the main agent did.
//
//   Owns:          which calls are folded, what a fold says about its calls.
//   Does not own:  which call is nested in which (model.ts), how a fold looks (timeline.tsx).
//
// FOLDS-1. If a call has 8 or more calls below it (`MANY`), these calls are folded at first; fewer calls are shown. A person can
//     fold and unfold the calls below any call.
// FOLDS-2. At first no fold hides a call that waits for a person. No fold ever hides the chosen call.
// FOLDS-3. Each call either has a row of its own, or is counted by exactly one fold that is shown.

import type { BatchRow, CallRow, Fold, RequestRow } from "./model.ts";

export const MANY = 8;

/** The folds that a person has opened (true) or closed (false), by the id of the call that has the fold. */
export type Turned = ReadonlyMap<string, boolean>;

/** @param chosen the id of a call that must be drawn. */
export function folded(
  requests: readonly RequestRow[],
  turned: Turned,
  chosen: string | undefined,
): readonly RequestRow[] {
  const batchOf = (batch: BatchRow): BatchRow =>
    batch.rows.some(({ depth }) => depth > 0)
      ? { ...batch, rows: rowsOf(batch.rows, turned, chosen) }
      : batch;
  return requests.map((request) => ({ ...request, batches: request.batches.map(batchOf) }));
}

/** Leaves out the rows inside closed folds. @param rows in order, each followed by the rows that are nested in it. */
function rowsOf(rows: readonly CallRow[], turned: Turned, chosen: string | undefined): readonly CallRow[] {
  const shown: CallRow[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (!row) break;
    const below = rows.slice(at + 1, endOf(rows, at));
    const fold = below.length > 0 ? foldOf(row.call.id, below, turned, chosen) : undefined;
    shown.push(fold ? { ...row, fold } : row);
    if (fold?.isOpen === false) at += below.length;
  }
  return shown;
}

/** The index after the last row that is nested below the row at `at`. */
export function endOf(rows: readonly CallRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  let end = at + 1;
  while ((rows[end]?.depth ?? -1) > depth) end += 1;
  return end;
}

function foldOf(id: string, below: readonly CallRow[], turned: Turned, chosen: string | undefined): Fold {
  const count = (isMeant: (row: CallRow) => boolean): number => below.filter(isMeant).length;
  const waiting = count((row) => row.waiting !== undefined);
  const isChosen = chosen !== undefined && below.some(({ call }) => call.id === chosen);
  return {
    calls: below.length,
    failed: count(({ call }) => call.execution === "failed"),
    denied: count(({ call }) => call.execution === "denied"),
    running: count(({ call, waiting: asks }) => call.execution === "processing" && asks === undefined),
    waiting,
    isOpen: isChosen || (turned.get(id) ?? (below.length < MANY || waiting > 0)),
  };
}

/** How many calls a row stands for: its own call, and the calls that its closed fold hides. */
export const weightOf = ({ fold }: CallRow): number => 1 + (fold && !fold.isOpen ? fold.calls : 0);

/**
 * The row whose fold the key `f` opens or closes: the chosen call's if it has a fold, else the nearest row around it that has
 * one.
 */
export function foldFor(rows: readonly CallRow[], chosen: string): CallRow | undefined {
  const at = rows.findIndex(({ call }) => call.id === chosen);
  const row = rows[at];
  if (!row || row.fold) return row;
  return rows.slice(0, at).findLast(({ depth, fold }) => fold !== undefined && depth < row.depth);
}
