// Wait for
// Waits for news, a time limit or an abort, whichever comes first.
//
//   Owns:          listening for news, the time limit and the abort, and removing every listener afterwards.
//   Does not own:  deciding whether the news is what the caller waits for (the function `test`), what the caller does afterwards.
//
// WAIT-FOR-1. A wait ends once. Whatever ended the wait, neither a listener nor a timer remains.
// WAIT-FOR-2. If the function `test` throws, the waiting caller gets the error, and other listeners are not affected.

import type { Clock } from "./ports.ts";

/**
 * Calls `hear` for each piece of news, but never before the source itself has returned.
 * @returns a function that ends these calls.
 */
export type Source<News> = (hear: (news: News) => void) => () => void;

/** How a wait ended. `met`: some news passed the test. `late`: the time limit was reached. `gone`: the signal was aborted. */
export type Ended = "met" | "late" | "gone";

export interface Within {
  readonly clock: Pick<Clock, "after">;
  readonly ms: number;
}

export const anyNews = (): boolean => true;

/**
 * A source with one piece of news, which comes once the work is done or has failed. The news contains neither result nor error.
 */
export const settling =
  (work: Promise<unknown>): Source<void> =>
  (hear) => {
    const told = (): void => hear();
    work.then(told, told);
    return () => undefined;
  };

export const pause = (within: Within, signal: AbortSignal): Promise<Ended> =>
  waitFor(() => () => undefined, anyNews, within, signal);

/**
 * Waits until news of the source passes the test.
 * @param within the time limit; if undefined, there is none. @param signal ends the wait when aborted.
 * @throws the test's error.
 */
export function waitFor<News>(
  source: Source<News>,
  test: (news: News) => boolean,
  within: Within | undefined,
  signal?: AbortSignal,
): Promise<Ended> {
  if (signal?.aborted === true) return Promise.resolve("gone");
  return new Promise((resolve, reject) => {
    const end = (how: Ended): void => {
      cancel?.();
      unlisten();
      signal?.removeEventListener("abort", leave);
      resolve(how);
    };
    const leave = (): void => end("gone");
    const cancel = within?.clock.after(within.ms, () => end("late"));
    const unlisten = source((news) => {
      try {
        if (test(news)) end("met");
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        end("met");
      }
    });
    signal?.addEventListener("abort", leave, { once: true });
  });
}
