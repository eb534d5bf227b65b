// Patience
// Repeats a request to an engine that does not answer, because the engine may be restarting.
//
//   Owns:          the pause between attempts, when to give up.
//   Does not own:  which failures mean that the engine does not answer (client.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { Away } from "./client.ts";

const PAUSE_MS = 250;

export interface Patience {
  readonly stallMs: number;
  readonly onStall?: () => void;
  /** If this signal is aborted, the wait ends with the last failure. */
  readonly signal?: AbortSignal;
}

/** @returns the answer of `ask`. @throws Away if the engine is silent for longer than `stallMs`; any other error at once. */
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
