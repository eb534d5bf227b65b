// Wait for
// Waits for news, a time limit or an abort, whichever comes first.
//
//   Owns:          listening to all three, and removing every listener afterwards.
//   Does not own:  deciding whether the news is what was awaited (the function `test`), what the caller does then.
//
// WAIT-FOR-1. A wait ends once. Whatever ended it, neither a listener nor a timer remains.
// WAIT-FOR-2. If the test throws, the waiter gets the error, and other listeners are not affected.

import type { Clock } from "./ports.ts";

/** Calls `hear` for each piece of news, never before it has returned. @returns a function that ends that. */
export type Source<News> = (hear: (news: News) => void) => () => void;

/** `met`: news passed the test. `late`: the time was over. `gone`: the signal was aborted. */
export type Ended = "met" | "late" | "gone";

export interface Within {
  readonly clock: Pick<Clock, "after">;
  readonly ms: number;
}

export const anyNews = (): boolean => true;

/** News once the work is done or has failed; neither result nor error is passed on. */
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
 * @param within the time limit; none if undefined. @param signal ends the wait when aborted.
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
