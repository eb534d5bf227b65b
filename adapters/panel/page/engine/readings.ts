// Readings
// Reads figures from the engine while a view is shown: again after each change, but at most once a second.
//
//   Owns:          when to read; telling the view which changes an answer may lack, because they came after its reading began.
//   Does not own:  sending the request, and what a view does with the answer.

import { useEffect } from "preact/hooks";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { follow } from "./engine.ts";

/** The least time from the beginning of one reading to that of the next. */
const APART_MS = 1_000;

export interface Reading {
  /** Aborted once the page no longer shows the view, or once one of the inputs has changed. */
  readonly signal: AbortSignal;
  /** The changes that came since this reading began: the answer of the engine may not include them yet. */
  readonly told: () => readonly StateChange[];
  /** Asks for one more reading, soon. */
  readonly again: () => void;
}

/**
 * @param read reads once; it must not throw. Two readings never run at once.
 * @param inputs the readings begin anew when one of them changes.
 * @param take is called with each group of changes, before the reading that these changes cause.
 * @param anywayMs how often to read without any change, ms.
 */
export function useReadings(
  read: (reading: Reading) => Promise<void>,
  inputs: readonly unknown[],
  take?: (changes: readonly StateChange[], signal: AbortSignal) => void,
  anywayMs?: number,
): void {
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let told: readonly StateChange[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = -Infinity;
    let isReading = false;
    /** Readings requested: `asked` in all, `begun` before the latest began. If `asked` is more, one more reading is needed. */
    let [asked, begun] = [0, 0];
    const plan = (): void => {
      if (signal.aborted || isReading || timer !== undefined) return;
      timer = setTimeout(() => void go(), Math.max(0, readAt + APART_MS - performance.now()));
    };
    const again = (): void => {
      asked += 1;
      plan();
    };
    const go = async (): Promise<void> => {
      [timer, told, begun, isReading] = [undefined, [], asked, true];
      readAt = performance.now();
      await read({ signal, told: () => told, again });
      isReading = false;
      if (asked > begun) plan();
    };
    again();
    const anyway = anywayMs === undefined ? undefined : setInterval(again, anywayMs);
    const unlisten = follow.on((changes) => {
      told = [...told, ...changes];
      take?.(changes, signal);
      again();
    }, again);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      clearInterval(anyway);
      unlisten();
    };
  }, inputs);
}
