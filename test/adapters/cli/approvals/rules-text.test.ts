// Rules in words
// How `rules ls` says that a rule has ended.

import { expect, it } from "vitest";
import { ruleTable } from "../../../../adapters/cli/rules/text.ts";

const NOW = 1_800_000_000_000;
const RULE = {
  id: "rule_1",
  workspace: "shop",
  effect: "allow",
  tool: "Bash",
  used: 0,
  madeBy: "local:ada",
  madeAt: NOW - 3_600_000,
};
const shown = (more: object): string => ruleTable([{ ...RULE, state: "in-force", ...more }], NOW, Infinity);

it.each([
  // The engine's time is that of its last entry: it may not have come to the rule's end yet.
  ["in-force", { expiresAt: NOW - 600_000 }, /expired 10m ago/],
  ["expired", { expiresAt: NOW - 600_000 }, /expired 10m ago/],
  ["in-force", { expiresAt: NOW }, /expired 0s ago/],
  ["in-force", { expiresAt: NOW - 600_000, uses: 3 }, /expired 10m ago(?!.*left)/],
  ["in-force", { expiresAt: NOW + 600_000, uses: 3 }, /for 10m, 3 of 3 uses left/],
  ["used-up", { expiresAt: NOW + 600_000, uses: 3 }, /used-up(?!.*left)/],
  ["removed", {}, /removed/],
])("RULING-4: a rule that is %s, with %j, is shown as it stands", (state, more, words) => {
  expect(shown({ state, ...more })).toMatch(words);
});
