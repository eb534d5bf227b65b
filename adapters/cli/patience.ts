// Patience
// Repeats a request while the engine is away, because the engine may be restarting.
//
//   Owns:          the pauses, when to give up.
//   Does not own:  which failures mean that the engine is away (client.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { Away } from "./client.ts";

const PAUSE_MS = 250;

export interface Patience {
  /** The longest stall, ms; Infinity for no limit. */
  readonly stallMs: number;
  readonly onStall?: () => void;
  /** An abort ends the wait with the last failure. */
  readonly signal?: AbortSignal;
}

/** @returns the answer of `ask`. @throws Away if a stall lasts too long; any other error at once. */
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
