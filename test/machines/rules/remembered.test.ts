// Remembered
// What is kept of texts that were read: never another text's reading.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { remembered } from "../../../machines/rules/remembered.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/machines/rules/remembered.test.ts";

describe("remembered", () => {
  test("REMEMBERED-1: a reading is what it would be if nothing were kept, undefined included", () => {
    const text = fc.oneof(
      fc.constantFrom("", "a", "aa", "__proto__", "x".repeat(1_024), "x".repeat(1_025)),
      fc.nat({ max: 3_000 }).map(String),
    );
    const read = (of: string): string | undefined => (of.length % 2 === 0 ? undefined : `read ${of}`);
    const kept = remembered(read);
    holds(FILE, 200, fc.array(text, { maxLength: 60 }), (texts) => {
      for (const each of texts) expect(kept(each)).toBe(read(each));
    });
  });

  test("REMEMBERED-1: a short text is read once, a long one each time, and a thousand are kept at most", () => {
    let reads = 0;
    const kept = remembered((text) => (reads += 1) + text.length);
    const readsOf = (...texts: readonly string[]): number => {
      const before = reads;
      for (const text of texts) kept(text);
      return reads - before;
    };
    expect(readsOf("a", "a", "a")).toBe(1);
    const long = "x".repeat(1_025);
    expect(readsOf(long, long)).toBe(2);
    const many = Array.from({ length: 1_000 }, (_, n) => `t${n}`);
    expect(readsOf(...many)).toBe(1_000);
    expect(readsOf("a")).toBe(1);
  });
});
