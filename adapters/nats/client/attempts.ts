// Attempts
// One thing tried until it succeeds, cannot succeed, or its time is over.
//
//   Owns:          the deadline, the pauses between attempts.
//   Does not own:  what is tried; why it failed (failures).
//
// ATTEMPTS-1. Whatever is tried again is the same message with the same id or key, so that it is taken once.

import { setTimeout as sleep } from "node:timers/promises";
import { RefusedError, RetryableError } from "../../../runtime/errors.ts";
import { closed, failureOf } from "./failures.ts";
import type { Link } from "./link.ts";

/** One attempt; a server that ended without a word is noticed after it. */
const ATTEMPT_MS = 2_000;
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 1_000;

/**
 * @param what is tried, for the message of the error.
 * @param attempt is given the time it has, ms.
 * @throws RefusedError at once; the RetryableError of the last attempt when `deadlineMs` are over.
 */
export async function attempts<T>(
  link: Link,
  what: string,
  deadlineMs: number,
  attempt: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const until = performance.now() + deadlineMs;
  const time = AbortSignal.timeout(deadlineMs);
  let last: unknown;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    try {
      await link.up(time);
      return await link.whileUp(attempt(Math.max(1, Math.min(ATTEMPT_MS, until - performance.now()))));
    } catch (error) {
      if (link.ended.aborted) throw link.failure ?? closed();
      last = time.aborted ? (last ?? error) : error;
      const failure = failureOf(last, what);
      if (failure instanceof RefusedError || performance.now() + pauseMs >= until) throw failure;
      // What a service asks for is kept to; the rest is the wire's own trouble.
      const asked = error instanceof RetryableError ? error.retryAfterMs : 0;
      await sleep(Math.max(pauseMs, asked), undefined, { signal: link.ended }).catch(() => undefined);
    }
  }
}
