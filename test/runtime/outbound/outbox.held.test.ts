// Held
// A change that the outlet will not take holds back its own session only, and is reported.

import { hash } from "node:crypto";
import { setImmediate as nextTick } from "node:timers/promises";
import { test as property, fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { changesBy } from "../../../runtime/outbound/outlet-publisher.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { Outbox } from "../../../runtime/outbound/outbox.ts";
import type { OutgoingChange } from "../../../runtime/ports.ts";
import { bySession, drained, inOrder, logOf } from "../../support/faults/change-log.ts";
import { type Arrival, type Fate, FlakyOutlet, seenBy } from "../../support/faults/flaky-outlet.ts";
import { Rig } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const refused = (code = "NATS_FORBIDDEN"): RefusedError =>
  new RefusedError(code, "It will not be taken.", "Let it be taken.");

/** Lets everything leave that can. */
async function passing(clock: ManualClock, rounds = 150): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (let tick = 0; tick < 4; tick += 1) await nextTick();
    clock.advance(1_000);
  }
}

interface Plan {
  readonly sessions: readonly number[];
  /** By session: which of its versions is refused. */
  readonly refusals: readonly number[];
  readonly fates: readonly Fate[];
  readonly ticks: readonly number[];
  readonly crashes: readonly (readonly [afterTicks: number, kept: number])[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  sessions: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 60 }),
  refusals: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 6, maxLength: 6 }),
  fates: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Fate>("taken") },
      { weight: 1, arbitrary: fc.constantFrom<Fate>("refused", "unsaid", "late") },
    ),
    { minLength: 1, maxLength: 40 },
  ),
  ticks: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 20 }),
  crashes: fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.double({ min: 0, max: 1, noNaN: true })), {
    maxLength: 3,
  }),
});

property.prop([plan], { numRuns: 200 })(
  "OUTBOX-3, OUTBOX-1, HELD-LINES-1: whatever is refused for good, whatever else fails and wherever a restart resumes: every other session leaves whole, a refused one up to the refused change; once that is let through, the rest follows in order",
  async ({ sessions, refusals, fates, ticks, crashes }) => {
    const store = await logOf(sessions);
    const clock = new ManualClock();
    const script = [...fates];
    const outlet = new FlakyOutlet(
      () => script.shift() ?? "taken",
      (call) => ticks[call % ticks.length] ?? 0,
    );
    const refusalOf = ({ session }: Arrival): number =>
      refusals[Number(session.slice("w/s".length))] ?? Infinity;
    const isHeld = (change: Arrival): boolean => change.version >= refusalOf(change);
    outlet.refuses = (part) => (part.version === refusalOf(part) ? refused() : undefined);
    const durable = sessions.length;
    let floor = 0;
    for (const [afterTicks, kept] of crashes) {
      const outbox = new Outbox(store, changesBy(outlet), clock, { published: floor, durable });
      outbox.advance(durable);
      for (let tick = 0; tick < afterTicks; tick += 1) {
        await nextTick();
        clock.advance(1_000);
      }
      await outbox.stop();
      floor += Math.floor((outbox.published - floor) * kept);
    }
    const whole = inOrder(sessions);
    const outbox = new Outbox(store, changesBy(outlet), clock, { published: floor, durable });
    outbox.advance(durable);
    for (let round = 0; outbox.waiting > whole.filter(isHeld).length; round += 1) {
      if (round > 2_000) throw new Error(`Stuck: ${outbox.waiting} wait`);
      await nextTick();
      clock.advance(1_000);
    }
    expect(bySession(seenBy(outlet.arrived))).toEqual(bySession(whole.filter((change) => !isHeld(change))));
    expect(outbox.published).toBeLessThan(whole.find(isHeld)?.n ?? Infinity);

    outlet.refuses = () => undefined;
    await drained(outbox, clock);
    expect(bySession(seenBy(outlet.arrived))).toEqual(bySession(whole));
    expect(outbox.published).toBe(durable);
  },
);

test("OUTBOX-3: a held session is tried again after 250 ms, then after twice as long each time, up to 10 s; no other waits for it", async () => {
  const store = await logOf([1, 2, 1, 2]);
  const outlet = new FlakyOutlet(undefined, () => 0);
  const clock = new ManualClock();
  const tries: number[] = [];
  outlet.refuses = ({ session }) => {
    if (session !== "w/s1") return undefined;
    tries.push(clock.monotonic());
    return refused();
  };
  const outbox = new Outbox(store, changesBy(outlet), clock, { published: 0, durable: 0 });
  outbox.advance(4);
  for (let n = 0; n < 600; n += 1) {
    for (let tick = 0; tick < 4; tick += 1) await nextTick();
    clock.advance(50);
  }
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  expect(waits.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]);
  expect(outlet.arrived.map(({ n }) => n)).toEqual([2, 4]);
  expect(outbox.hindrance).toMatchObject({ held: { lines: 1, rows: 2 } });
  await outbox.stop();
});

test("OUTBOX-2, HELD-LINES-2: a held change that arrived although its answer was lost is not sent again: each of its session's arrives once", async () => {
  const store = await logOf([1, 1, 2, 1]);
  // The first that is not refused is asked for, then sent.
  const script: Fate[] = ["taken", "taken", "unsaid"];
  const outlet = new FlakyOutlet(
    () => script.shift() ?? "taken",
    () => 0,
  );
  const clock = new ManualClock();
  outlet.refuses = ({ session }) => (session === "w/s1" ? refused() : undefined);
  const outbox = new Outbox(store, changesBy(outlet), clock, { published: 0, durable: 0 });
  outbox.advance(4);
  await passing(clock, 2);
  outlet.refuses = () => undefined;
  await drained(outbox, clock);
  expect(script).toEqual([]);
  expect(outlet.arrived.map(({ n }) => n)).toEqual([3, 1, 2, 4]);
});

