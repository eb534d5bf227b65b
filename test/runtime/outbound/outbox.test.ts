// Outbox
// Every change reaches the other side, in order, once for readers that keep the last version, whatever fails on the
// way.

import { setImmediate as nextTick } from "node:timers/promises";
import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { changesBy } from "../../../runtime/outbound/outlet-publisher.ts";
import { Outbox } from "../../../runtime/outbound/outbox.ts";
import { bySession, drained, inOrder, logOf } from "../../support/faults/change-log.ts";
import { type Fate, FlakyOutlet, seenBy } from "../../support/faults/flaky-outlet.ts";
import { DAY_MS, HOUR_MS, Rig, type RigOptions } from "../../support/engine/rig.ts";
import { Gate } from "../../support/faults/gate.ts";
import { call, said } from "../../support/sessions/said.ts";
import { keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";

/** The next of an endless stream, which types say may end. */
function next<T>(stream: Iterator<T, unknown>, last: T): T {
  const result = stream.next();
  return result.done === true ? last : result.value;
}

describe("publishing", () => {
  test("OUTBOX-1: up to 256 changes are in flight, one of each session; each session's arrive in order", async () => {
    const sessions = Array.from({ length: 3_000 }, (_, n) => (n * 7) % 300);
    const store = await logOf(sessions);
    const outlet = new FlakyOutlet(undefined, (n) => 1 + (n % 5));
    const clock = new ManualClock();
    const outbox = new Outbox(store, changesBy(outlet), clock, { published: 0, durable: 0 });
    outbox.advance(3_000);
    await drained(outbox, clock);
    expect(outlet.mostInFlight).toBe(256);
    expect([...outlet.overlapping]).toEqual([]);
    expect(bySession(outlet.arrived)).toEqual(bySession(inOrder(sessions)));
    expect(outbox.published).toBe(3_000);
  });

  property.prop(
    [
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 60 }),
      fc.infiniteStream(
        fc.oneof(
          { weight: 6, arbitrary: fc.constant<Fate>("taken") },
          { weight: 1, arbitrary: fc.constantFrom<Fate>("refused", "unsaid", "late") },
        ),
      ),
      fc.infiniteStream(fc.integer({ min: 0, max: 4 })),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: 3,
      }),
    ],
    { numRuns: 300 },
  )(
    "OUTBOX-1, G4: whatever the outlet refuses, takes without saying so or delivers late, and wherever a restart resumes, no change arrives first after a later one of its session, and none is missing",
    async (sessions, fates, ticks, crashes) => {
      const store = await logOf(sessions);
      const clock = new ManualClock();
      const outlet = new FlakyOutlet(
        () => next(fates, "taken"),
        () => next(ticks, 0),
      );
      let floor = 0;
      for (const [afterTicks, kept] of crashes) {
        const outbox = new Outbox(store, changesBy(outlet), clock, {
          published: floor,
          durable: sessions.length,
        });
        outbox.advance(sessions.length);
        for (let tick = 0; tick < afterTicks; tick += 1) {
          await nextTick();
          clock.advance(1_000);
        }
        // What is in flight at a crash may arrive, but nothing is sent after it; the floor on disk may be old.
        await outbox.stop();
        floor += Math.floor((outbox.published - floor) * kept);
      }
      const last = new Outbox(store, changesBy(outlet), clock, {
        published: floor,
        durable: sessions.length,
      });
      last.advance(sessions.length);
      await drained(last, clock);
      expect(bySession(seenBy(outlet.arrived))).toEqual(bySession(inOrder(sessions)));
    },
  );

  test("OUTBOX-1: the first failure stops publishing; it is tried again after 250 ms, then after twice as long each time, up to 10 s", async () => {
    const store = await logOf([1, 1, 2, 2]);
    const outlet = new MemoryOutlet();
    outlet.refuse(new Error("down"));
    const clock = new ManualClock();
    const tries: number[] = [];
    const lastVersion = outlet.lastVersion.bind(outlet);
    outlet.lastVersion = (workspace, session) => {
      if (session === "s1") tries.push(clock.monotonic());
      return lastVersion(workspace, session);
    };
    const outbox = new Outbox(store, changesBy(outlet), clock, { published: 0, durable: 4 });
    outbox.advance(4);
    for (let n = 0; n < 600; n += 1) {
      for (let tick = 0; tick < 4; tick += 1) await nextTick();
      clock.advance(50);
    }
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
    outlet.refuse(undefined);
    await drained(outbox, clock);
    expect(outlet.published.map(({ messageId }) => messageId).sort()).toEqual([
      "w/s1:1",
      "w/s1:2",
      "w/s2:1",
      "w/s2:2",
    ]);
  });
});

