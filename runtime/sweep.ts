// Sweep
// Letting go of what has been kept long enough: old changes, audit rows, dead letters, replies, tombstones.
//
//   Owns:          how long each log is kept, a bounded piece at a time.
//   Does not own:  requests and sessions (retention), the journal (trimming), when to sweep (chores).
//
// W1. One sweep takes away at most 1,000 rows of a log: it is an ordinary turn.
// W2. A change the outlet has not taken yet stays, however old.

import type { Configuration } from "./config.ts";
import { after, keys } from "./keys.ts";
import type { Swept } from "./message.ts";
import { type Meta, meta, setMeta } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry, Store } from "./ports.ts";
import { bury, type Tomb } from "./removal.ts";
import { mark } from "./trimming.ts";

const ROWS_MAX = 1_000;

/** A log whose rows stand in the order of their time. */
interface Log {
  readonly prefix: string;
  readonly kept: keyof Omit<Configuration, "cascade">;
  /** What goes with a row. */
  readonly also?: (layer: Layer, row: unknown) => void;
}

const LOGS: readonly Log[] = [
  { prefix: keys.audits, kept: "auditKeptMs" },
  { prefix: keys.deads, kept: "deadsKeptMs" },
  {
    prefix: keys.replies,
    kept: "repliesKeptMs",
    also: (layer, row) => layer.delete(keys.reply((row as { replied: string }).replied)),
  },
  { prefix: keys.tombs, kept: "tombstoneMs", also: (layer, row) => bury(layer, row as Tomb) },
];

const isOld = (row: unknown, keptMs: number, now: number): boolean =>
  (row as { readonly at: number }).at + keptMs <= now;

export function sweep(layer: Layer, entry: JournalEntry, { published, trimmed }: Swept): void {
  const { configuration, bytes } = meta(layer);
  sweepChanges(layer, entry.at, published);
  for (const log of LOGS) sweepLog(layer, log, configuration[log.kept], entry.at);
  mark(layer, entry, bytes, trimmed);
}

function sweepChanges(layer: Layer, now: number, published: number): void {
  const { configuration, changesFrom } = meta(layer);
  let kept = changesFrom;
  for (let n = changesFrom + 1; n <= Math.min(published, changesFrom + ROWS_MAX); n += 1) {
    const change = layer.get(keys.change(n));
    if (change !== undefined && !isOld(change, configuration.changesKeptMs, now)) break;
    layer.delete(keys.change(n));
    kept = n;
  }
  if (kept > changesFrom) setMeta(layer, { changesFrom: kept });
}

function sweepLog(layer: Layer, { prefix, also }: Log, keptMs: number, now: number): void {
  const found: string[] = [];
  for (const key of layer.keys(prefix)) if (found.push(key) >= ROWS_MAX) break;
  for (const key of found) {
    const row = layer.get(key);
    if (!isOld(row, keptMs, now)) continue;
    also?.(layer, row);
    layer.delete(key);
  }
}

/** True when a sweep would find more to take. */
export function isOverdue(
  store: Store,
  { configuration, changesFrom, at }: Meta,
  published: number,
): boolean {
  const next = changesFrom < published ? store.get(keys.change(changesFrom + 1)) : undefined;
  if (next !== undefined && isOld(JSON.parse(next), configuration.changesKeptMs, at)) return true;
  return LOGS.some(({ prefix, kept }) => {
    const [oldest] = store.range({ gte: prefix, lt: after(prefix), limit: 1 });
    return oldest !== undefined && isOld(JSON.parse(oldest[1]), configuration[kept], at);
  });
}
