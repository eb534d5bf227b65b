// Troubles
// The troubles that the engine reports: what does not work at the moment.
//
//   Owns:          reading the troubles again while the page is open.
//   Does not own:  finding troubles (the engine), the words around them (trouble.tsx).
//
// The page reads the troubles from the readiness probe, which answers without a token, even while the engine accepts no
// messages. The change log cannot report troubles: it may be the very part that does not work.

import type { Trouble } from "../../../../runtime/errors/trouble.ts";
import { Value } from "./value.ts";

const AGAIN_MS = 5_000;
/** If only the words of troubles change, they are renewed no sooner than this, ms: each renewal makes a screen reader speak. */
const ANEW_MS = 60_000;

export const troubles = new Value<readonly Trouble[]>([]);

export function watchTroubles(): void {
  let toldAt = 0;
  const look = async (): Promise<void> => {
    const now = await read();
    const isAnew = codesOf(now) !== codesOf(troubles.get()) || Date.now() - toldAt >= ANEW_MS;
    if (isAnew && now.length + troubles.get().length > 0) {
      toldAt = Date.now();
      troubles.set(now);
    }
    setTimeout(() => void look(), AGAIN_MS);
  };
  void look();
}

const codesOf = (some: readonly Trouble[]): string => some.map(({ code }) => code).join(" ");

/** Reads the troubles. If the engine does not answer, there are none to show: the header says that it is away (link.tsx). */
async function read(): Promise<readonly Trouble[]> {
  try {
    const answer = await fetch("/readyz", { credentials: "same-origin" });
    // The cast is safe: the `reasons` of the readiness probe have the shape of troubles.
    const { reasons = [] } = (await answer.json()) as { readonly reasons?: readonly Trouble[] };
    return reasons;
  } catch {
    return [];
  }
}
