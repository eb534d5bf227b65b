// Sweep
// Removes old rows of each log: changes, audit rows, dead letters, replies, tombstones, past approvals.
//
//   Owns:          how long the rows of each log are kept; removing a limited number of rows at a time.
//   Does not own:  requests and sessions (retention), the journal (trimming), when to sweep (maintenance).
//
// TURN-SWEEP-1. One sweep removes about 500 rows, of all logs together. A sweep is an ordinary turn, and takes no longer than
//     other turns. Which rows a sweep removes, and in which order, depends only on the stored rows.
// TURN-SWEEP-2. A sweep never removes a change that was not published yet, however old the change is.
// G9. An unreadable row counts as being as old as the next readable row, so it never prevents the removal of other rows.

import { jsonIn } from "../../machines/json.ts";
import type { SweptCounts, SweptLog } from "./turn-result.ts";
import type { Configuration } from "../config.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";
import { believedOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Swept } from "../message.ts";
import { type Meta, meta, setMeta } from "../rows/meta.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";
import { forgetRule, type RuleEnd } from "../rows/rule-rows.ts";
import type { JournalEntry, Store } from "../ports.ts";
import { forgetRemoval, forget, type Last, type Tomb } from "./tombs.ts";
import { mark } from "./trimming.ts";
import { dropFullBuckets } from "./turning-away.ts";

const ROWS_MAX = 500;
const UNREAD_MAX = 100;

interface Log {
  readonly prefix: string;
  readonly keptMs: (configuration: Configuration) => number;
  /**
   * Removes at most `rowsMax` rows of other kinds that belong to an old row of the log, such as the whole entry of a dead
   * letter.
   * @returns how many; undefined if some remain, so that the old row must stay.
   */
  readonly also?: (layer: Layer, row: unknown, rowsMax: number) => number | undefined;
}

/** The logs from which sweeps remove old rows. Under the key prefix of a log there are only rows of that log. */
export const LOGS: Readonly<Record<SweptLog, Log>> = {
  auditRows: { prefix: keys.audits, keptMs: ({ auditKeptMs }) => auditKeptMs },
  deadLetters: {
    prefix: keys.deads,
    keptMs: ({ deadsKeptMs }) => deadsKeptMs,
    also: (layer, row) => {
      const buried = keys.buried((row as DeadLetter).n);
      if (layer.get(buried) === undefined) return 0;
      layer.delete(buried);
      return 1;
    },
  },
  replies: {
    prefix: keys.replies,
    keptMs: ({ repliesKeptMs }) => repliesKeptMs,
    also: (layer, row) => {
      layer.delete(keys.reply((row as { replied: string }).replied));
      return 1;
    },
  },
  tombstones: {
    prefix: keys.tombs,
    keptMs: ({ tombstoneMs }) => tombstoneMs,
    also: (layer, row, rowsMax) => forgetRemoval(layer, row as Tomb, rowsMax),
  },
  ledgers: {
    prefix: keys.lasts,
    keptMs: ({ ledgersKeptMs }) => ledgersKeptMs,
    also: (layer, row) => forget(layer, row as Last),
  },
  pastApprovals: { prefix: keys.pastApprovals, keptMs: ({ approvalsKeptMs }) => approvalsKeptMs },
  rules: {
    prefix: keys.ruleEnds,
    keptMs: ({ rulesKeptMs }) => rulesKeptMs,
    also: (layer, row) => forgetRule(layer, row as RuleEnd),
  },
};

export const KINDS = Object.keys(LOGS) as readonly SweptLog[];

/** The cast is safe: the list has every key of the record. */
export const NO_ROWS = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<SweptLog, number>;

/** The log of proofs, which are kept as long as changes. */
const PROOFS: Log = { prefix: keys.proofs, keptMs: ({ changesKeptMs }) => changesKeptMs };

export function sweep(layer: Layer, entry: JournalEntry, said: Swept): SweptCounts {
  const { published, trimmed, goesOn, unaged = false } = said;
  const known = meta(layer);
  const { bytes, configuration } = known;
  const now = believedOf(known);
  const { changes, rows } = sweepChanges(layer, unaged ? Infinity : now, published);
  let left = ROWS_MAX - rows;
  const sweptOf = ({ keptMs, ...log }: Log): number => {
    const { rows, taken } = sweepLog(layer, log, now - keptMs(configuration), left);
    left -= rows;
    return taken;
  };
  const taken = { ...NO_ROWS };
  for (const kind of KINDS) taken[kind] = sweptOf(LOGS[kind]);
  sweptOf(PROOFS);
  left -= dropFullBuckets(layer, entry.at, left);
  if (goesOn !== true) mark(layer, entry, bytes, trimmed);
  return { rows: ROWS_MAX - left, changes, ...taken };
}

