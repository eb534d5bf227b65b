// In time
// Limits how long senders and askers wait for the engine.
//
//   Owns:          the time limit, the error that a sender or asker gets after the limit.
//   Does not own:  the work itself, which goes on after the limit.
//
// IN-TIME-1. Everybody who waits for the engine gets an answer within 15 s, because a sender cannot wait for a journal or a disk
//     that stands still. After that answer the engine may still take the message.

import { RetryableError } from "./errors/errors.ts";
import type { Clock } from "./ports.ts";
import { anyNews, settling, waitFor } from "./wait-for.ts";

const WAIT_MS = 15_000;

/**
 * Waits for work, but no longer than `waitMs`.
 * @returns the result of the work.
 * @throws the error of the work; RetryableError NOT_IN_TIME if the work takes longer.
 */
export async function inTime<T>(clock: Clock, work: Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const ended = await waitFor(settling(work), anyNews, { clock, ms: waitMs });
  if (ended === "late") throw notInTime();
  return work;
}

const notInTime = (): RetryableError =>
  new RetryableError(
    "NOT_IN_TIME",
    "The engine has not answered in time: its journal or its disk does not respond, or the engine is overloaded.",
    "/readyz shows the reason. Send the message again under the same id or Idempotency-Key, because it may have been accepted.",
    5_000,
  );
