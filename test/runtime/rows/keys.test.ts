// Keys
// Keys sort as their parts do.

import fc from "fast-check";
import { expect, test } from "vitest";
import { keys } from "../../../runtime/rows/keys.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/rows/keys.test.ts";

test("ROWS-KEYS-1: keys of any numbers sort as the numbers do", () => {
  const numbers = fc.uniqueArray(fc.nat(Number.MAX_SAFE_INTEGER), { minLength: 2, maxLength: 20 });
  const small = fc.uniqueArray(fc.nat(2_000), { minLength: 2, maxLength: 20 });
  holds(FILE, 300, fc.oneof(numbers, small), (given) => {
    const sorted = [...given].sort((a, b) => a - b);
    for (const keyOf of [keys.change, keys.dead, keys.mark]) {
      expect(given.map(keyOf).sort()).toEqual(sorted.map(keyOf));
    }
  });
});
