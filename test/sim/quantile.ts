// Quantile
// The figure that so many of a list are at most.
//
//   Owns:          the nearest figure that is there.
//   Does not own:  the list.

/** @param q from 0 to 1. @returns NaN for an empty list. */
export function quantile(figures: readonly number[], q: number): number {
  const sorted = Float64Array.from(figures).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}
