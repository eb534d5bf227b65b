// Places
// Where the approvals and the calls of a workspace stand in the store, the oldest first.
//
//   Owns:          which there are, their order, how many of them are looked at.
//   Does not own:  what they say (moments).
//
// BACKTEST-PLACES-1. They are in the order in which they came, whether they are kept or were removed. Of those that came in
//     the same millisecond, the one with the smaller session and id is first.
// BACKTEST-PLACES-2. Of each kind the newest are looked at, and whoever asks is told if there are more.
// BACKTEST-PLACES-3. Only keys are kept in memory, and others run in between. (by review: no test sees the memory)

import { setImmediate as nextTick } from "node:timers/promises";
import type { Store } from "../../ports.ts";
import { after, keys } from "../../rows/keys.ts";
import { listBy } from "../../rows/listing.ts";

export interface Place {
  /** When it came, ms. */
  readonly at: number;
  readonly kind: "approval" | "past-approval" | "call";
  readonly session: string;
  readonly id: string;
}

export interface PlaceScope {
  readonly workspace: string;
  /** Only what came since then, ms. */
  readonly since: number;
  /** Only of this session. */
  readonly session?: string;
  /** How many of each kind. */
  readonly max: number;
}

/** Some places, the oldest first. */
export interface Places {
  readonly places: readonly Place[];
  /** There are older ones. */
  readonly more: boolean;
}

/** The approvals that are kept, and those that were removed. */
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

/** The calls that are kept. */
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
    // The space is the first character allowed in a key: no key lies between a key and this one.
    from = `${last} `;
    await nextTick();
  }
}

/** Keeps the newest, and at most twice as many while it gathers. */
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

/** BACKTEST-PLACES-1 */
export function inOrder(one: Place, other: Place): number {
  if (one.at !== other.at) return one.at - other.at;
  const [first, second] = [`${one.session}/${one.id}`, `${other.session}/${other.id}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
