// Snoozed
// The snoozed approvals: those that a person has hidden from their own list until a later time.
//
//   Owns:          which approvals are snoozed, until when each is hidden.
//   Does not own:  the buttons (snooze.tsx), the list (inbox.tsx).
//
// SNOOZED-1. A snoozed approval is hidden only from the person who snoozed it, and only in this browser.
// SNOOZED-2. A snooze ends at the latest five minutes before the approval's deadline, so that no approval lapses unseen. A link
//     to the approval ends the snooze at once.
// SNOOZED-3. Right after a person has snoozed an approval, the page says for a moment until when the approval is hidden. During
//     that moment, one press undoes the snooze.

import { me } from "../../engine/me.ts";
import { Value } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";
import { type ApprovalName, keyOf, keyOfCard, type Spot } from "../name.ts";
import { keepIn, keptIn } from "./kept.ts";

const LIST = "snoozed";
/** A snoozed approval is shown again this long before its deadline, ms. */
export const BEFORE_DEADLINE_MS = 5 * 60_000;
/** The longest time that a browser's timer can wait, ms. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface Snooze {
  readonly key: string;
  /** When the approval is shown again, ms. */
  readonly until: number;
}

/** When each snoozed approval is shown again, by its key. */
export const snoozed = new Value<ReadonlyMap<string, number>>(new Map());

/** The snooze that was begun a moment ago, and can be undone. */
export const justSnoozed = new Value<(Spot & { readonly until: number }) | undefined>(undefined);
const UNDO_MS = 10_000;

const isSnooze = (item: unknown): item is Snooze =>
  typeof item === "object" &&
  item !== null &&
  typeof (item as Snooze).key === "string" &&
  typeof (item as Snooze).until === "number";

let timer: ReturnType<typeof setTimeout> | undefined;

const read = (): void => show(keptIn(LIST, isSnooze));
me.subscribe(read);
read();

function show(all: readonly Snooze[]): void {
  const now = Date.now();
  const left = all.filter(({ until }) => until > now);
  if (left.length > 0 || snoozed.get().size > 0)
    snoozed.set(new Map(left.map(({ key, until }) => [key, until])));
  clearTimeout(timer);
  if (left.length === 0) return;
  const firstAt = Math.min(...left.map(({ until }) => until));
  timer = setTimeout(() => show(left), Math.min(TIMER_MAX_MS, firstAt - now));
}

/** When a snooze of this length would end; undefined if the deadline is too near (SNOOZED-2). */
export function endOf({ approval: { deadlineAt } }: Card, forMs: number): number | undefined {
  const now = Date.now();
  const until = Math.min(now + forMs, (deadlineAt ?? Infinity) - BEFORE_DEADLINE_MS);
  return until > now ? until : undefined;
}

export function snooze(card: Card, until: number): void {
  change(keyOfCard(card), until);
  const { workspace, id } = card.approval;
  const it = { workspace, id, until };
  justSnoozed.set(it);
  setTimeout(() => justSnoozed.get() === it && justSnoozed.set(undefined), UNDO_MS);
}

/** Ends the snooze of an approval; if its name has no workspace, the snooze of every approval with the id. */
export function wake({ workspace, id }: ApprovalName): void {
  justSnoozed.set(undefined);
  for (const key of snoozed.get().keys())
    if (workspace === undefined ? key.endsWith(`/${id}`) : key === keyOf({ workspace, id })) change(key);
}

function change(key: string, until?: number): void {
  const ends = new Map(snoozed.get());
  ends.delete(key);
  if (until !== undefined) ends.set(key, until);
  const next = Array.from(ends, ([each, at]) => ({ key: each, until: at }));
  keepIn(LIST, next);
  show(next);
}

/** True if a pending approval is snoozed. The card of an approval that was answered is shown even if it was snoozed. */
export const isSnoozed = (card: Card): boolean =>
  card.phase.is === "open" && snoozed.get().has(keyOfCard(card));
