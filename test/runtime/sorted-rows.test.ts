import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SortedRows } from "../../runtime/sorted-rows.ts";
import type { Range } from "../../runtime/ports.ts";

type Step =
  | { readonly do: "write"; readonly key: number; readonly removes: boolean }
  | {
      readonly do: "open";
      readonly from: number;
      readonly to: number;
      readonly limit: number;
      readonly reverse: boolean;
    }
  | { readonly do: "read" | "close"; readonly which: number };

const KEYS = 2_000;
const key = fc.integer({ min: 0, max: KEYS });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), key, removes: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      from: fc.integer({ min: 0, max: KEYS / 4 }),
      to: fc.integer({ min: KEYS / 2, max: KEYS }),
      limit: fc.constantFrom(5, 10_000),
      reverse: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("read" as const, "close" as const), which: fc.nat(9) }),
  },
);
const named = (n: number): string => String(n).padStart(4, "0");

/** What a range holds, by sorting anew. */
function expected(rows: ReadonlyMap<string, number>, { gte, lt, limit = Infinity, reverse = false }: Range) {
  const found = [...rows]
    .filter(([name]) => name >= gte && name < lt)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return (reverse ? found.toReversed() : found).slice(0, limit);
}

describe("sorted rows", () => {
  test("SORTED-ROWS-1: whatever is written meanwhile and in whatever order ranges end, each shows its own moment", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 200 }), (steps) => {
        const rows = new SortedRows<number>();
        const reference = new Map<string, number>();
        for (let n = 0; n < KEYS; n += 3) {
          rows.set(named(n), -n);
          reference.set(named(n), -n);
        }
        const open: { read: Generator<readonly [string, number]>; left: (readonly [string, number])[] }[] =
          [];
        steps.forEach((each, at) => {
          if (each.do === "write") {
            const name = named(each.key);
            if (each.removes) rows.delete(name);
            else rows.set(name, at);
            if (each.removes) reference.delete(name);
            else reference.set(name, at);
          } else if (each.do === "open") {
            const { from, to, limit, reverse } = each;
            const range = { gte: named(from), lt: named(to), limit, reverse };
            const left = expected(reference, range);
            const read = rows.range(range);
            expect(read.next().value).toEqual(left.shift());
            open.push({ read, left });
          } else {
            const found = open[each.which % Math.max(1, open.length)];
            if (found === undefined) return;
            if (each.do === "read") expect(found.read.next().value).toEqual(found.left.shift());
            else {
              found.read.return(undefined);
              open.splice(open.indexOf(found), 1);
            }
          }
        });
        for (const { read, left } of open) expect([...read]).toEqual(left);
        const whole = { gte: "", lt: "~" };
        expect([...rows.range(whole)]).toEqual(expected(reference, whole));
        expect(rows.size).toBe(reference.size);
      }),
    );
  });
});
