// Sums
// Adds up what several engines answer to a search, and to the query for counts.
//
//   Owns:          the order of hits, which counts are added.
//   Does not own:  asking the engines (peers), how one engine answers a query (runtime/reading).
//
// PEERS-SUMS-1. The merged result of a search counts as complete only if the search read everything at each engine that answered.
// PEERS-SUMS-2. The merged result has at most as many hits of each kind as the query asked for, however many engines have hits.

import { type Fields, isFields } from "../../machines/json.ts";
import { FOUND_KINDS } from "../reading/search/search-index.ts";
import type { Stats, StatsWithin } from "../reading/figures/stats.ts";
import { SEARCH_LIMIT, type SearchAnswer } from "../reading/search/search.ts";

/** The body of a peer's answer. The peer may run another version. */
export interface PeerBody {
  readonly engine: string;
  readonly body: unknown;
}

export const fieldsIn = (body: unknown): Fields => (isFields(body) ? body : {});
export const listIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];
export const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);

export const sumOf = (name: string, of: readonly object[]): number =>
  of.reduce<number>((sum, each) => sum + numberIn(fieldsIn(each)[name]), 0);

/**
 * Joins the hits of all engines: first the hits whose id is exactly `text`, then each kind of hit, newest first.
 * @param text the text that was searched for.
 * @param limit how many hits of each kind are shown.
 */
export function searchedAll(
  own: SearchAnswer,
  peers: readonly PeerBody[],
  { text, limit = SEARCH_LIMIT }: { readonly text: string; readonly limit?: number | undefined },
): SearchAnswer & { readonly items: readonly Fields[] } {
  const others = peers.map(({ engine, body }) => ({ engine, ...fieldsIn(body) }));
  const all: readonly Fields[] = [{ ...own }, ...others];
  const items = all.flatMap(({ engine, items: found }) =>
    listIn(found).map((hit) => (engine === undefined ? hit : { ...hit, engine })),
  );
  const rank = ({ id, kind }: Fields): number =>
    id === text ? -1 : FOUND_KINDS.findIndex((each) => each === kind);
  const inOrder = (one: Fields, other: Fields): number =>
    rank(one) - rank(other) || numberIn(other["at"]) - numberIn(one["at"]);
  const shown = new Map<unknown, number>();
  const cut = new Set<unknown>();
  const isShown = ({ id, kind }: Fields): boolean => {
    if (id === text) return true;
    const count = (shown.get(kind) ?? 0) + 1;
    shown.set(kind, count);
    if (count > limit) cut.add(kind);
    return count <= limit;
  };
  const since = Math.max(...all.map((each) => numberIn(each["since"])));
  return {
    // The cast only gives the hits their type: hits are passed on unchanged.
    items: items.toSorted(inOrder).filter(isShown) as unknown as SearchAnswer["items"] & readonly Fields[],
    more: FOUND_KINDS.filter(
      (kind) => cut.has(kind) || all.some(({ more }) => Array.isArray(more) && more.includes(kind)),
    ),
    searched: all.reduce((sum, { searched }) => sum + numberIn(searched), 0),
    isWhole: all.every(({ isWhole }) => isWhole === true),
    ...(since > 0 && { since }),
  };
}

/**
 * Adds the peers' counts of sessions, requests, approvals, alarms and dead letters to this engine's; all other numbers remain
 * this engine's own.
 */
export function countedAll<T extends Stats | StatsWithin>(own: T, peers: readonly unknown[]): T {
  const counts = Object.entries(own.counts).map(([kind, ofKind]) => {
    const states = Object.entries(ofKind).map(([state, count]) => {
      const more = peers.map((body) => fieldsIn(fieldsIn(fieldsIn(body)["counts"])[kind])[state]);
      return [state, more.reduce<number>((sum, each) => sum + numberIn(each), count)] as const;
    });
    return [kind, Object.fromEntries(states)] as const;
  });
  const deads = "deads" in own && { deads: sumOf("deads", [own, ...peers.map(fieldsIn)]) };
  return { ...own, ...deads, counts: Object.fromEntries(counts) as T["counts"] };
}
