// Series
// The last day in intervals: what each span has, what is known after a restart, what one answer may read.

import { describe, expect, test } from "vitest";
import type { Interval } from "../../../../runtime/reading/figures/series.ts";
import { Series } from "../../../../runtime/reading/figures/series.ts";
import { HOUR_MS, MINUTE_MS, Rig } from "../../../support/engine/rig.ts";
import { call, said } from "../../../support/sessions/said.ts";

const sum = (items: readonly Interval[], name: keyof Interval): number =>
  items.reduce((total, each) => total + each[name], 0);

/** One call that completes, one that is denied, one nobody answers, an hour apart. */
async function threeHours(rig: Rig): Promise<void> {
  await rig.tell("s", said.prompt("p1"), said.pre(call("t1")), said.post(call("t1")));
  rig.clock.advance(HOUR_MS);
  await rig.tell("s", said.pre(call("t2")), said.ask("a2", call("t2")));
  rig.clock.advance(MINUTE_MS);
  await rig.tell("s", said.answered("a2", call("t2"), "deny"));
  rig.clock.advance(HOUR_MS);
  await rig.tell("s", said.pre(call("t3")), said.ask("a3", call("t3")));
}

describe("the series", () => {
  test("SERIES-1: each span shows what ended in it, by its end, and how many waited at each interval's end", async () => {
    const rig = new Rig();
    await rig.engine.start();
    const series = new Series(rig.engine, rig.clock);
    await threeHours(rig);
    const [quarter, hour, six, day] = await Promise.all(
      (["15m", "1h", "6h", "24h"] as const).map((span) => series.read(span)),
    );
    expect([quarter, hour, six, day].map((each) => [each?.items.length, each?.stepMs, each?.since])).toEqual([
      [15, MINUTE_MS, undefined],
      [60, MINUTE_MS, undefined],
      [72, 5 * MINUTE_MS, undefined],
      [96, 15 * MINUTE_MS, undefined],
    ]);
    const ends = (items: readonly Interval[] = []) =>
      (["ended", "completed", "failed", "denied", "unreported"] as const).map((name) => sum(items, name));
    expect(ends(hour?.items)).toEqual([0, 0, 0, 0, 0]);
    expect(ends(six?.items)).toEqual([2, 1, 0, 1, 0]);
    expect(ends(day?.items)).toEqual([2, 1, 0, 1, 0]);
    expect(six?.items.at(-1)?.waiting).toBe(1);
    expect(six?.items.at(-2)?.waiting).toBe(0);
    expect([sum(six?.items ?? [], "asked"), sum(six?.items ?? [], "answered")]).toEqual([2, 1]);
    expect(Math.max(...(six?.items ?? []).map(({ waitedMaxMs }) => waitedMaxMs))).toBe(MINUTE_MS);
    await rig.engine.stop();
  });

  test("SERIES-1: an engine that was started again shows the same, and counts on from there", async () => {
    const before = new Rig();
    await before.engine.start();
    await threeHours(before);
    const shown = await new Series(before.engine, before.clock).read("6h");
    await before.engine.stop();
    const rig = new Rig({ disk: before.disk, manual: before.clock });
    await rig.engine.start();
    const series = new Series(rig.engine, rig.clock);
    const again = await series.read("6h");
    // The start itself may have ended what nobody can end any more.
    expect(again.items.slice(0, -1)).toEqual(shown.items.slice(0, -1));
    await rig.tell("s", said.post(call("t3")));
    expect(sum((await series.read("6h")).items, "completed")).toBe(2);
    await rig.engine.stop();
  });

  test("SERIES-2: one answer reads a bounded number of rows and says since when it counts; asking again reads on", async () => {
    const rig = new Rig();
    await rig.engine.start();
    const turns = 60;
    for (let n = 0; n < turns; n += 1) {
      await rig.tell(`s${n}`, said.prompt(`p${n}`));
      if (n % 10 === 0) rig.clock.advance(MINUTE_MS);
    }
    const series = new Series(rig.engine, rig.clock, 20);
    const first = await series.read("6h");
    const now = rig.clock.now();
    expect(first.since).toBeGreaterThan(now - 6 * HOUR_MS);
    expect(sum(first.items, "changes")).toBeLessThan(rig.changes.length);
    const sinces = [first.since ?? 0];
    for (let n = 0; n < 9 && sinces.at(-1) !== 0; n += 1) sinces.push((await series.read("6h")).since ?? 0);
    expect(sinces).toHaveLength(Math.floor(rig.rows("change/").size / 20) + 1);
    expect(sinces).toEqual(sinces.toSorted((a, b) => b - a));
    expect(sum((await series.read("6h")).items, "changes")).toBe(rig.changes.length);
    await rig.engine.stop();
  });

  test("SERIES-2: a longer span after a shorter one reads what is older, and counts nothing twice", async () => {
    const rig = new Rig();
    await rig.engine.start();
    await threeHours(rig);
    const series = new Series(rig.engine, rig.clock);
    const short = await series.read("15m");
    expect(sum(short.items, "changes")).toBeLessThan(rig.changes.length);
    await Promise.all([series.read("24h"), series.read("6h"), series.read("15m")]);
    expect(sum((await series.read("24h")).items, "changes")).toBe(rig.changes.length);
    expect(await series.read("15m")).toEqual(short);
    await rig.engine.stop();
  });

  test("SERIES-3: a row that cannot be read is left out and reported; the rest is counted", async () => {
    const before = new Rig();
    await before.engine.start();
    await threeHours(before);
    await before.engine.stop();
    const [damaged = "none"] = [...before.rows("change/").keys()];
    before.disk.rows.set(damaged, "{");
    const rig = new Rig({ disk: before.disk, manual: before.clock });
    await rig.engine.start();
    const series = new Series(rig.engine, rig.clock);
    const { items } = await series.read("6h");
    expect(sum(items, "denied")).toBe(1);
    expect(rig.defects).toMatchObject([{ code: "BAD_RECORD" }]);
    expect(String(rig.defects[0])).toContain(damaged);
    expect((await series.read("6h")).items).toEqual(items);
    await rig.engine.stop();
  });

  test("SERIES-2: a span nobody knows is refused", async () => {
    const rig = new Rig();
    await rig.engine.start();
    await expect(new Series(rig.engine, rig.clock).read("2h")).rejects.toMatchObject({
      code: "BAD_PARAMETER",
      message: "The parameter span is none of 15m, 1h, 6h, 24h.",
    });
    await rig.engine.stop();
  });
});
