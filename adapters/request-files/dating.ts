// Dating
// Compares the times in a request's file with the clock, and moves them to the present if they are too far from it.
//
//   Owns:          how far a file's times may be from the clock; which times are changed, and how.
//   Does not own:  what follows from a time (lifecycle, recovery).
//
// DATING-1. If a file's last update is more than 35 days before or after the clock's time, one of the two times is wrong. No
//     request hangs, ends or is removed because of that: its `lastUpdatedAt` becomes the clock's time, and all times from which
//     its deadlines count are moved by the same amount, so that each deadline is as far away as it was at the last update.
// DATING-2. The times at which the request was created, queued, begun or completed stay as they were given.
//
// Why: docs/decisions/0040-request-files.md

import { BELIEVED_MS } from "../../runtime/journal/journal-time.ts";
import type { RequestState, Standing, StateFile } from "./format.ts";

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= BELIEVED_MS;

/** @returns the file with new times; undefined if the file's own times are believed (DATING-1). */
export function datedAnew(file: StateFile, now: number): StateFile | undefined {
  const { lastUpdatedAt: last, timeoutAt } = file.request;
  if (isNear(last, now)) return undefined;
  const moved = (time: number): number => Math.max(0, now + (time - last));
  const carried = (time: number): number =>
    isNear(time, last) ? moved(time) : isNear(time, now) ? time : now;
  const { heardAt, runningSince, ...standing } = standingOf(file);
  return {
    ...file,
    request: {
      ...file.request,
      lastUpdatedAt: now,
      ...(timeoutAt !== undefined && isNear(timeoutAt, last) && { timeoutAt: moved(timeoutAt) }),
    },
    standing: {
      ...standing,
      heardAt: carried(heardAt),
      runningSince: runningSince === null ? null : carried(runningSince),
    },
  };
}

/**
 * The state of a request's machine. If the file has no note of Signalbox's, because another program wrote it, the state follows
 * from the file's fields, by the rules of S1 (docs/why/requirements.md).
 */
export const standingOf = ({ request, standing }: StateFile): Standing => standing ?? assumed(request);

const assumed = ({ state, processingStartedAt, lastUpdatedAt, callback }: RequestState): Standing => ({
  callback: callback === undefined ? "none" : callback.success ? "delivered" : "failed",
  heardAt: Math.min(processingStartedAt ?? lastUpdatedAt, lastUpdatedAt),
  runningForMs: 0,
  runningSince: state === "processing" ? (processingStartedAt ?? lastUpdatedAt) : null,
  annotations: [],
});
