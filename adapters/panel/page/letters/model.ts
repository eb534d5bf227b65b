// Letters: model
// The newest dead letters, and which of them still need somebody.
//
//   Owns:          asking for them, those that were dismissed in this browser.
//   Does not own:  what may be tried again (the engine says), how they look (letters.tsx).
//
// LETTERS-MODEL-1. A letter is open until it was fed again, was taken when it was tried again here, or was dismissed
//     here. To dismiss changes nothing at the engine: others still see the letter.

import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { standing } from "../engine/standing.ts";
import { Value } from "../engine/value.ts";

export interface Letters {
  /** Newest first. */
  readonly items: readonly DeadLetter[];
  readonly isMore: boolean;
}

interface Page {
  readonly items: readonly DeadLetter[];
  readonly nextCursor?: string;
}

const SHOWN = 200;
const KEPT = "signalbox.dismissed";
const KEPT_MAX = 2_000;

export const letters = new Value<Letters>({ items: [], isMore: false });
export const dismissed = new Value<ReadonlySet<string>>(new Set(kept()));

export function startLetters(): void {
  let known = 0;
  standing.subscribe(() => {
    const { deads = 0 } = standing.get() ?? {};
    if (deads !== known) void loadLetters();
    known = deads;
  });
  follow.onResync(() => void loadLetters());
}

export async function loadLetters(): Promise<void> {
  try {
    const { items, nextCursor } = await ask<Page>("/v1/dead-letters", { limit: SHOWN });
    letters.set({ items, isMore: nextCursor !== undefined });
  } catch (error) {
    // What is shown stays; the link's trouble is told elsewhere.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Numbers count in their journal: another engine at the same address has other letters. */
const nameOf = ({ n }: DeadLetter): string => `${standing.get()?.incarnation ?? ""}/${n}`;

export const isOpen = (letter: DeadLetter, gone: ReadonlySet<string>): boolean =>
  letter.retriedAt === undefined && !gone.has(nameOf(letter));

export const isDismissed = (letter: DeadLetter, gone: ReadonlySet<string>): boolean =>
  gone.has(nameOf(letter));

export function dismiss(some: readonly DeadLetter[]): void {
  keep([...dismissed.get(), ...some.map(nameOf)]);
}

export function takeBack(some: readonly DeadLetter[]): void {
  const names = new Set(some.map(nameOf));
  keep([...dismissed.get()].filter((name) => !names.has(name)));
}

function keep(names: readonly string[]): void {
  const newest = [...new Set(names)].slice(-KEPT_MAX);
  dismissed.set(new Set(newest));
  try {
    localStorage.setItem(KEPT, JSON.stringify(newest));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

function kept(): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
