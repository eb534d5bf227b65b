// Kept
// A list that this browser keeps for whoever is signed in, such as their saved views.
//
//   Owns:          the form of the list in the browser's storage, its bound.
//   Does not own:  what is in the list (snoozed.ts, filter/views.ts).
//
// TEAM-KEPT-1. Each person has a list of their own, also where several sign in at one browser.
// TEAM-KEPT-2. The page does not trust the browser's storage, and ignores items of another form. If there are more items than
//     the limit, the newest stay.

import { me } from "../../engine/me.ts";

const ITEMS_MAX = 200;

/** The items of the person who is signed in, oldest first. */
export function keptIn<T>(list: string, isOne: (item: unknown) => item is T): readonly T[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(list)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isOne) : [];
  } catch {
    return [];
  }
}

/** Stores the list in the browser. If the browser stores nothing, the list lasts as long as the page, which holds it. */
export function keepIn(list: string, items: readonly object[]): void {
  try {
    if (items.length === 0) localStorage.removeItem(nameOf(list));
    else localStorage.setItem(nameOf(list), JSON.stringify(items.slice(-ITEMS_MAX)));
  } catch {
    // The browser's storage is full or switched off, so the list lasts only as long as the page is open.
  }
}

const nameOf = (list: string): string => `signalbox.${list}/${me.get()?.name ?? ""}`;
