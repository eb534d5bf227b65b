// Attempts
// Repeats an operation until it succeeds, cannot succeed any more, or has used up its time.
//
//   Owns:          the deadline, the pauses between attempts.
//   Does not own:  the operation itself, classifying failures (failures).
//
// ATTEMPTS-1. Every attempt sends the same message with the same id or key, so that the receiver counts the message once.

import { setTimeout as sleep } from "node:timers/promises";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { closed, failureOf } from "./failures.ts";
import type { Link } from "./link.ts";

/** How long an attempt waits, ms: a server that is silent for so long counts as dead. */
const ATTEMPT_MS = 2_000;
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 1_000;

/**
 * @param what the operation's name in error messages.
 * @throws a RefusedError without a further attempt; the last attempt's RetryableError after `deadlineMs`.
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
      // The client waits as long as the engine asked, and at least its own pause, which grows with each try.
      const asked = error instanceof RetryableError ? error.retryAfterMs : 0;
      await sleep(Math.max(pauseMs, asked), undefined, { signal: link.ended }).catch(() => undefined);
    }
  }
}
