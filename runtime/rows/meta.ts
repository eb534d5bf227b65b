// Meta
// The row with the engine's counters and cursor. Every turn writes this row.
//
//   Owns:          the counters and the cursor; the format of the store that this code reads and writes.
//   Does not own:  the epoch, which the store itself holds.
//
// META-1. If the store's format cannot be migrated, the engine does not start. Before the engine checks the format, it writes
//     nothing but the epoch.
// META-2. The cursor never moves back, and moves in the same commit as the results of the entries that it passes.
// META-3. No two change logs have the same name. So a place in one change log is never valid in another. A store that lost
//     changes which readers may have seen, and makes others in their place, goes on under another name.
// META-4. The fields of this row always have the same order. So the row has the same bytes in two stores that applied the same
//     entries, even if the engine of one of them was restarted in between.

import type { Known } from "../cluster/term.ts";
import { completed, type Configuration, DEFAULT_CONFIGURATION } from "../config.ts";
import { InvariantViolation, storeFormat } from "../errors/errors.ts";
import type { ClockState } from "../journal/journal-time.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";
import type { Untold } from "../quota.ts";

/**
 * The format of the store. What each format has changed:
 * 3: a request or approval id is unique in its workspace (keys, migration).
 * 4: the changes of a turn are one row (turn-changes).
 * 5: the row of a session holds its recent books (session-records).
 * 6: a store on disk may have a redo log, which is newer than its rows.
 */
export const FORMAT = 6;

export interface Meta extends Known {
  readonly format: typeof FORMAT;
  readonly incarnation: string;
  readonly position: number;
  /** The hash of the entry that was applied last, if the journal has hashes. */
  readonly hash?: string | undefined;
  /** What is added to the positions of a journal that the store adopted after another one (store-journal). */
  readonly base?: number | undefined;
  /** The time of the last entry. The time of turns never goes back (journal-time). */
  readonly at: number;
  /** Present while the time of turns differs from the clock's (journal-time). */
  readonly clock?: ClockState | undefined;
  readonly configuration: Configuration;
  readonly changes: number;
  readonly audits: number;
  readonly deads: number;
  /** How many actors there are, by kind and state: `request/processing` (LISTING-2). */
  readonly counts: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly changesFrom: number;
  /** The name of the change log, if the log lacks a part of the journal, or follows a backup. Read it by `logOf`. */
  readonly log?: string | undefined;
  /** When journal entries were last found missing, by journal time, and how many are missing in all (missing). */
  readonly lost?: { readonly at: number; readonly entries: number } | undefined;
  /** Messages that were refused because of the quota in one second, by workspace, and are not reported yet (turning-away). */
  readonly overQuota?: Untold | undefined;
  /** The positions of the entries that were set aside as poison, the newest ones (poison). */
  readonly poison?: readonly number[] | undefined;
  /** How many unreadable entries of one second got a dead letter each, and how many are only counted (unreadable-entries). */
  readonly junk?: { readonly second: number; readonly letters: number; readonly untold: number } | undefined;
}

/**
 * All fields of the meta row, in order. Each new row begins with a copy, because otherwise a field that was absent before would
 * come at the end (META-4).
 */
const IN_ORDER: Readonly<Record<keyof Meta, undefined>> = {
  format: undefined,
  incarnation: undefined,
  position: undefined,
  hash: undefined,
  base: undefined,
  at: undefined,
  clock: undefined,
  configuration: undefined,
  changes: undefined,
  audits: undefined,
  deads: undefined,
  counts: undefined,
  bytes: undefined,
  changesFrom: undefined,
  log: undefined,
  lost: undefined,
  overQuota: undefined,
  junk: undefined,
  poison: undefined,
  term: undefined,
  stale: undefined,
};

export function readMeta(rows: Readable): Meta | undefined {
  return rows.get(keys.meta) as Meta | undefined;
}

/**
 * The meta row at the start of the engine; undefined in a new store. Settings that the row of an older version lacks get their
 * defaults.
 * @throws FatalError STORE_FORMAT (META-1)
 */
export function openMeta(rows: Readable): Meta | undefined {
  const found = rows.get(keys.meta) as { readonly format: number | string } | undefined;
  if (found && found.format !== FORMAT) throw storeFormat(found.format, FORMAT);
  const known = readMeta(rows);
  if (!known) return undefined;
  const configuration = completed(known.configuration);
  return configuration === known.configuration ? known : { ...known, configuration };
}

/** The name of the change log and of the log of dead letters (META-3). It is the same in all stores that read one journal. */
export const logOf = ({ incarnation, log }: Pick<Meta, "incarnation" | "log">): string => log ?? incarnation;

/** The meta row of a store whose change log gets another name (META-3). @param now ms, which becomes part of the name. */
export const underNewLog = (meta: Meta, now: number): Meta => ({
  ...meta,
  log: `${meta.incarnation}_${now}`,
});

export function freshMeta(
  incarnation: string,
  position = 0,
  configuration: Configuration = DEFAULT_CONFIGURATION,
): Meta {
  return {
    format: FORMAT,
    incarnation,
    position,
    at: 0,
    bytes: 0,
    configuration,
    changes: 0,
    audits: 0,
    deads: 0,
    counts: {},
    changesFrom: 0,
  };
}

/** @throws InvariantViolation before the first meta row is written. */
export function meta(layer: Layer): Meta {
  const row = readMeta(layer);
  if (!row) throw new InvariantViolation("NO_META", "The store has no meta row.", "Report this as a defect.");
  return row;
}

export function setMeta(layer: Layer, change: Partial<Meta>): void {
  const before = meta(layer);
  if (change.position !== undefined && change.position < before.position) {
    throw new InvariantViolation(
      "CURSOR_BACK",
      `The cursor would move back, from ${before.position} to ${change.position}.`,
      "Report this as a defect.",
    );
  }
  layer.set(keys.meta, { ...IN_ORDER, ...before, ...change } satisfies Meta);
}

/** Counts that an actor moved from one state to another. `from` is undefined for a new actor, `to` for a removed one. */
export function countMove(
  layer: Layer,
  kind: string,
  from: string | undefined,
  to: string | undefined,
): void {
  const counts: Record<string, number> = { ...meta(layer).counts };
  const add = (state: string | undefined, by: number): void => {
    if (state !== undefined) counts[`${kind}/${state}`] = countIn(counts, kind, state) + by;
  };
  add(from, -1);
  add(to, 1);
  setMeta(layer, { counts });
}

export const countIn = (counts: Meta["counts"], kind: string, state: string): number =>
  counts[`${kind}/${state}`] ?? 0;
