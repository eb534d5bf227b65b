// Places
// Lists the places at which a workspace's approvals and calls are stored, oldest first, so that a trial of rules can replay
// them in order.
//
//   Owns:          finding where approvals and calls are stored, the order of these places, how many are read.
//   Does not own:  reading the rows at these places (moments).
//
// BACKTEST-PLACES-1. The places are in the order in which the approvals and calls came. A removed approval has a place, too, if
//     its past-approval row is kept (rows/past-approvals). Approvals and calls of the same millisecond are ordered by session
//     and id.
// BACKTEST-PLACES-2. The caller sets how many approvals, and how many calls, are listed at most; the newest are listed. The
//     result says if there are older ones.
// BACKTEST-PLACES-3. Only keys are held in memory, and other work runs while the places are listed. (checked by review: no test
//     sees the memory)

import { setImmediate as nextTick } from "node:timers/promises";
import type { Store } from "../../ports.ts";
import { after, keys } from "../../rows/keys.ts";
import { listBy } from "../../rows/listing.ts";

export interface Place {
  /** When the approval was requested, or the call was reported, ms. */
  readonly at: number;
  readonly kind: "approval" | "past-approval" | "call";
  readonly session: string;
  readonly id: string;
}

export interface PlaceScope {
  readonly workspace: string;
  /** Selects approvals and calls that came at this time or later, ms. */
  readonly since: number;
  /** Selects only approvals and calls of this session. */
  readonly session?: string;
  /** How many places of approvals, and how many of calls, are read at most. */
  readonly max: number;
}

export interface Places {
  readonly places: readonly Place[];
  readonly more: boolean;
}

/** The places of stored and of removed approvals. */
export async function approvalPlaces(store: Store, scope: PlaceScope): Promise<Places> {
  const { workspace, since } = scope;
  const newest = new Newest(scope);
  const list = listBy("approval", { workspace });
  for await (const key of keysIn(store, keys.listFrom(list, since), after(keys.list(list)))) {
    const [at, , session = "", , id = ""] = key.split("/").slice(-5);
    newest.add({ at: Number(at), kind: "approval", session, id });
  }
  for await (const key of keysIn(store, keys.pastApprovalsFrom(since), after(keys.pastApprovals))) {
    const [at, of, session = "", id = ""] = key.split("/").slice(-4);
    if (of === workspace) newest.add({ at: Number(at), kind: "past-approval", session, id });
  }
  return newest.all();
}

export async function callPlaces(store: Store, scope: PlaceScope): Promise<Places> {
  const { workspace, since } = scope;
  const newest = new Newest(scope);
  const all = keys.callsIn(workspace);
  for await (const key of keysIn(store, all, after(all))) {
    const [session = "", , at, id = ""] = key.split("/").slice(-4);
    if (Number(at) >= since) newest.add({ at: Number(at), kind: "call", session, id });
  }
  return newest.all();
}

const KEYS_AT_ONCE = 1_000;

async function* keysIn(store: Store, gte: string, lt: string): AsyncGenerator<string> {
  for (let from = gte; ;) {
    const found: string[] = [];
    for (const [key] of store.range({ gte: from, lt, limit: KEYS_AT_ONCE })) found.push(key);
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < KEYS_AT_ONCE) return;
    // Reading goes on after the last key. With a space at its end, the last key sorts before every later key, because a space
    // sorts before any other character of a key.
    from = `${last} `;
    await nextTick();
  }
}

/** Collects the newest places. Never stores more than twice as many places as wanted. */
class Newest {
  readonly #max: number;
  readonly #session: string | undefined;
  #places: Place[] = [];
  #more = false;

  constructor({ max, session }: PlaceScope) {
    this.#max = max;
    this.#session = session;
  }

  add(place: Place): void {
    if (this.#session !== undefined && place.session !== this.#session) return;
    this.#places.push(place);
    if (this.#places.length >= 2 * this.#max) this.#cut();
  }

  all(): Places {
    this.#cut();
    return { places: this.#places, more: this.#more };
  }

  #cut(): void {
    this.#places.sort(inOrder);
    const over = this.#places.length - this.#max;
    if (over <= 0) return;
    this.#more = true;
    this.#places = this.#places.slice(over);
  }
}

export function inOrder(one: Place, other: Place): number {
  if (one.at !== other.at) return one.at - other.at;
  const [first, second] = [`${one.session}/${one.id}`, `${other.session}/${other.id}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
