// Kept
// Stores a list, such as saved views, in this browser for the person who is signed in.
//
//   Owns:          the form of a list in the browser's storage, how long a list can get.
//   Does not own:  what the items of the list are (snoozed.ts, filter/views.tsx).
//
// TEAM-KEPT-1. Each person has lists of their own in the browser, even if several people sign in there.
// TEAM-KEPT-2. The page does not trust the browser's storage: it ignores list items of an unknown form. If a list gets too
//     long, the newest items stay.

import { me } from "../../engine/me.ts";

const ITEMS_MAX = 200;

/** The items that the browser has stored in a list, oldest first. */
export function keptIn<T>(list: string, isOne: (item: unknown) => item is T): readonly T[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(list)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isOne) : [];
  } catch {
    return [];
  }
}

export function keepIn(list: string, items: readonly object[]): void {
  try {
    if (items.length === 0) localStorage.removeItem(nameOf(list));
    else localStorage.setItem(nameOf(list), JSON.stringify(items.slice(-ITEMS_MAX)));
  } catch {
    // If the browser's storage is full or switched off, the list is only in the page's memory, and lasts as long as the page.
  }
}

const nameOf = (list: string): string => `signalbox.${list}/${me.get()?.name ?? ""}`;
