// Dating
// Compares a file's times with the clock: if they are too far apart, they are not believed, and the request counts from now on.
//
//   Owns:          the greatest allowed distance; which times move, and how.
//   Does not own:  what follows from a time (lifecycle, recovery).
//
// DATING-1. If a file's last update and the clock are more than 35 days apart, ahead or behind, one of them is wrong, and nothing
//     shows which. No request hangs, ends or is removed because of that. The request is dated anew, and keeps the time that it
//     had left.
// DATING-2. The times of past events stay as they were given: only the times that deadlines count from move.
//
// Why: docs/decisions/0040-request-files.md

import { BELIEVED_MS } from "../../runtime/journal/journal-time.ts";
import type { RequestState, Standing, StateFile } from "./format.ts";

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= BELIEVED_MS;

/** @returns the file with its new times; undefined if its times are believed (DATING-1). */
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

/** The state of a request's machine. If a file lacks Signalbox's note, the rules of S1 decide which state is assumed. */
export const standingOf = ({ request, standing }: StateFile): Standing => standing ?? assumed(request);

const assumed = ({ state, processingStartedAt, lastUpdatedAt, callback }: RequestState): Standing => ({
  callback: callback === undefined ? "none" : callback.success ? "delivered" : "failed",
  heardAt: Math.min(processingStartedAt ?? lastUpdatedAt, lastUpdatedAt),
  runningForMs: 0,
  runningSince: state === "processing" ? (processingStartedAt ?? lastUpdatedAt) : null,
  annotations: [],
});
