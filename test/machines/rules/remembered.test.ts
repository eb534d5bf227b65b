// Remembered
// What is remembered of texts is what would be read of them anew.

import fc from "fast-check";
import { expect, test } from "vitest";
import { remembered } from "../../../machines/rules/remembered.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/machines/rules/remembered.test.ts";

test("REMEMBERED-1: whatever was asked before, and however much, the answer is the function's own", () => {
  const text = fc.oneof(fc.constantFrom("", "a", "__proto__"), fc.string(), fc.constant("x".repeat(5_000)));
  holds(FILE, 50, fc.array(text, { maxLength: 50 }), (texts) => {
    const read = (each: string): number | undefined => (each === "a" ? undefined : each.length);
    const known = remembered(read);
    for (let n = 0; n < 3_000; n += 1) known(`other ${n}`);
    for (const each of [...texts, ...texts]) expect(known(each)).toBe(read(each));
  });
});
