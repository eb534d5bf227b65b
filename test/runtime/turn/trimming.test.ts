// Trimming
// What the journal keeps.

import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

/** The stamp of the oldest entry kept. */
const oldestAt = (rig: Rig): number => rig.disk.entries[0]?.at ?? Infinity;
const keptOf = (rig: Rig, session: string): number =>
  rig.disk.entries.filter(({ body }) =>
    body.startsWith(`{"door":"in","workspace":"w","session":"${session}"`),
  ).length;

/** A session that comes, works and ends. */
async function passing(rig: Rig, session: string): Promise<void> {
  await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")), said.post(call("c1")));
  await rig.tell(session, said.stop(), said.sessionEnd());
}

describe("the journal", () => {
  test("TRIMMING-1: entries of the last 7 days are kept, older ones are dropped", async () => {
    const rig = await Rig.start();
    await passing(rig, "s1");
    await rig.pass(3 * DAY_MS, HOUR_MS);
    await passing(rig, "s2");
    await rig.pass(4 * DAY_MS - 2 * HOUR_MS, HOUR_MS);
    expect(keptOf(rig, "s1")).toBe(2);
    expect(rig.disk.trimmed).toBe(0);
    await rig.pass(4 * HOUR_MS, HOUR_MS);
    expect(keptOf(rig, "s1")).toBe(0);
    expect(keptOf(rig, "s2")).toBe(2);
    expect(rig.disk.trimmed).toBeGreaterThan(0);
    await rig.pass(4 * DAY_MS, HOUR_MS);
    expect(keptOf(rig, "s2")).toBe(0);
    // At most the 7 days and two sweeps.
    expect(oldestAt(rig)).toBeGreaterThan(rig.clock.now() - 7 * DAY_MS - 2 * HOUR_MS);
  });

  test("G15, TRIMMING-1: no session keeps entries back, however long it is open: one at work, one that waits for a person, one that crashed", async () => {
    const rig = await Rig.start();
    await rig.tell("crashed", said.sessionStart());
    await rig.tell("waits", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.tell("works", said.prompt("p2"));
    const row = (): unknown => rig.row("actor/w/waits/approval/a1");
    const asked = row();
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    await passing(rig, "s1");
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      await rig.pass(HOUR_MS / 2, HOUR_MS / 2);
      await rig.tell("works", said.pre(call(`c${hour}`)), said.post(call(`c${hour}`)));
    }
    expect([rig.state("crashed"), rig.state("waits"), rig.state("works")]).toEqual([
      undefined,
      "waiting_input",
      "running",
    ]);
    await rig.pass(3 * DAY_MS, HOUR_MS);
    expect([keptOf(rig, "crashed"), keptOf(rig, "waits"), keptOf(rig, "s1")]).toEqual([0, 0, 0]);
    expect(oldestAt(rig)).toBeGreaterThan(rig.clock.now() - 7 * DAY_MS - 2 * HOUR_MS);
    // Nothing was lost with the entries: the approval is as before, over a restart too, and its answer counts.
    expect(row()).toEqual(asked);
    await rig.engine.stop();
    const next = await rig.restart();
    await next.tell("waits", said.answered("a1", call("c1"), "approve"));
    expect(next.state("waits/approval/a1")).toBe("approved");
  });

  test("TRIMMING-1: beyond a size entries are dropped before their time, without waiting for the hourly sweep", async () => {
    const rig = await Rig.start({ journalKept: { ms: 7 * DAY_MS, bytes: 40_000 } });
    const sizes = () => rig.disk.entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    for (let n = 0; n < 120; n += 1) {
      await rig.tell("filler", { type: "unknown", name: "x".repeat(1_000) });
      await rig.pass(400, 400);
    }
    expect(rig.clock.now() - START_MS).toBeLessThan(MINUTE_MS);
    expect(rig.disk.trimmed).toBeGreaterThan(60);
    expect(sizes()).toBeGreaterThanOrEqual(40_000);
    expect(sizes()).toBeLessThan(40_000 * 1.25 + 2_500);
  });

  test("TRIMMING-2: the entry at the cursor stays, and the journal goes on after a restart", async () => {
    const rig = await Rig.start({ journalKept: { ms: 0, bytes: 0 } });
    await passing(rig, "s1");
    await rig.pass(3 * HOUR_MS, HOUR_MS);
    const { position } = rig.engine.meta();
    expect(rig.disk.entries.map((entry) => entry.position)).toContain(position);
    expect(rig.disk.trimmed).toBeGreaterThanOrEqual(2);
    await rig.engine.stop();
    const next = await rig.restart();
    await passing(next, "s2");
    expect(next.fatals).toEqual([]);
    await next.pass(3 * HOUR_MS, HOUR_MS);
    expect(keptOf(next, "s2")).toBe(0);
  });

  test("MAINTENANCE-1: a start keeps to the hour of the last sweep: restarts do not postpone it for ever", async () => {
    let rig = await Rig.start();
    await rig.pass(HOUR_MS, HOUR_MS);
    for (let n = 0; n < 6; n += 1) {
      await rig.pass(40 * 60_000);
      await rig.engine.stop();
      rig = await rig.restart();
    }
    expect(rig.saidOwn("swept").length).toBeGreaterThanOrEqual(4);
  });

  property.prop(
    [
      fc.array(
        fc.record({ startH: fc.integer({ min: 0, max: 400 }), lengthH: fc.integer({ min: 0, max: 500 }) }),
        { minLength: 1, maxLength: 8 },
      ),
    ],
    { numRuns: 15 },
  )("TRIMMING-1: whatever sessions come and go, 7 days are there, and no more", async (sessions) => {
    const rig = await Rig.start();
    for (let hour = 0; hour <= 900; hour += 5) {
      for (const [n, { startH, lengthH }] of sessions.entries()) {
        if (startH >= hour && startH < hour + 5) await rig.tell(`s${n}`, said.sessionStart());
        if (startH + lengthH >= hour && startH + lengthH < hour + 5)
          await rig.tell(`s${n}`, said.sessionEnd());
      }
      await rig.pass(5 * HOUR_MS, 5 * HOUR_MS);
      const weekAgo = rig.clock.now() - 7 * DAY_MS;
      if (rig.disk.trimmed > 0)
        expect(oldestAt(rig)).toBeLessThanOrEqual(Math.max(weekAgo + 6 * HOUR_MS, START_MS));
      expect(oldestAt(rig)).toBeGreaterThanOrEqual(weekAgo - 12 * HOUR_MS);
    }
    expect(oldestAt(rig)).toBeGreaterThan(rig.clock.now() - 7 * DAY_MS - 12 * HOUR_MS);
    expect([...rig.rows("mark/").keys()].length).toBeLessThan(7 * 24 + 12);
  });
});
