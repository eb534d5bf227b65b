// Pace
// How long transcripts wait, to the millisecond, beside a quota that is known.

import { expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Pace } from "../../../adapters/transcripts/pace.ts";
import { capacityOf, type Quota } from "../../../runtime/quota.ts";

const RATE = 1_000_000;
const QUOTA: Quota = { messages: "off", bytes: RATE, kept: "off" };

test("TRANSCRIPTS-PACE-1: with the bucket drained a second's worth takes two seconds", () => {
  const clock = new ManualClock(0);
  const pace = new Pace(clock, () => QUOTA);
  for (let read = 0; 2 * read < capacityOf(QUOTA).bytes; read += RATE)
    pace.spend("w", { messages: 0, bytes: RATE });
  expect(pace.spend("w", { messages: 0, bytes: RATE })).toBe(2_000);
  clock.advance(2_000);
  expect(pace.spend("w", { messages: 0, bytes: RATE })).toBe(2_000);
  expect(pace.spend("another", { messages: 0, bytes: RATE })).toBe(0);
});
