// Trimming
// What the journal keeps, and what the sweep takes from the store.

import { setImmediate as nextTick } from "node:timers/promises";
import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIGURATION } from "../runtime/config.ts";
import { keys } from "../runtime/keys.ts";
import type { Meta } from "../runtime/meta.ts";
import { DAY_MS, HOUR_MS, Rig, type RigOptions, START_MS } from "./support/rig.ts";
import { call, said } from "./support/said.ts";
import { keyOf, WrappedStore } from "./support/wrapped-store.ts";

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
  test("Q1: entries of the last 7 days are kept, older ones go, once no open session needs them", async () => {
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
    // No more than the 7 days and two sweeps.
    expect(oldestAt(rig)).toBeGreaterThan(rig.clock.now() - 7 * DAY_MS - 2 * HOUR_MS);
  });

  test("Q1: all entries since the first of the oldest open session are kept, however old it is", async () => {
    const rig = await Rig.start();
    await passing(rig, "s1");
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    await rig.tell("open", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.pass(HOUR_MS, HOUR_MS);
    await passing(rig, "s2");
    await rig.pass(30 * DAY_MS, 6 * HOUR_MS);
    expect(keptOf(rig, "s1")).toBe(0);
    expect([keptOf(rig, "open"), keptOf(rig, "s2")]).toEqual([1, 2]);
    await rig.tell("open", said.sessionEnd());
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(keptOf(rig, "s2")).toBe(0);
    expect(oldestAt(rig)).toBeGreaterThanOrEqual(rig.clock.now() - 7 * DAY_MS - 12 * HOUR_MS);
  });

  test("Q1: beyond a size entries go before their time, but for those an open session needs; without waiting for the hour", async () => {
    const rig = await Rig.start({ journalKept: { ms: 7 * DAY_MS, bytes: 40_000 } });
    const sizes = () => rig.disk.entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    const filled = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await rig.tell("filler", { type: "unknown", name: "x".repeat(1_000) });
        await rig.pass(1_000, 1_000);
      }
    };
    await filled(60);
    // The filler itself is open.
    expect(rig.disk.trimmed).toBe(0);
    await rig.tell("filler", said.sessionEnd());
    await filled(60);
    expect(rig.clock.now() - START_MS).toBeLessThan(HOUR_MS);
    expect(rig.disk.trimmed).toBeGreaterThan(60);
    expect(sizes()).toBeGreaterThanOrEqual(40_000);
    expect(sizes()).toBeLessThan(40_000 * 1.25 + 2_500);
  });

  test("Q2: the entry at the cursor stays, and the journal goes on after a restart", async () => {
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

  test("H2: a start goes on with the hour of the last sweep: restarts do not put it off for ever", async () => {
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
  )(
    "Q1: whatever sessions come and go, no open one ever lacks its first entry, and 7 days are there",
    async (sessions) => {
      const rig = await Rig.start();
      for (let hour = 0; hour <= 900; hour += 5) {
        for (const [n, { startH, lengthH }] of sessions.entries()) {
          if (startH >= hour && startH < hour + 5) await rig.tell(`s${n}`, said.sessionStart());
          if (startH + lengthH >= hour && startH + lengthH < hour + 5)
            await rig.tell(`s${n}`, said.sessionEnd());
        }
        await rig.pass(5 * HOUR_MS, 5 * HOUR_MS);
        for (const n of sessions.keys()) {
          const state = rig.state(`s${n}`);
          if (state === undefined || state === "ended") continue;
          const first = rig.disk.entries.find(({ body }) => body.includes(`"session":"s${n}"`));
          expect(first?.body).toContain("session.started");
        }
        const weekAgo = rig.clock.now() - 7 * DAY_MS;
        if (rig.disk.trimmed > 0)
          expect(oldestAt(rig)).toBeLessThanOrEqual(Math.max(weekAgo + 6 * HOUR_MS, START_MS));
      }
      // In the end all have ended: nothing older than the 7 days and a step is left.
      expect(oldestAt(rig)).toBeGreaterThan(rig.clock.now() - 7 * DAY_MS - 12 * HOUR_MS);
      expect([...rig.rows("mark/").keys()].length).toBeLessThan(7 * 24 + 12);
    },
  );
});

describe("the sweep", () => {
  const short = { ...DEFAULT_CONFIGURATION, changesKeptMs: HOUR_MS / 2, deadsKeptMs: HOUR_MS / 2 };

  test("W1, H2: each takes at most 1,000 rows of a log; the next comes at once, until all is gone", async () => {
    const deletions: number[] = [];
    const options: RigOptions = {
      configuration: short,
      groupMax: 1,
      wrapStore: (store) =>
        new WrappedStore(store, (writes, commit) => {
          const gone = writes.filter((write) => "del" in write && keyOf(write).startsWith("change/"));
          if (gone.length > 0) deletions.push(gone.length);
          return commit();
        }),
    };
    const rig = await Rig.start(options);
    for (let n = 0; n < 600; n += 1)
      await rig.submit("s1", [said.pre(call(`c${n}`)), said.post(call(`c${n}`))]);
    for (let n = 0; n < 1_500; n += 1) {
      // As many as have letters in a second.
      if (n % 50 === 0) rig.clock.advance(1_000);
      await rig.submit("s1", [], { type: "test.refused" });
    }
    await rig.tell("s1", said.stop());
    const { length } = rig.changes;
    expect(length).toBeGreaterThan(2_000);
    await rig.pass(HOUR_MS + 60_000);
    expect(deletions).toEqual([1_000, 1_000, length - 2_000]);
    expect([rig.rows("change/").size, rig.rows("dead/").size]).toEqual([0, 0]);
    expect(rig.engine.meta()).toMatchObject({ changes: length, changesFrom: length, deads: 1_500 });
    expect(rig.saidOwn("swept").length).toBe(3);
  });

  test("design §3: audit rows stay 400 days, dead letters 30, changes 7", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.tell("s1", said.answered("a1", call("c1"), "approve"), said.stop());
    await (
      await rig.submit("s1", [], { type: "test.refused" })
    ).settled;
    const left = () => ["change/", "dead/", "audit/"].map((prefix) => rig.rows(prefix).size > 0);
    await rig.pass(7 * DAY_MS - HOUR_MS, DAY_MS);
    expect(left()).toEqual([true, true, true]);
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(left()).toEqual([false, true, true]);
    await rig.pass(23 * DAY_MS, DAY_MS);
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(left()).toEqual([false, false, true]);
    await rig.pass(369 * DAY_MS, 3 * DAY_MS);
    expect(left()).toEqual([false, false, true]);
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect(left()).toEqual([false, false, false]);
  });

  test("G10: what it takes stands in its message: the journal applied again leaves the same bytes", async () => {
    const rig = await Rig.start({ configuration: short });
    for (let n = 0; n < 5; n += 1) {
      await passing(rig, `s${n}`);
      await rig.pass(HOUR_MS, HOUR_MS / 4);
    }
    await rig.engine.stop();
    const copy = new Rig({ configuration: short, manual: rig.clock });
    copy.disk.entries = [...rig.disk.entries];
    await copy.engine.start();
    await copy.engine.stop();
    await nextTick();
    expect(copy.rows()).toEqual(rig.rows());
    expect(JSON.parse(copy.disk.rows.get(keys.meta) ?? "") as Meta).toMatchObject({
      changesFrom: expect.any(Number) as number,
    });
    expect(rig.saidOwn("swept").length).toBeGreaterThanOrEqual(4);
  });
});
