// Dating
// What a file's times are worth beside the clock: one that is far from it is not believed, and its request counts from now on.
//
//   Owns:          how far the two may be apart; which times move, and how.
//   Does not own:  what is done by them (lifecycle, recovery).
//
// DATING-1. More than 35 days between a file's last update and the clock, ahead or behind: one of the two is wrong,
//     and nothing tells which. Nothing hangs, ends or goes for that; the request is dated anew and has the time left
//     that it had.
// DATING-2. What happened keeps the time it was told with: only what deadlines count from moves.
//
// Why: docs/decisions/0040-request-files.md

import { BELIEVED_MS } from "../../runtime/journal/journal-time.ts";
import type { RequestState, Standing, StateFile } from "./format.ts";

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= BELIEVED_MS;

/** @returns the file as it counts from now on; undefined where its times are believed (DATING-1). */
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

/** Where a request's machine is; what a file without a note of ours leaves open, by the rules of the seed. */
export const standingOf = ({ request, standing }: StateFile): Standing => standing ?? assumed(request);

const assumed = ({ state, processingStartedAt, lastUpdatedAt, callback }: RequestState): Standing => ({
  callback: callback === undefined ? "none" : callback.success ? "delivered" : "failed",
  heardAt: Math.min(processingStartedAt ?? lastUpdatedAt, lastUpdatedAt),
  runningForMs: 0,
  runningSince: state === "processing" ? (processingStartedAt ?? lastUpdatedAt) : null,
  annotations: [],
});
