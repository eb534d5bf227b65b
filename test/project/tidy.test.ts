// The house rules, executed: over the tree as it is, and over small trees that break them by a hair.

import { describe, expect, test } from "vitest";
import { CASES, ROOT } from "../support/tidy/cases.ts";
import { readTree, treeOf } from "../support/tidy/tree.ts";

const tree = readTree(ROOT);

for (const { claim, rule, here = rule, kept, broken } of CASES) {
  describe(`Tidy: ${claim}`, () => {
    test("Tidy: it holds for this tree", () => {
      expect(here(tree)).toEqual([]);
    });

    test("Tidy: what keeps it is not complained about", () => {
      expect(rule(treeOf(kept))).toEqual([]);
    });

    test.each(Object.entries(broken))("Tidy: %s breaks it", (place, file) => {
      expect(rule(treeOf({ ...kept, ...file }))).toEqual([expect.stringContaining(place)]);
    });
  });
}