describe("the published floor", () => {
  const watched = (commits: string[][]): RigOptions => ({
    wrapStore: (store) =>
      new WrappedStore(store, (writes, commit) => {
        commits.push(writes.map(keyOf));
        return commit();
      }),
  });

  test("MAINTENANCE-2: it is on disk a second after it moved, in a commit of its own if the engine is idle", async () => {
    const commits: string[][] = [];
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet, ...watched(commits) });
    await rig.tell("s1", said.prompt("p1"));
    await rig.quiet();
    expect(outlet.published.length).toBe(rig.changes.length);
    expect(rig.row("published")).toBeUndefined();
    commits.length = 0;
    await rig.pass(1_000, 100);
    expect(rig.row("published")).toBe(rig.changes.length);
    expect(commits).toEqual([["published"]]);
    await rig.pass(10 * 60_000);
    expect(commits.filter((written) => written.includes("published"))).toEqual([["published"]]);
  });

  test("MAINTENANCE-2: under load it joins the commits of turns: no commit is made for it alone", async () => {
    const commits: string[][] = [];
    const gate = new Gate();
    const rig = await Rig.start({
      outlet: new MemoryOutlet(),
      wrapStore: (store) =>
        new WrappedStore(store, async (writes, commit) => {
          commits.push(writes.map(keyOf));
          await gate.pass();
          await commit();
        }),
    });
    await rig.tell("s1", said.prompt("p1"));
    await rig.quiet();
    const taken = rig.changes.length;
    gate.shut();
    commits.length = 0;
    const ends = [rig.tell("s1", said.pre(call("c1")))];
    await nextTick();
    ends.push(rig.tell("s1", said.pre(call("c2"))));
    await nextTick();
    rig.clock.advance(1_000);
    gate.open();
    await Promise.all(ends);
    expect(commits.map((written) => written.includes("published"))).toEqual([false, true]);
    expect(commits[1]).toContain("actor/w/s1/call/c2");
    expect(rig.row("published")).toBe(taken);
  });

  test("OUTBOX-2: it survives a restart: nothing is asked for and nothing is sent again", async () => {
    const outlet = new FlakyOutlet();
    const rig = await Rig.start({ outlet });
    await rig.tell("s1", said.prompt("p1"));
    for (let n = 0; n < 20; n += 1) await nextTick();
    await rig.engine.stop();
    expect(rig.row("published")).toBe(rig.changes.length);
    const before = [outlet.arrived.length, outlet.asked.length];
    const next = await rig.restart();
    for (let n = 0; n < 20; n += 1) await nextTick();
    expect([outlet.arrived.length, outlet.asked.length]).toEqual(before);
    expect(next.engine.lag().outlet).toBe(0);
    await next.tell("s1", said.pre(call("c1")));
    for (let n = 0; n < 20; n += 1) await nextTick();
    expect(seenBy(outlet.arrived)).toEqual(outlet.arrived);
    expect(outlet.arrived.length).toBe(next.log().length);
  });

  test("OUTBOX-2: if it did not survive, a start asks for the last version of each session, and sends nothing twice", async () => {
    const outlet = new FlakyOutlet();
    const rig = await Rig.start({ outlet });
    for (const session of ["s1", "s2", "s3"])
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")));
    for (let n = 0; n < 50; n += 1) await nextTick();
    const { length } = outlet.arrived;
    expect(length).toBe(rig.changes.length);
    // Killed: no floor was stored.
    const next = await rig.restart();
    await next.tell("s2", said.pre(call("c2")));
    for (let n = 0; n < 50; n += 1) await nextTick();
    expect(new Set(outlet.asked)).toEqual(new Set(["w/s1", "w/s2", "w/s3"]));
    expect(outlet.arrived.length).toBe(next.log().length);
    expect(seenBy(outlet.arrived)).toEqual(outlet.arrived);
    expect(next.engine.lag().outlet).toBe(0);
  });

  test("TURN-SWEEP-2: with an outlet that takes nothing, changes stay, however old; once it has taken them, they are removed", async () => {
    const outlet = new MemoryOutlet();
    outlet.refuse(new Error("down"));
    const rig = await Rig.start({ outlet });
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.pass(9 * DAY_MS, HOUR_MS);
    const { length: size } = rig.log();
    expect(size).toBe(rig.changes.length);
    expect(rig.engine.lag().outlet).toBe(size);
    outlet.refuse(undefined);
    await rig.pass(2 * HOUR_MS);
    expect(outlet.published).toHaveLength(size);
    expect(rig.rows("change/").size).toBe(0);
    expect(rig.engine.meta().changesFrom).toBe(size);
  });

  test("TURN-SWEEP-2: with an outlet that stopped in between, the first change that it has not taken stays, and all behind it", async () => {
    for (const taken of [1, 2, 3, 4]) {
      const outlet = new FlakyOutlet();
      outlet.refuses = ({ n }) => (n > taken ? new Error("down") : undefined);
      const rig = await Rig.start({ outlet });
      for (let n = 0; n < 3; n += 1) await rig.tell("s1", said.prompt(`p${n}`));
      await rig.pass(9 * DAY_MS, DAY_MS);
      const left = rig.log().map(({ n }) => n);
      const untaken = rig.changes.map(({ n }) => n).filter((n) => n > taken);
      expect(left.filter((n) => n > taken)).toEqual(untaken);
      expect(rig.engine.meta().changesFrom).toBeLessThanOrEqual(taken);
      await rig.engine.stop();
    }
  });

  test("G33: without an outlet it follows the changes: they are removed after 7 days, not before", async () => {
    const rig = await Rig.start({ configuration: { ...DEFAULT_CONFIGURATION, idleMs: 30 * DAY_MS } });
    await rig.tell("s1", said.prompt("p1"), said.stop());
    const { length } = rig.changes;
    await rig.pass(7 * DAY_MS - HOUR_MS, HOUR_MS);
    expect(rig.log()).toHaveLength(length);
    await rig.pass(2 * HOUR_MS, HOUR_MS);
    expect(rig.rows("change/").size).toBe(0);
    expect(rig.engine.meta()).toMatchObject({ changesFrom: length, changes: length });
    await rig.tell("s1", said.prompt("p2"));
    expect(rig.log()[0]?.n).toBe(length + 1);
  });

  test("OUTBOX-2: an outlet that is added later gets what the log still holds", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.pass(7 * DAY_MS + HOUR_MS, HOUR_MS);
    await rig.tell("s1", said.prompt("p2"));
    const kept = rig.log().length;
    await rig.engine.stop();
    const outlet = new MemoryOutlet();
    const next = await rig.restart({ outlet });
    for (let n = 0; n < 20; n += 1) await nextTick();
    expect(kept).toBeGreaterThan(0);
    expect(outlet.published.map(({ n }) => n)).toEqual(
      Array.from({ length: kept }, (_, index) => next.engine.meta().changesFrom + 1 + index),
    );
  });
});
