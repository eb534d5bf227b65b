// Rule hourly
// A rule with a limit for an hour, whatever comes when.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Rig } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { addRule, askFor, fateOf, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";

const FILE = "test/runtime/rows/rule-hourly.test.ts";
const HOUR_MS = 3_600_000;

const history = fc.record({
  perHour: fc.integer({ min: 1, max: 4 }),
  gaps: fc.array(fc.integer({ min: 0, max: HOUR_MS }), { minLength: 1, maxLength: 25 }),
  /** It is killed before these. */
  kills: fc.array(fc.nat(24), { maxLength: 3 }),
});

test("RULE-ROWS-3, RULING-4: within any hour it answers as often as it may, and no more", async () => {
  await holdsLater(FILE, 30, history, async ({ perHour, gaps, kills }) => {
    let rig = await Rig.start();
    await ruleFor(rig, glob("allow", "ls", { perHour }));
    const answered: number[] = [];
    for (const [n, gap] of gaps.entries()) {
      if (kills.includes(n)) rig = await rig.restart();
      rig.clock.advance(gap);
      await askFor(rig, `a${n}`, "ls", `s${n}`);
      const at = rig.clock.now();
      const isAllowed = fateOf(rig, `a${n}`, `s${n}`).startsWith("approved rule:");
      // The reference: count those of the last hour anew.
      const inHour = answered.filter((each) => at - each < HOUR_MS).length;
      expect(isAllowed).toBe(inHour < perHour);
      if (isAllowed) answered.push(at);
    }
    await rig.engine.stop();
  });
});

test("RULE-2: a rule to ask has no limit for an hour", async () => {
  const rig = await Rig.start();
  expect(await addRule(rig, glob("ask", "ls", { perHour: 1 }))).toMatchObject({ path: "perHour" });
  await rig.engine.stop();
});
