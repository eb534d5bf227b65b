// Panel: scale
// The marks on the axes: round, even, and each with words of its own.

import fc from "fast-check";
import { expect, it } from "vitest";
import { durationMark, timeMarks } from "../../../../adapters/panel/page/parts/scale.ts";

/** What the words say, ms. */
const UNITS = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const meant = (words: string): number => {
  const [amount, unit] = words.split(" ");
  return Number(amount) * (unit === undefined ? 0 : UNITS[unit as keyof typeof UNITS]);
};

it("Panel: the marks of an axis of durations reach the most, and say what they stand for, unrounded", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 * UNITS.d }), (most) => {
      const marks = timeMarks(most);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(marks.map((mark) => meant(durationMark(mark)))).toEqual(marks);
    }),
  );
});
