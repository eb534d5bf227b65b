// Letters: model
// The newest dead letters, and which of them are still open.
//
//   Owns:          when the dead letters are read, dismissing them, undoing a dismissal.
//   Does not own:  how far the list is read (newest), which dead letters can be retried, what a dismissal does (the engine), how
//                  a dead letter looks (letters.tsx).
//
// LETTERS-MODEL-1. A dead letter is open until a person retries or dismisses it. The engine stores which letters are open, so
//     everybody sees the same.

import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { refusalOf, send } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { standing } from "../engine/standing.ts";
import { Value } from "../engine/value.ts";
import { type Letters, newest } from "./newest.ts";

/** How often the page reads the dead letters again, ms: the engine sends no change when somebody else dismisses one. */
const AGAIN_MS = 60_000;

export const letters = new Value<Letters>({ items: [], isMore: false });

export function startLetters(): void {
  let known = 0;
  standing.subscribe(() => {
    const now = standing.get();
    // To a person who may see only some workspaces, the engine gives no count of dead letters. For this person the count is
    // always -1, so that the page reads the dead letters once.
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
  // If this fails, the page goes on showing the dead letters that it has; other parts of the page report a lost connection.
  await refusalOf(newest().then((found) => letters.set(found)));
}

export const isOpen = ({ retriedAt, dismissed }: DeadLetter): boolean =>
  retriedAt === undefined && dismissed === undefined;

/** Dismisses dead letters. @param back true to undo dismissals. @returns why the engine refused; undefined if it accepted. */
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
