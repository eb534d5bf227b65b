// Unended
// Sets deadlines that a store of an older version lacks: for idle sessions, and for requests that never began.
//
//   Owns:          finding rows without a deadline, once for each store and some rows at a time; setting the deadline that a new
//                  row would have.
//   Does not own:  the effect of a deadline (machines), when to sweep (maintenance).
//
// A store that this version created lacks no deadline.

import type { Address, RequestContext, SessionContext } from "../../machines/index.ts";
import { actorRow, type ActorRow } from "../rows/actors/actor-rows.ts";
import { hasAlarm, setAlarm } from "../rows/alarms.ts";
import { keys } from "../rows/keys.ts";
import { meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { Store } from "../ports.ts";

interface Walk {
  readonly list: number;
  readonly behind?: string;
}

const LISTS = [
  ["session", "state", "idle"],
  ["request", "state", "created"],
  ["request", "state", "queued"],
] as const;
const OVER: Walk = { list: LISTS.length };
const AT_ONCE = 100;

export function allEnded(layer: Layer): void {
  layer.set(keys.unended, OVER);
}

export function hasUnended(store: Store): boolean {
  const text = store.get(keys.unended);
  // The cast is safe: only this file writes the row `unended`.
  return text === undefined || (JSON.parse(text) as Walk).list < LISTS.length;
}

/** Continues the search for rows without a deadline. @returns how many rows it read. */
export function armUnended(layer: Layer, at: number): number {
  let walk = (layer.get(keys.unended) as Walk | undefined) ?? { list: 0 };
  let count = 0;
  for (let names = LISTS[walk.list]; names && count < AT_ONCE; names = LISTS[walk.list]) {
    const prefix = keys.list(names);
    let last: string | undefined;
    for (const key of layer.keys(prefix, walk.behind)) {
      if (count >= AT_ONCE) break;
      arm(layer, key.slice(key.indexOf("/", prefix.length) + 1) as Address, at);
      last = key;
      count += 1;
    }
    walk = count < AT_ONCE || last === undefined ? { list: walk.list + 1 } : { ...walk, behind: last };
    layer.set(keys.unended, walk);
  }
  return count;
}

function arm(layer: Layer, address: Address, at: number): void {
  const row = rowOf(layer, address);
  if (!row) return;
  const { idleMs } = meta(layer).configuration;
  const context = row.snapshot.context as Partial<SessionContext & RequestContext>;
  const { lastEvent, unbegunMs, lastUpdatedAt = at } = context;
  if (lastEvent && !hasAlarm(layer, address, "idle")) {
    layer.set(keys.actor(address), { ...row, book: { ...asBook(row), heardAt: lastEvent.at } });
    setAlarm(layer, address, "idle", Math.max(at, lastEvent.at + idleMs));
  }
  if (unbegunMs !== undefined && !hasAlarm(layer, address, "hung"))
    setAlarm(layer, address, "hung", Math.max(at, lastUpdatedAt + unbegunMs));
}

const asBook = ({ book }: ActorRow): object => (typeof book === "object" && book !== null ? book : {});

/**
 * The row of an actor; undefined if the row cannot be restored. The session of an actor that cannot be restored is stopped
 * anyway.
 */
function rowOf(layer: Layer, address: Address): ActorRow | undefined {
  try {
    return actorRow(layer, address);
  } catch {
    return undefined;
  }
}
