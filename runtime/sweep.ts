// Sweep
// Letting go of what has been kept long enough: old changes, audit rows, replies, tombstones.
//
//   Owns:          how long each log is kept, a bounded piece at a time.
//   Does not own:  requests and sessions (retention), the journal (the engine trims it).
//
// W1. One sweep takes away at most 1,000 rows of a log: it is an ordinary turn.

import { keys } from "./keys.ts";
import { meta, setMeta } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import { bury, type Tomb } from "./removal.ts";

const ROWS_MAX = 1_000;

export function sweep(layer: Layer, now: number): void {
  const { configuration, published, changesFrom } = meta(layer);
  let kept = changesFrom;
  for (let n = changesFrom + 1; n <= Math.min(published, changesFrom + ROWS_MAX); n += 1) {
    const change = layer.get(keys.change(n)) as { at: number } | undefined;
    if (change && change.at + configuration.changesKeptMs > now) break;
    layer.delete(keys.change(n));
    kept = n;
  }
  if (kept > changesFrom) setMeta(layer, { changesFrom: kept });
  drop(layer, keys.audits, now - configuration.auditKeptMs);
  drop(layer, keys.deads, now - configuration.deadsKeptMs);
  drop(layer, keys.replies, now - configuration.repliesKeptMs, (row) =>
    layer.delete(keys.reply((row as Replied).replied)),
  );
  drop(layer, keys.tombs, now - configuration.tombstoneMs, (row) => bury(layer, row as Tomb));
}

interface Replied {
  readonly replied: string;
}

/** Takes away rows of a log that is in order of time, up to the first that is young enough. */
function drop(layer: Layer, prefix: string, before: number, also?: (row: unknown) => void): void {
  const oldest: string[] = [];
  for (const key of layer.keys(prefix)) if (oldest.push(key) >= ROWS_MAX) break;
  for (const key of oldest) {
    const row = layer.get(key) as { at: number } | undefined;
    if (!row || row.at >= before) continue;
    also?.(row);
    layer.delete(key);
  }
}
