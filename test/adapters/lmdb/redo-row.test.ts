// LMDB, a redo row
// A commit as bytes, and back.

import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRedo, encodeRedo } from "../../../adapters/lmdb/redo-row.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/adapters/lmdb/redo-row.test.ts";
const key = fc.string({ unit: fc.constantFrom("a", " ", "+", "-", "1", "~"), minLength: 1, maxLength: 4 });
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "\n", "+a\n1\n", "-a\n", "\ufeff", "😀"),
);
const writes = fc.array(fc.oneof(fc.record({ put: key, value: text }), fc.record({ del: key })), {
  minLength: 1,
});
const numbers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 });

it("REDO-ROW-1: whatever a commit writes is read back, under its number only", () => {
  holds(FILE, 300, fc.tuple(numbers, writes), ([n, given]) => {
    const bytes = encodeRedo(n, given);
    expect(decodeRedo(n, bytes)).toEqual(given);
    expect(decodeRedo(n + 1, bytes)).toBeUndefined();
  });
});

it("REDO-ROW-1: with any bit changed, or cut anywhere, it is not read", () => {
  const bytes = encodeRedo(7, [{ put: "a/key", value: "its text\n" }, { del: "another" }]);
  for (let at = 0; at < bytes.length; at += 1) {
    expect(decodeRedo(7, bytes.subarray(0, at))).toBeUndefined();
    for (let bit = 1; bit < 256; bit <<= 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ bit;
      expect(decodeRedo(7, altered)).toBeUndefined();
    }
  }
});
