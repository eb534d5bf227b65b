// Unended
// Says whether a store may lack the deadlines of idle sessions, and of requests that have not begun.
//
//   Owns:          the row that says that no such deadline is missing.
//   Does not own:  setting deadlines (machines), refusing a store that may lack some (engine/migration).
//
// A build before release 0.1.0 set no such deadlines. The sweeps of versions 0.1.0 and 0.2.0 set the missing ones: they went
// through three lists of actors, and this row counts the lists that they had finished.

import { jsonIn } from "../../machines/json.ts";
import { keys } from "../rows/keys.ts";
import type { Layer } from "../rows/overlay.ts";
import type { Store } from "../ports.ts";

const OVER = { list: 3 };

/** Writes into a new store the row that says that no deadline is missing. */
export function allEnded(layer: Layer): void {
  layer.set(keys.unended, OVER);
}

/** True if some deadlines may be missing. An unreadable row does not count, because it must not stop the engine (G9). */
export function hasUnended(store: Store): boolean {
  const text = store.get(keys.unended);
  const row = jsonIn(text) as Partial<typeof OVER> | null | undefined;
  return text === undefined || Number(row?.list) < OVER.list;
}
