// Kept
// Replaces each unchanged part of a session by the object that was drawn before, so that Preact does not draw it again.
//
//   Owns:          which of two rows, batches and requests are equal.
//   Does not own:  what is shown (window.ts), skipping the drawing of an object that was drawn already (timeline.tsx).
//
// KEPT-1. What is returned equals what was given. A batch in which nothing changed is the same object as before, so a change
//     has only its own batch drawn anew.

import type { BatchRow, CallRow, Fold } from "./model.ts";
import type { Shown, ShownRow } from "./window.ts";

/** @returns what is to be shown. What has not changed since the last drawing is the same object as before. */
export function kept(before: Shown | undefined, now: Shown): Shown {
  const known = new Map(before?.requests.map((each) => [each.request.requestId, each]));
  return {
    ...now,
    requests: now.requests.map((each) => keptRequest(known.get(each.request.requestId), each)),
  };
}

function keptRequest(before: ShownRow | undefined, now: ShownRow): ShownRow {
  if (!before) return now;
  const known = new Map(before.batches.map((batch) => [batch.id, batch]));
  const batches = now.batches.map((batch) => keptBatch(known.get(batch.id), batch));
  const { request, from, to, hidden } = now;
  const isSame =
    request === before.request && from === before.from && to === before.to && hidden === before.hidden;
  const isKept =
    isSame && isEach(before.batches, batches, Object.is) && isEach(before.calls, now.calls, Object.is);
  return isKept ? before : { ...now, batches };
}

const keptBatch = (before: BatchRow | undefined, now: BatchRow): BatchRow =>
  before && isEach(before.rows, now.rows, isSameRow) ? before : now;

function isSameRow(a: CallRow, b: CallRow): boolean {
  const isSame = a.call === b.call && a.change === b.change && a.waiting === b.waiting;
  return (
    isSame && a.depth === b.depth && a.isAround === b.isAround && a.reach === b.reach && isSameFold(a, b)
  );
}

const FIGURES: readonly (keyof Fold)[] = ["calls", "failed", "denied", "running", "waiting", "isOpen"];

const isSameFold = ({ fold: a }: CallRow, { fold: b }: CallRow): boolean =>
  a === b || (a !== undefined && b !== undefined && FIGURES.every((name) => a[name] === b[name]));

function isEach<T extends object>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean,
): boolean {
  const isOne = (each: T, n: number): boolean => {
    const other = b[n];
    return other !== undefined && isSame(each, other);
  };
  return a.length === b.length && a.every(isOne);
}
