// Marks
// Where an axis of time has its marks: a few, at times that people count in.
//
//   Owns:          the times.
//   Does not own:  drawing them (axis.tsx).

/** People count in these, ms. */
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000,
].concat([2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440, 2_880, 10_080].map((minutes) => minutes * 60_000));
const MARKS_MAX = 4;

/** @param whole how long it took, ms. @returns where marks stand, from the beginning, ms. */
export function marksOf(whole: number): readonly number[] {
  const step = STEPS.find((each) => whole / each <= MARKS_MAX) ?? whole / MARKS_MAX;
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, n) => n * step);
}
