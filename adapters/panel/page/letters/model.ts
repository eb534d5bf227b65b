// Letters: model
// The newest dead letters, and which of them are still open.
//
//   Owns:          reading the letters.
//   Does not own:  which letters can be retried (the engine), dismissing them (dismissal.ts), how they look (letters.tsx).
//
// LETTERS-MODEL-1. A letter is open until it is retried or dismissed. The engine keeps that state, so every person sees
//     the same.

import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import { ask, refusalOf } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { standing } from "../engine/standing.ts";
import { Value } from "../engine/value.ts";

export interface Letters {
  /** The letters that were read, newest first. */
  readonly items: readonly DeadLetter[];
  readonly isMore: boolean;
}

const SHOWN = 200;
/** How often the page reads the letters again, ms: the engine sends no change when somebody else dismisses one. */
const AGAIN_MS = 60_000;

export const letters = new Value<Letters>({ items: [], isMore: false });

export function startLetters(): void {
  let known = 0;
  standing.subscribe(() => {
    const now = standing.get();
    // If the person sees only some workspaces, the engine gives no count of dead letters, so they are read once.
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
  // If the engine refuses, the page keeps what it shows. Other parts of the page report a lost connection.
  await refusalOf(
    asked.then(({ items, nextCursor }) => letters.set({ items, isMore: nextCursor !== undefined })),
  );
}

export const isOpen = ({ retriedAt, dismissed }: DeadLetter): boolean =>
  retriedAt === undefined && dismissed === undefined;
