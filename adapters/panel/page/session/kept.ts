// Kept
// Replaces each unchanged part of a session by the object that was drawn before, so that Preact does not draw it again.
//
//   Owns:          telling whether two rows, two batches or two requests are equal.
//   Does not own:  what is shown of a session (window.ts), redrawing only changed objects (timeline.tsx).
//
// KEPT-1. `kept` returns a session that equals the given one. In it, each batch in which nothing changed is the same object as
//     before, so that after a change the page redraws only the batch of that change.

import type { BatchRow, CallRow, Fold } from "./model.ts";
import type { Shown, ShownRow } from "./window.ts";

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
  const isKept =
    isSame(before, now, ["request", "from", "to", "hidden"]) &&
    isEach(before.batches, batches, Object.is) &&
    isEach(before.calls, now.calls, Object.is);
  return isKept ? before : { ...now, batches };
}

const keptBatch = (before: BatchRow | undefined, now: BatchRow): BatchRow =>
  before && isEach(before.rows, now.rows, isSameRow) ? before : now;

const isSameRow = (a: CallRow, b: CallRow): boolean =>
  isSame(a, b, ["call", "change", "waiting", "depth", "isAround", "reach"]) && isSameFold(a.fold, b.fold);

const isSameFold = (a: Fold | undefined, b: Fold | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    isSame(a, b, ["calls", "failed", "denied", "running", "waiting", "isOpen"]));

const isSame = <T>(a: T, b: T, names: readonly (keyof T)[]): boolean =>
  names.every((name) => a[name] === b[name]);

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
