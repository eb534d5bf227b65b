// Letters: model
// The newest dead letters, and which of them are still open.
//
//   Owns:          reading the letters, dismissing them and undoing a dismissal.
//   Does not own:  which letters can be retried and what a dismissal does (the engine), how they look (letters.tsx).
//
// LETTERS-MODEL-1. A letter is open until it is retried or dismissed. The engine keeps that state, so every person sees
//     the same.

import { defined } from "../../../../machines/defined.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import { ask, refusalOf, send } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { standing } from "../engine/standing.ts";
import { Value } from "../engine/value.ts";

export interface Letters extends WithPeers {
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
  const asked = ask<Page<DeadLetter> & WithPeers>("/v1/dead-letters", { limit: SHOWN });
  // If the engine refuses, the page keeps what it shows. Other parts of the page report a lost connection.
  await refusalOf(
    asked.then(({ items, nextCursor, partial }) =>
      letters.set({ items, isMore: nextCursor !== undefined, ...defined({ partial }) }),
    ),
  );
}

export const isOpen = ({ retriedAt, dismissed }: DeadLetter): boolean =>
  retriedAt === undefined && dismissed === undefined;

/**
 * Dismisses letters.
 * @param back undoes the dismissal instead.
 * @returns why the engine refused; undefined if it accepted.
 */
export async function dismiss(some: readonly DeadLetter[], back = false): Promise<string | undefined> {
  if (some.length === 0) return undefined;
  const refused: string[] = [];
  for (const engine of new Set(some.map((letter) => letter.engine))) {
    const letters = some.filter((letter) => letter.engine === engine).map(({ n }) => n);
    const body = { letters, ...(back && { back }) };
    const why = await refusalOf(send("/v1/dead-letters/dismissal", body, { engine }));
    if (why) refused.push(why.words);
  }
  await loadLetters();
  return refused[0];
}
