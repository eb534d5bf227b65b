// Deque
// Against a plain array, and counted.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { all, type Deque, EMPTY, oldest, push, remove } from "../../../machines/queues/deque.ts";
import { MemoryRecords } from "../../support/machines/memory-records.ts";
import { holds } from "../../support/properties/property.ts";

type Command =
  | { readonly do: "push" }
  | { readonly do: "remove"; readonly nth: number }
  | { readonly do: "shift" }
  | { readonly do: "pop" }
  | { readonly do: "remove unknown" };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: "push" } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ do: "shift" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "pop" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "remove unknown" } as const) },
);

/** Which id a command takes out of `plain`. */
function victim(plain: readonly string[], given: Command): string {
  if (given.do === "shift") return plain[0] ?? "none";
  if (given.do === "pop") return plain.at(-1) ?? "none";
  return given.do === "remove" ? (plain[given.nth % plain.length] ?? "none") : "none";
}

function filled(count: number): { readonly records: MemoryRecords; readonly deque: Deque } {
  const records = new MemoryRecords();
  let deque: Deque = EMPTY;
  for (let n = 0; n < count; n++) deque = push(records, "line", deque, `id${n}`);
  return { records, deque };
}

const SIZES = [10, 100, 1_000, 10_000, 100_000];

describe("deque", () => {
  test("DEQUE-1, S0.3: whatever is pushed and taken out, it holds what a plain array holds, in the same order", () => {
    const claim = ([commands, head]: readonly [readonly Command[], number]): void => {
      const { records, deque: start } = filled(head);
      let deque = start;
      let plain = Array.from({ length: head }, (_, n) => `id${n}`);
      let next = head;
      for (const given of commands) {
        if (given.do === "push") {
          const id = `id${next++}`;
          deque = push(records, "line", deque, id);
          plain = [...plain, id];
        } else {
          const id = victim(plain, given);
          deque = remove(records, "line", deque, id);
          plain = plain.filter((other) => other !== id);
        }
        expect(deque.size).toBe(plain.length);
        expect(oldest(deque)).toBe(plain[0]);
        expect([...all(records, "line", deque)]).toEqual(plain);
      }
    };
    holds(
      "test/machines/queues/deque.test.ts",
      300,
      fc.tuple(fc.array(command, { maxLength: 200 }), fc.nat(60)),
      claim,
    );
  });

  test("DEQUE-1: an empty deque leaves no record behind", () => {
    const { records, deque } = filled(500);
    let left = deque;
    for (const id of [...all(records, "line", deque)].reverse()) left = remove(records, "line", left, id);
    expect(left).toEqual(EMPTY);
    expect([...records.all()]).toEqual([]);
  });

  test("DEQUE-1, I-44: no record grows with the deque", () => {
    const { records, deque } = filled(10_000);
    const sizes = [deque, ...[...records.all()].map(([, , value]) => value)].map(
      (value) => JSON.stringify(value).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(400);
  });

  test("DEQUE-1, S0.4: a push costs the same few records at 10 ids and at 100,000", () => {
    for (const size of SIZES) {
      const { records, deque } = filled(size);
      let after = deque;
      records.operations = 0;
      for (let n = 0; n < 64; n++) after = push(records, "line", after, `new${n}`);
      expect(records.operations / 64, `${size}`).toBeLessThanOrEqual(4);
    }
  });

  test("DEQUE-1, S0.4: taking out the oldest costs the same few records at 10 ids and at 100,000", () => {
    for (const size of SIZES) {
      const { records, deque } = filled(size);
      let after = deque;
      const worst = Array.from({ length: Math.min(size, 64) }, () => {
        records.operations = 0;
        after = remove(records, "line", after, oldest(after) ?? "none");
        return records.operations;
      });
      expect(Math.max(...worst), `${size}`).toBeLessThanOrEqual(24);
      expect(worst.reduce((sum, each) => sum + each, 0) / worst.length, `${size}`).toBeLessThanOrEqual(4);
    }
  });

  test("DEQUE-1, S0.4: taking one out of the middle costs the same few records at 10 ids and at 100,000", () => {
    for (const size of SIZES) {
      const { records, deque } = filled(size);
      let after = deque;
      const worst = Array.from({ length: Math.min(size, 64) }, (_, n) => {
        records.operations = 0;
        after = remove(records, "line", after, `id${(n * 7_919) % size}`);
        return records.operations;
      });
      expect(Math.max(...worst), `${size}`).toBeLessThanOrEqual(24);
    }
  });

  test("DEQUE-2: the oldest is known without reading a record", () => {
    const { records, deque } = filled(1_000);
    records.operations = 0;
    expect(oldest(deque)).toBe("id0");
    expect(records.operations).toBe(0);
  });
});
