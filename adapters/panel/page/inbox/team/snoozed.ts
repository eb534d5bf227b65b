// Snoozed
// The approvals that the reader wants to see later: hidden from their own list until a time.
//
//   Owns:          which approvals are snoozed, until when.
//   Does not own:  the buttons (snooze.tsx), the list (inbox.tsx).
//
// SNOOZED-1. A snooze hides an approval from the person who chose that, in this browser. Nobody else sees a difference.
// SNOOZED-2. A snooze ends five minutes before the approval's deadline at the latest, so no approval lapses unseen. A
//     link to the approval ends it at once.
// SNOOZED-3. Right after a snooze, the page says for a moment until when the snooze lasts. One press then undoes it.

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

/** For each snoozed approval, by its key, when it is shown again. */
export const snoozed = new Value<ReadonlyMap<string, number>>(new Map());

/** What was snoozed a moment ago, so that it can be undone. */
export const justSnoozed = new Value<(Spot & { readonly until: number }) | undefined>(undefined);
const UNDO_MS = 10_000;

const isSnooze = (item: unknown): item is Snooze =>
  typeof item === "object" &&
  item !== null &&
  typeof (item as Snooze).key === "string" &&
  typeof (item as Snooze).until === "number";

me.subscribe(read);
read();

function read(): void {
  show(keptIn(LIST, isSnooze));
}

let timer: ReturnType<typeof setTimeout> | undefined;

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

/** SNOOZED-2 @returns when the approval would be shown again; undefined if its deadline is too near for a snooze. */
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

/** Ends the snooze of an approval. Without a workspace in its name, of each that has the id. */
export function wake({ workspace, id }: ApprovalName): void {
  justSnoozed.set(undefined);
  for (const key of snoozed.get().keys())
    if (workspace === undefined ? key.endsWith(`/${id}`) : key === keyOf({ workspace, id })) change(key);
}

function change(key: string, until?: number): void {
  const others = [...snoozed.get()].map(([each, at]) => ({ key: each, until: at }));
  const next = [
    ...others.filter((each) => each.key !== key),
    ...(until === undefined ? [] : [{ key, until }]),
  ];
  keepIn(LIST, next);
  show(next);
}

/** True if the reader does not want to see the card now. A card that was answered elsewhere is shown all the same. */
export const isSnoozed = (card: Card): boolean =>
  card.phase.is === "open" && snoozed.get().has(keyOfCard(card));
