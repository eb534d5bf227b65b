// Pages
// Merges pages of the same list from several engines into one page.
//
//   Owns:          the place of an item, the order of the merged items, where the next page begins.
//   Does not own:  asking the engines (peers), the lists of one engine and the form of a cursor (runtime/reading).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-PAGES-1. All pages together show each item of each engine once, in one order, as long as each engine answers. A cursor is
//     a place in this common order, so it means the same to every engine.
// PEERS-PAGES-2. Each engine is first asked for a short page. An engine whose short page does not suffice is then asked for a
//     whole page. The merged page is the same as if all engines had given whole pages.

import { type Address, childAddress, sessionAddress } from "../../machines/index.ts";
import type { SessionId, WorkspaceId } from "../../machines/ids.ts";
import { placeInList } from "../rows/keys.ts";
import { readCursor, type Slice, writeCursor } from "../reading/paging.ts";

export type Item = Readonly<Record<string, unknown>>;

/** One engine's page of a list. */
export interface Part {
  /** The peer's name; undefined for this engine. */
  readonly engine?: string;
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export interface MergedPage {
  /** The items. Each item of a peer names the peer in its field `engine`. */
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** The lists that can be merged, and for each the text by which its items are sorted, whichever engine they come from. */
export const PLACES = {
  "session.list": (item) => placeOf(item, "createdAt", sessionOf(item, "id")),
  "request.list": (item) =>
    placeOf(
      item,
      "createdAt",
      childAddress(sessionOf(item, "sessionId"), "request", text(item, "requestId")),
    ),
  "approval.list": (item) =>
    placeOf(item, "askedAt", childAddress(sessionOf(item, "sessionId"), "approval", text(item, "id"))),
  "alarm.list": (item) =>
    placeOf(item, "at", childAddress(sessionOf(item, "sessionId"), "call", text(item, "callId"))),
} as const satisfies Readonly<Record<string, (item: Item) => string>>;

export type MergedList = keyof typeof PLACES;

const text = (item: Item, name: string): string => String(item[name]);

// The casts are safe: the address is only compared, and sent back to the engine that it came from.
const sessionOf = (item: Item, name: string): Address =>
  sessionAddress(text(item, "workspace") as WorkspaceId, text(item, name) as SessionId);

const placeOf = (item: Item, at: string, address: Address): string => placeInList(Number(item[at]), address);

type Wanted = Pick<Slice, "order"> & { readonly limit: number };

const afterIn = (order: Slice["order"]) => ({
  isAfter: (one: string, other: string): boolean => (order === "oldest" ? one > other : one < other),
  inOrder: (one: string, other: string): number =>
    one === other ? 0 : (order === "oldest") === one > other ? 1 : -1,
});

/** The parts that end before the merged page is full, although their engines have more items, which the page must not lack. */
export function shortParts(
  list: MergedList,
  parts: readonly Part[],
  { limit, order }: Wanted,
): readonly Part[] {
  const { isAfter, inOrder } = afterIn(order);
  const places = parts.flatMap(({ items }) => items.map(PLACES[list])).toSorted(inOrder);
  const last = places[limit - 1];
  return parts.filter(
    ({ nextCursor: end }) => end !== undefined && (last === undefined || isAfter(last, readCursor(end))),
  );
}

/** @param order the order of the wanted list; newest first by default. */
export function mergePages(list: MergedList, parts: readonly Part[], { limit, order }: Wanted): MergedPage {
  const { isAfter, inOrder } = afterIn(order);
  const ends = parts.flatMap(({ nextCursor }) => (nextCursor === undefined ? [] : [readCursor(nextCursor)]));
  // Items after the earliest end of any engine's page are left out: that engine may have further items before them.
  const [end] = ends.toSorted(inOrder);
  const all = parts
    .flatMap(({ engine, items }) =>
      items.map((item) => ({
        place: PLACES[list](item),
        item: engine === undefined ? item : { ...item, engine },
      })),
    )
    .filter(({ place }) => end === undefined || !isAfter(place, end))
    .toSorted((one, other) => inOrder(one.place, other.place));
  const taken = all.slice(0, limit);
  const last = all.length > limit ? taken.at(-1)?.place : end;
  return {
    items: taken.map(({ item }) => item),
    ...(last !== undefined && { nextCursor: writeCursor(last) }),
  };
}
