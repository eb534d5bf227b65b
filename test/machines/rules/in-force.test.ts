// In force
// Until which moment, and for how many uses, a rule says something.

import { expect, test } from "vitest";
import { isInForce } from "../../../machines/index.ts";

const AT = 1_000;

test.each([
  ["without an end", {}, true],
  ["a moment before its end", { expiresAt: AT + 1 }, true],
  ["at its end", { expiresAt: AT }, false],
  ["after its end", { expiresAt: AT - 1 }, false],
  ["never used", { uses: 1 }, true],
  ["with one use left", { uses: 2, used: 1 }, true],
  ["with its uses used", { uses: 2, used: 2 }, false],
  ["used more than it may be", { uses: 1, used: 2 }, false],
  ["with uses left, at its end", { uses: 2, used: 1, expiresAt: AT }, false],
  ["before its end, with its uses used", { uses: 1, used: 1, expiresAt: AT + 1 }, false],
])("RULING-4: a rule %s (%j) is in force: %s", (_, terms, isHeld) => {
  expect(isInForce({ effect: "allow", tool: "Bash", ...terms }, AT)).toBe(isHeld);
});