test.each(['{"n":2,', "null", '"text"', '{"n":2,"workspacf":"w"}'])(
  "OUTBOX-3: a change that cannot be read (%s) is skipped and reported; those behind it leave",
  async (damaged) => {
    const store = await logOf([1, 2, 1, 2]);
    await store.commit([{ put: keys.change(2), value: damaged }]);
    const outlet = new FlakyOutlet(undefined, () => 0);
    const clock = new ManualClock();
    const unreadable: string[] = [];
    const news = { unreadable: (key: string) => void unreadable.push(key) };
    const outbox = new Outbox(store, changesBy(outlet), clock, { published: 0, durable: 0 }, news);
    outbox.advance(4);
    await drained(outbox, clock);
    expect(outlet.arrived.map(({ n }) => n).sort()).toEqual([1, 3, 4]);
    expect(unreadable).toEqual([keys.change(2)]);
  },
);

test("OUTBOX-2: a version that the engine has not reached is somebody else's: no change is left out because of it", async () => {
  const outlet = new MemoryOutlet();
  const rig = await Rig.start({ outlet });
  const about = { workspace: "w", sessionId: "s1", entity: "session", to: "idle" } as const;
  await outlet.publish({ n: 0, messageId: "w/s1:999999", subject: "s", about, body: "{}" });
  await rig.tell("s1", said.prompt("p1"));
  await rig.quiet();
  // Killed: no floor was stored, so each session is asked for.
  outlet.published.length = 0;
  const next = await rig.restart();
  await next.tell("s1", said.pre(call("c1")));
  await passing(next.clock, 5);
  const versions = outlet.published.map(({ messageId }) => messageId);
  expect(versions.at(-1)).toBe(`w/s1:${next.log().length}`);
});

/** Carries nothing longer than a limit. */
class NarrowOutlet extends MemoryOutlet {
  bytesMax = Infinity;
  override async publish(change: OutgoingChange): Promise<void> {
    if (change.body.length > this.bytesMax) throw refused("TOO_LARGE");
    await super.publish(change);
  }
}

test("OUTLET-PUBLISHER-2, SHORTER-1, SHORTER-2: a change too long for the outlet leaves without its long parts, under its own id and version, and says what was cut", async () => {
  const outlet = new NarrowOutlet();
  const rig = await Rig.start({ outlet });
  outlet.bytesMax = 2_000;
  const input = { text: "é".repeat(3_000) };
  await rig.tell("s1", said.prompt("p1"), said.pre(call("c1", "Bash", input)));
  await rig.tell("s2", said.prompt("p2"));
  await rig.quiet();
  await passing(rig.clock, 3);
  expect(rig.engine.lag().outlet).toBe(0);
  expect(outlet.published).toHaveLength(rig.changes.length);
  const bodies = outlet.published.map(({ body }) => JSON.parse(body) as StateChange & { cut?: string[] });
  const short = bodies.filter(({ cut }) => cut);
  expect(short.length).toBeGreaterThan(0);
  for (const { n, cut, view } of short) {
    const { view: _, ...whole } = rig.log()[n - 1] as StateChange;
    expect(bodies.find((body) => body.n === n)).toMatchObject(whole);
    expect(cut).toEqual(["view.input"]);
    const text = JSON.stringify(input);
    expect(view).toMatchObject({
      input: { bytes: Buffer.byteLength(text), sha256: hash("sha256", text, "hex") },
    });
  }
  expect(rig.engine.troubles()).toEqual([]);
});

test("OUTLET-PUBLISHER-2, OUTBOX-3: if even that is too long, the session is held and reported, and goes on by itself once it fits", async () => {
  const outlet = new NarrowOutlet();
  const rig = await Rig.start({ outlet });
  outlet.bytesMax = 450;
  const long = "s".repeat(120);
  await rig.tell(long, said.prompt("p".repeat(100)));
  await rig.tell("s2", said.prompt("p2"));
  await rig.quiet();
  await passing(rig.clock, 3);
  expect(new Set(outlet.published.map(({ messageId }) => messageId.split(":")[0]))).toEqual(
    new Set(["w/s2"]),
  );
  expect(rig.engine.troubles()).toMatchObject([
    { code: "CHANGES_HELD", isEssential: false, message: expect.stringContaining("1 sessions") as string },
  ]);
  expect(rig.engine.troubles()[0]?.message).not.toContain(long);
  outlet.bytesMax = Infinity;
  await passing(rig.clock, 20);
  expect([rig.engine.lag().outlet, rig.engine.troubles()]).toEqual([0, []]);
});

test("OUTLET-PUBLISHER-3: an outlet that takes nothing for ten seconds is a trouble that says what, since when, how many and what to do; it ends once the outlet takes changes", async () => {
  const outlet = new MemoryOutlet();
  const rig = await Rig.start({ outlet });
  const since = rig.clock.now();
  outlet.refuse(new RetryableError("NATS_NO_ROOM", "secret-session is full", "Make room.", 1_000));
  await rig.tell("s1", said.prompt("p1"));
  await passing(rig.clock, 4);
  expect(rig.engine.troubles()).toEqual([]);
  await passing(rig.clock, 20);
  const [trouble] = rig.engine.troubles();
  const waiting = rig.changes.length;
  expect(trouble).toMatchObject({ code: "CHANGES_STUCK", next: "Make room.", since, isEssential: true });
  expect(trouble?.message).toMatch(new RegExp(`NATS_NO_ROOM.*${waiting} wait`));
  expect(trouble?.message).not.toContain("secret");
  outlet.refuse(undefined);
  await passing(rig.clock, 15);
  expect(rig.engine.troubles()).toEqual([]);
});
