// Patience
// Asks again for as long as the engine is away: it may be starting again.
//
//   Owns:          the pauses, when to give up.
//   Does not own:  what counts as away (client.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { Away } from "./client.ts";

const PAUSE_MS = 250;

export interface Patience {
  /** How long one stall may be, ms; Infinity for as long as it takes. */
  readonly stallMs: number;
  /** Told when a stall begins. */
  readonly onStall?: () => void;
  /** Ends the waiting, with the failure there was. */
  readonly signal?: AbortSignal;
}

/** @returns what `ask` answers, in the end. @throws Away once a stall is over, and whatever else `ask` throws at once. */
export async function untilAnswered<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const { stallMs, onStall, signal } = patience;
  let sinceMs: number | undefined;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Away) || signal?.aborted === true) throw error;
      if (sinceMs === undefined) onStall?.();
      sinceMs ??= performance.now();
      if (performance.now() - sinceMs >= stallMs) throw error;
      await sleep(PAUSE_MS, undefined, signal && { signal }).catch(() => undefined);
    }
  }
}
