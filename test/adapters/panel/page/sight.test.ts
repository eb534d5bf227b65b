// Sight
// Which parts of a session's line the rows on the screen cover, for any calls of any requests.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Band, Mark } from "../../../../adapters/panel/page/session/whole/happened.ts";
import { sightsOf, wordsOfSights } from "../../../../adapters/panel/page/session/whole/sight.ts";

const calls = fc.array(
  fc.record({
    request: fc.nat(3),
    from: fc.integer({ min: 0, max: 1_000 }),
    lasted: fc.nat(200),
    isShown: fc.boolean(),
  }),
  { maxLength: 30 },
);

const bands = Array.from({ length: 4 }, (_, n) => ({ row: {}, from: n, to: n }) as unknown as Band);
const markOf = (n: number, request: number, from: number, to: number): Mark =>
  // The cast is safe: of the call, only its id is read.
  ({ call: { id: `c${n}` }, band: bands[request], isAsking: false, from, to }) as unknown as Mark;

describe("the line of a session: what is on the screen", () => {
  it("WHOLE-SIGHT-1: each request with calls on the screen has one part, as long as these calls, in the order of time", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const marks = all.map(({ request, from, lasted }, n) => markOf(n, request, from, from + lasted));
        const shown = all.flatMap(({ isShown }, n) => (isShown ? [`c${n}`] : []));
        const expected = [0, 1, 2, 3].flatMap((request) => {
          const own = all.filter((call) => call.isShown && call.request === request);
          if (own.length === 0) return [];
          const [from] = own.map((call) => call.from).sort((a, b) => a - b);
          const to = own
            .map((call) => call.from + call.lasted)
            .sort((a, b) => a - b)
            .at(-1);
          return [{ from, to, calls: own.length }];
        });
        const found = sightsOf(marks, new Set(shown));
        const inAnyOrder = (some: readonly unknown[]) => some.map((each) => JSON.stringify(each)).sort();
        expect(inAnyOrder(found)).toEqual(inAnyOrder(expected));
        const begun = found.map(({ from }) => from);
        expect(begun).toEqual(begun.toSorted((a, b) => a - b));
      }),
    );
  });

  it("WHOLE-SIGHT-1: the words tell each part", () => {
    const marks = [markOf(0, 0, 0, 1_000), markOf(1, 1, 60_000, 61_000), markOf(2, 1, 62_000, 65_000)];
    const clock = (at: number): string => new Date(at).toLocaleTimeString();
    expect(wordsOfSights(sightsOf(marks, new Set(["c0", "c1", "c2"])))).toBe(
      `On the screen: 1 call from ${clock(0)} to ${clock(1_000)}; 2 calls from ${clock(60_000)} to ${clock(65_000)}.`,
    );
    expect(wordsOfSights(sightsOf(marks, new Set()))).toBe("No call is on the screen.");
  });
});
