// Audit log rows
// Turns the audit rows of a store into the leaves of a log.
//
//   Owns:          the leaf for rows that are missing or cannot be read.
//   Does not own:  writing the leaves (log-writer.ts), the rows (runtime/turn).
//
// AUDIT-LOG-ROWS-1. Of the rows that are read in one go, every number has a leaf of its own, or is listed in a leaf about
//     missing rows.

import { randomBytes } from "node:crypto";
import {
  type AuditRow,
  auditRow,
  type Leaf,
  leafOf,
  ownLeaf,
  SALT_BYTES,
} from "../../runtime/audit/entry.ts";
import type { Meta } from "../../runtime/rows/meta.ts";
import type { Store } from "../../runtime/ports.ts";
import { decode } from "../../runtime/rows/codec.ts";
import { keys } from "../../runtime/rows/keys.ts";

/** How many rows are read in one go before the event loop runs again. */
const SLICE = 16;

export interface Audited {
  /** Reads the store's durable rows only. */
  readonly store: Pick<Store, "get" | "range">;
  readonly incarnation: string;
  meta(): Pick<Meta, "audits">;
}

/** @param now the time that leaves about missing rows get, ms. @returns the leaves, and the number of the next row to read. */
export function sliceOf(store: Audited["store"], from: number, last: number, now: number) {
  const leaves: Leaf[] = [];
  const missing = (first: number, to: number): void => {
    if (to >= first) leaves.push(ownLeaf({ v: 1, at: now, kind: "rows-missing", from: first, to }));
  };
  let next = from;
  const rows = [...store.range({ gte: keys.audit(from), lt: keys.audit(last + 1), limit: SLICE })];
  for (const [key, text] of rows) {
    const n = numberIn(key);
    missing(next, n - 1);
    const row = readRow(key, text);
    if (row) leaves.push(leafOf(row, randomBytes(SALT_BYTES)));
    else missing(n, n);
    next = n + 1;
  }
  if (rows.length === SLICE) return { leaves, next };
  missing(next, last);
  return { leaves, next: last + 1 };
}

/**
 * The number of the store's first row; if there is no row, the number of the next row.
 * @param last the number of the last row.
 */
export function firstRow(store: Audited["store"], last: number): number {
  const [first] = [...store.range({ gte: keys.audits, lt: keys.audit(last + 1), limit: 1 })];
  return first ? numberIn(first[0]) : last + 1;
}

/** @returns the row; undefined if the text is not an audit row. */
export function readRow(key: string, text: string): AuditRow | undefined {
  try {
    const row = auditRow.safeParse(decode(key, text)).data;
    return row?.n === numberIn(key) ? row : undefined;
  } catch {
    return undefined;
  }
}

const numberIn = (key: string): number => Number(key.slice(keys.audits.length));
