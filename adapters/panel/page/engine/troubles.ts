// Troubles
// What the engine reports as not working just now.
//
//   Owns:          asking again while the page is open.
//   Does not own:  the troubles (the engine), the words around them (trouble.tsx).
//
// The probe tells them to anybody, also while the engine does not take messages in; the change log cannot: what does not
// work may be the log.

import type { Trouble } from "../../../../runtime/errors/trouble.ts";
import { Value } from "./value.ts";

const AGAIN_MS = 5_000;
/** A count that grows is no news worth interrupting whoever listens to the page. */
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

/** Reads the troubles. If the engine does not answer, nothing is known; the connection's sign says that. */
async function read(): Promise<readonly Trouble[]> {
  try {
    const answer = await fetch("/readyz", { credentials: "same-origin" });
    // The answer has the shape of the probe's reasons.
    const { reasons = [] } = (await answer.json()) as { readonly reasons?: readonly Trouble[] };
    return reasons;
  } catch {
    return [];
  }
}
