// Pages
// Joins the pages that were read of a list. A list also has items of other engines: this file records which engines are missing.
//
//   Owns:          the order of the items; which older items stay in the list when its newest page is read again.
//   Does not own:  reading the pages, and updating items after changes (listed.ts).
//
// OVERVIEW-PAGES-1. While a list lacks the items of an engine that did not answer, the page names that engine. Once that engine
//     answers for the newest page of the list, the list begins anew with this newest page, unless the person has opened an older
//     page.

import { defined } from "../../../../machines/defined.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page as OwnPage } from "../../../../runtime/reading/paging.ts";

export type Page<T> = OwnPage<T> & WithPeers;

/** All pages that were read so far, as one. */
export interface Pages<T> extends Page<T> {
  /** True once a person has opened an older page. */
  readonly hasOlder?: true;
}

interface Dated {
  readonly createdAt: number;
}

interface Named<T> {
  readonly addressOf: (item: T) => string;
}

/** The list with its newest page read again: keeps the items that are older than this page. */
export function joined<T extends Dated>(kind: Named<T>, known: Pages<T>, newest: Page<T>): Pages<T> {
  const last = newest.items.at(-1);
  const isWhole = newest.nextCursor === undefined || last === undefined;
  const behind = isWhole ? [] : known.items.filter((each) => inOrder(kind, each, last) > 0);
  const { nextCursor, hasOlder } = known;
  const partial = lacking(known, newest);
  // `isBack`: an engine that did not answer before has answered for the newest page, and its older items are missing in the list.
  // If the person opened no older page, the older items are dropped: they are read again when the person asks for more.
  const isBack = partial?.length !== newest.partial?.length;
  if (behind.length === 0 || (isBack && !hasOlder)) return newest;
  return { items: sorted(kind, [...newest.items, ...behind]), ...defined({ nextCursor, partial, hasOlder }) };
}

export function extended<T extends Dated>(kind: Named<T>, known: Pages<T>, older: Page<T>): Pages<T> {
  const { nextCursor } = older;
  const items = sorted(kind, [...known.items, ...older.items]);
  return { items, hasOlder: true, ...defined({ nextCursor, partial: lacking(known, older) }) };
}

/** The engines whose items at least one of the two pages lacks; undefined if there are none. */
function lacking(one: WithPeers, other: WithPeers): readonly string[] | undefined {
  const names = new Set([...(one.partial ?? []), ...(other.partial ?? [])]);
  return names.size === 0 ? undefined : [...names].sort();
}

/** Each item once, in its newest version, in the order of the engine's lists. */
export function sorted<T extends Dated>(kind: Named<T>, items: readonly T[]): readonly T[] {
  const last = new Map(items.map((item) => [kind.addressOf(item), item]));
  return [...last.values()].sort((a, b) => inOrder(kind, a, b));
}

/** Compares two items: newest first; if they began at the same time, by address, as in the engine's lists. */
export function inOrder<T extends Dated>({ addressOf }: Named<T>, a: T, b: T): number {
  const [one, other] = [addressOf(a), addressOf(b)];
  return b.createdAt - a.createdAt || (one < other ? 1 : one > other ? -1 : 0);
}