function sweepChanges(
  layer: Layer,
  now: number,
  published: number,
): { readonly changes: number; readonly rows: number } {
  const { configuration, changesFrom } = meta(layer);
  const found = rowsUpTo(layer, changesFrom, published);
  const isOld = (index: number): boolean => {
    for (const key of found.slice(index, index + UNREAD_MAX)) {
      const row = rowIn(layer, key);
      if (row) return row.at + configuration.changesKeptMs <= now;
    }
    return index + UNREAD_MAX < found.length;
  };
  const rows = countOf(Math.min(found.length, ROWS_MAX), isOld);
  const last = found[rows - 1];
  if (last === undefined) return { changes: 0, rows };
  for (const key of found.slice(0, rows)) layer.delete(key);
  const until = numberIn(last);
  setMeta(layer, { changesFrom: until });
  return { changes: until - changesFrom, rows };
}

const numberIn = (key: string): number => Number(key.slice(keys.changes.length));

/** The rows of changes after `from`: as many as one sweep reads, up to the first change that is not published yet. */
function rowsUpTo(layer: Layer, from: number, published: number): readonly string[] {
  const found: string[] = [];
  for (const key of layer.keys(keys.changes, keys.change(from)))
    if (numberIn(key) > published || found.push(key) > ROWS_MAX + UNREAD_MAX) break;
  return found;
}

/**
 * How many of the indices from 0 to `all` - 1 satisfy `holds`. Found by bisection, because the indices that satisfy `holds`
 * come first.
 */
function countOf(all: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle - 1)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sweepLog(
  layer: Layer,
  { prefix, also }: Omit<Log, "keptMs">,
  until: number,
  rowsMax: number,
): { readonly rows: number; readonly taken: number } {
  let rows = 0;
  let taken = 0;
  const unread: string[] = [];
  for (const key of firstKeys(layer, prefix, rowsMax)) {
    if (rows >= rowsMax) break;
    const row = rowIn(layer, key);
    if (row === undefined) {
      unread.push(key);
      continue;
    }
    if (row.at > until) return { rows, taken };
    const more = also ? also(layer, row, rowsMax - rows) : 0;
    if (more === undefined) return { rows: rowsMax, taken };
    const gone = [...unread.splice(0), key];
    for (const each of gone) layer.delete(each);
    rows += gone.length + more;
    taken += gone.length;
  }
  // An unreadable row does not tell its age, so it is removed with the next old row. If 100 or more unreadable rows follow one
  // another and no readable row was read after them, the sweep removes them, because they could otherwise stay for ever.
  if (unread.length < UNREAD_MAX) return { rows, taken };
  for (const key of unread) layer.delete(key);
  return { rows: rows + unread.length, taken: taken + unread.length };
}

function rowIn(layer: Layer, key: string): { readonly at: number } | undefined {
  try {
    const row = layer.get(key) as { readonly at?: unknown } | null | undefined;
    return typeof row?.at === "number" ? { ...row, at: row.at } : undefined;
  } catch {
    return undefined;
  }
}

export function isOverdue(store: Store, known: Meta, published: number): boolean {
  const { configuration, changesFrom } = known;
  const now = believedOf(known);
  const ready = { gte: keys.change(changesFrom + 1), lt: keys.change(published + 1) };
  if (changesFrom < published && isOld(store, ready, now - configuration.changesKeptMs)) return true;
  return [...Object.values(LOGS), PROOFS].some(({ prefix, keptMs }) =>
    isOld(store, { gte: prefix, lt: after(prefix) }, now - keptMs(configuration)),
  );
}

/** True if the first readable row is old, or if many consecutive rows are unreadable. */
function isOld(store: Store, rows: { readonly gte: string; readonly lt: string }, until: number): boolean {
  let unread = 0;
  for (const [, text] of store.range({ ...rows, limit: UNREAD_MAX })) {
    const at = atOf(text);
    if (at !== undefined) return at <= until;
    unread += 1;
  }
  return unread >= UNREAD_MAX;
}

/** When a row of a log was written, ms; undefined if the row is unreadable. */
export function atOf(text: string): number | undefined {
  const row = jsonIn(text) as { at?: unknown } | null | undefined;
  return typeof row?.at === "number" ? row.at : undefined;
}
