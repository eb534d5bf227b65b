// Letters: model
// The newest dead letters, and which of them still need somebody.
//
//   Owns:          asking for them, dismissing them.
//   Does not own:  what may be tried again, what a dismissal does (the engine), how they look (letters.tsx).
//
// LETTERS-MODEL-1. A letter is open until it was fed again or dismissed. The engine keeps that: everybody sees the same.

import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import { ask, refusalOf, send } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { standing } from "../engine/standing.ts";
import { Value } from "../engine/value.ts";

export interface Letters {
  /** Newest first. */
  readonly items: readonly DeadLetter[];
  readonly isMore: boolean;
}

const SHOWN = 200;
/** A dismissal by somebody else is no change that is followed. */
const AGAIN_MS = 60_000;

export const letters = new Value<Letters>({ items: [], isMore: false });

export function startLetters(): void {
  let known = 0;
  standing.subscribe(() => {
    const now = standing.get();
    // Nobody counts the letters of some workspaces alone, so they are fetched once.
    const deads = now && ("deads" in now ? now.deads : -1);
    if (deads === undefined || deads === known) return;
    known = deads;
    void loadLetters();
  });
  follow.onResync(() => void loadLetters());
  setInterval(() => {
    if (letters.get().items.length > 0) void loadLetters();
  }, AGAIN_MS);
}

export async function loadLetters(): Promise<void> {
  const asked = ask<Page<DeadLetter>>("/v1/dead-letters", { limit: SHOWN });
  // If the engine refuses, the page keeps what it shows; a lost connection is reported elsewhere.
  await refusalOf(
    asked.then(({ items, nextCursor }) => letters.set({ items, isMore: nextCursor !== undefined })),
  );
}

export const isOpen = ({ retriedAt, dismissed }: DeadLetter): boolean =>
  retriedAt === undefined && dismissed === undefined;

/** @param back takes it back. @returns why it was not done. */
export async function dismiss(some: readonly DeadLetter[], back = false): Promise<string | undefined> {
  if (some.length === 0) return undefined;
  const body = { letters: some.map(({ n }) => n), ...(back && { back }) };
  const refused = await refusalOf(send("/v1/dead-letters/dismissal", body));
  if (!refused) await loadLetters();
  return refused?.words;
}
