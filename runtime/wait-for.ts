// Wait for
// The one wait for news, a time or an end, whichever comes first.
//
//   Owns:          listening to all three, and to none of them afterwards.
//   Does not own:  what the news means (test), what is done then.
//
// WAIT-FOR-1. It ends once. Whatever ended it, neither a listener nor a timer is left.
// WAIT-FOR-2. If the test throws, the waiter gets the error; all others who hear the news are not affected.

import type { Clock } from "./ports.ts";

/** Tells of each news, never before it returned. @returns a function that ends it. */
export type Source<News> = (hear: (news: News) => void) => () => void;

/** `met`: by news that passed the test. `late`: its time was over. `gone`: the signal was aborted. */
export type Ended = "met" | "late" | "gone";

export interface Within {
  readonly clock: Pick<Clock, "after">;
  readonly ms: number;
}

export const anyNews = (): boolean => true;

/** News once the work is done or has failed; what it gave, or why it failed, is not told. */
export const settling =
  (work: Promise<unknown>): Source<void> =>
  (hear) => {
    const told = (): void => hear();
    work.then(told, told);
    return () => undefined;
  };

/** Waits for the time alone. */
export const pause = (within: Within, signal: AbortSignal): Promise<Ended> =>
  waitFor(() => () => undefined, anyNews, within, signal);

/**
 * Waits until news of the source passes the test.
 * @param within no longer than that; undefined for however long it takes. @param signal not once that is aborted.
 * @throws what the test throws.
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
