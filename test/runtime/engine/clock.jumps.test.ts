// Clock watch, jumps
// By which of two clocks deadlines count after a jump, and for how long: the clock's readings are given one by one.

import { describe, expect, test } from "vitest";
import { ClockWatch } from "../../../runtime/engine/clock-watch.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";
import { freshMeta } from "../../../runtime/rows/meta.ts";
import { HOUR_MS, START_MS } from "../../support/engine/rig.ts";

/** A watch whose two clocks say what they are told. */
function watching() {
  const says = { wall: START_MS, monotonic: 1_000 };
  const meta: Meta = { ...freshMeta("journal", 1), at: START_MS };
  const watch = new ClockWatch({
    clock: { now: () => says.wall, monotonic: () => says.monotonic, after: () => () => undefined },
    meta: () => meta,
    say: () => Promise.resolve(),
  });
  return {
    watch,
    jump: (ms: number) => void (says.wall += ms),
    /** Time that passes on both. */
    pass: (ms: number) => {
      says.wall += ms;
      says.monotonic += ms;
    },
    /** A machine sleeps: its monotonic clock stands. */
    sleep: (ms: number) => void (says.wall += ms),
    /** How late it is for deadlines, and for a question that is asked now. */
    late: () => [watch.due() - START_MS, watch.latest() - START_MS],
  };
}

describe("two clocks after a jump", () => {
  test("I-35: ahead: deadlines stay with the clock before; a question that is asked now gets its time by the later one", () => {
    const { jump, pass, late } = watching();
    expect(late()).toEqual([0, 0]);
    jump(HOUR_MS);
    expect(late()).toEqual([0, HOUR_MS]);
    pass(5_000);
    expect(late()).toEqual([5_000, HOUR_MS + 5_000]);
    jump(-HOUR_MS);
    expect(late()).toEqual([5_000, 5_000]);
    pass(60_000);
    expect(late()).toEqual([65_000, 65_000]);
  });

  test("I-35: behind: deadlines wait, and a question that is asked now is not over when the clock comes back", () => {
    const { jump, pass, late } = watching();
    jump(-HOUR_MS);
    expect(late()).toEqual([-HOUR_MS, 0]);
    pass(5_000);
    jump(HOUR_MS);
    expect(late()).toEqual([5_000, 5_000]);
  });

  test("I-35: a clock that stands elsewhere for a minute is followed, as after a sleep", () => {
    const { sleep, pass, late, watch } = watching();
    sleep(8 * HOUR_MS);
    expect(late()).toEqual([0, 8 * HOUR_MS]);
    pass(59_000);
    expect(late()).toEqual([59_000, 8 * HOUR_MS + 59_000]);
    pass(1_000);
    expect(watch.heldMs()).toBe(0);
    expect(late()).toEqual([8 * HOUR_MS + 60_000, 8 * HOUR_MS + 60_000]);
  });

  test("I-35: one that came back unnoticed, and jumps again, is not followed", () => {
    const { jump, pass, late } = watching();
    jump(HOUR_MS);
    expect(late()).toEqual([0, HOUR_MS]);
    pass(30_000);
    jump(-HOUR_MS);
    pass(31_000);
    expect(late()).toEqual([61_000, 61_000]);
    jump(HOUR_MS);
    expect(late()[0]).toBe(61_000);
  });

  test("I-35: where a start finds the clock far from the last entry, deadlines wait for nothing but time", () => {
    const { watch, pass } = watching();
    watch.start({ at: START_MS - 48 * HOUR_MS });
    expect([watch.holdsAll, watch.heldMs()]).toEqual([true, 60_000]);
    pass(60_000);
    expect([watch.holdsAll, watch.heldMs()]).toEqual([false, 0]);
  });
});
