// Minutes
// What happened is counted by the minute, and for a day only.

import { expect, test } from "vitest";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { Minutes, MINUTE_MS } from "../../../../runtime/reading/figures/minutes.ts";

const DAY_MINUTES = 24 * 60;

test("MINUTES-1: of two days of changes, those of the last one are counted, however many came in a minute", () => {
  let now = 0;
  const minutes = new Minutes(() => now);
  const A_MINUTE = 3;
  for (let minute = 0; minute < 2 * DAY_MINUTES; minute += 1) {
    now = minute * MINUTE_MS;
    for (let n = 0; n < A_MINUTE; n += 1)
      minutes.count({ at: now + n, entity: "request", from: null, to: "created", view: {} } as StateChange);
  }
  const { changes } = minutes.over(0, 2 * DAY_MINUTES);
  expect(changes).toBeGreaterThanOrEqual(DAY_MINUTES * A_MINUTE);
  expect(changes).toBeLessThanOrEqual((DAY_MINUTES + 2) * A_MINUTE);
});
