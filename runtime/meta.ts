// Meta
// Where the engine stands: one row, written by every turn.
//
//   Owns:          the counters and the cursor.
//   Does not own:  the epoch (the store's own).
//
// R3. The cursor never moves back, and moves in the same commit as what it stands for.

import type { Configuration } from "./config.ts";
import { DEFAULT_CONFIGURATION } from "./config.ts";
import { InvariantViolation } from "./errors.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

export interface Meta {
  readonly format: 1;
  readonly incarnation: string;
  readonly position: number;
  /** Of the entry at the position, where the journal gave one. */
  readonly hash?: string;
  /** What is added to the positions of a journal that was adopted (store-journal). */
  readonly base?: number;
  /** The last stamp seen: turns never go back in time. */
  readonly at: number;
  readonly configuration: Configuration;
  readonly changes: number;
  readonly audits: number;
  readonly deads: number;
  /** The size of all entries up to the cursor. */
  readonly bytes: number;
  /** Changes up to here have been let go. */
  readonly changesFrom: number;
}

export function readMeta(rows: Readable): Meta | undefined {
  return rows.get(keys.meta) as Meta | undefined;
}

/** @param position where the journal begins. */
export function freshMeta(incarnation: string, position = 0): Meta {
  return {
    format: 1,
    incarnation,
    position,
    at: 0,
    bytes: 0,
    configuration: DEFAULT_CONFIGURATION,
    changes: 0,
    audits: 0,
    deads: 0,
    changesFrom: 0,
  };
}

/** The meta row. @throws InvariantViolation before the first one is written. */
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
      `The cursor would move from ${before.position} to ${change.position}.`,
      "Report this as a defect.",
    );
  }
  layer.set(keys.meta, { ...before, ...change } satisfies Meta);
}
