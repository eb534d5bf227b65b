// Clock
// What a jump of the clock, or a sleep of the machine, does to deadlines.

import { HELD_LOOK_MS } from "../../../runtime/engine/clock-watch.ts";
import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

/** By less than this, two clocks do not differ (I-35). */
const LIKE_MS = 5_000;

const lifecycle = (rig: Rig, address: string): unknown =>
  (rig.state(address) as { lifecycle: unknown } | undefined)?.lifecycle;

describe("a clock that jumps", () => {
  async function twoAsked(): Promise<Rig> {
    const rig = await Rig.start();
    for (const session of ["s1", "s2"]) {
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")));
      const deadlineAt = START_MS + HOUR_MS;
      await rig.tell(session, said.ask(`${session}-a`, call("c1"), { deadlineAt, onDeadline: "deny" }));
    }
    return rig;
  }
  const approvals = (rig: Rig) =>
    ["s1/approval/s1-a", "s2/approval/s2-a"].map((address) => rig.state(address));

  test("I-35: after a jump forward, or a sleep, deadlines wait 60 s", async () => {
    const rig = await twoAsked();
    rig.clock.stepWall(2 * HOUR_MS);
    await rig.pass(60 * 1000, 1000);
    expect(approvals(rig)).toEqual(["pending", "pending"]);
    await rig.pass(60 * 1000, 1000);
    expect(approvals(rig)).toEqual(["expired", "expired"]);
  });

  test("I-35: a message in that minute ends no question that has time left by the clock before the jump", async () => {
    const rig = await twoAsked();
    rig.clock.stepWall(2 * HOUR_MS);
    await rig.tell("s1", said.pre(call("c2")));
    await rig.quiet();
    expect(approvals(rig)).toEqual(["pending", "pending"]);
    await rig.pass(61 * 1000, 1000);
    expect(approvals(rig)).toEqual(["expired", "expired"]);
  });

  test("I-35: an hour ahead for five seconds: a question asked meanwhile, with ten minutes left by its asker's clock, has them", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
    rig.clock.stepWall(HOUR_MS);
    const deadlineAt = START_MS + 10 * MINUTE_MS;
    await rig.tell("s1", said.ask("a1", call("c1"), { deadlineAt, onDeadline: "deny" }));
    await rig.pass(5_000, 1_000);
    rig.clock.stepWall(-HOUR_MS);
    await rig.tell("s1", said.pre(call("c2")));
    await rig.pass(9 * MINUTE_MS, 1_000);
    expect(rig.state("s1/approval/a1")).toBe("pending");
    await rig.pass(2 * MINUTE_MS, 1_000);
    expect(rig.state("s1/approval/a1")).toBe("expired");
  });

  test("I-35: a deadline that both clocks have reached does not wait", async () => {
    const rig = await twoAsked();
    await rig.pass(HOUR_MS - 10_000, MINUTE_MS);
    rig.clock.stepWall(2 * HOUR_MS);
    await rig.pass(12_000, 1_000);
    expect(approvals(rig)).toEqual(["expired", "expired"]);
  });

  interface Jump {
    readonly stepMs: number;
    readonly apartMs: number;
  }
  /** The engine looks each five seconds: a return in between, and a jump to the same time, is no return to it. */
  const isOneJump = ({ stepMs, apartMs }: Jump, n: number, jumps: readonly Jump[]): boolean => {
    const next = jumps[n + 1];
    return next !== undefined && apartMs <= HELD_LOOK_MS && Math.abs(next.stepMs - stepMs) <= LIKE_MS;
  };

  property.prop(
    [
      fc
        .array(
          fc.record({
            stepMs: fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }),
            lastsMs: fc.integer({ min: 0, max: 50_000 }),
            apartMs: fc.integer({ min: 0, max: 2 * MINUTE_MS }),
            isHeardOf: fc.boolean(),
          }),
          { maxLength: 6 },
        )
        .filter((jumps) => !jumps.some(isOneJump)),
    ],
    { numRuns: 60 },
  )(
    "I-35: however often the clock jumps, and is seen to come back within a minute, no question ends before its time has passed",
    async (jumps) => {
      const rig = await Rig.start();
      await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
      const givenMs = 10 * MINUTE_MS;
      const deadlineAt = rig.clock.now() + givenMs;
      const until = rig.clock.monotonic() + givenMs;
      await rig.tell("s1", said.ask("a1", call("c1"), { deadlineAt, onDeadline: "deny" }));
      const check = (): void => {
        if (rig.clock.monotonic() < until) expect(rig.state("s1/approval/a1")).toBe("pending");
      };
      let n = 0;
      for (const { stepMs, lastsMs, apartMs, isHeardOf } of jumps) {
        rig.clock.stepWall(stepMs);
        if (isHeardOf) await rig.tell("s1", said.pre(call(`d${(n += 1)}`)));
        check();
        await rig.pass(lastsMs, 5_000);
        check();
        rig.clock.stepWall(-stepMs);
        await rig.pass(apartMs, 5_000);
        check();
      }
      await rig.pass(until - rig.clock.monotonic() + 2 * MINUTE_MS, 5_000);
      expect(rig.state("s1/approval/a1")).toBe("expired");
    },
  );

  test("I-35, R2: a session that goes on after a sleep is not hung", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await rig.tell("s2", said.prompt("p2"));
    rig.clock.stepWall(8 * HOUR_MS);
    await rig.pass(10 * 1000, 1000);
    await rig.tell("s1", said.pre(call("c1")));
    await rig.pass(3 * MINUTE_MS, 1000);
    expect(lifecycle(rig, "s1/request/p1")).toEqual({ processing: "running" });
    expect(lifecycle(rig, "s2/request/p2")).toBe("timeout");
  });

  test("I-35: after a jump back stamps do not go back, and no deadline fires early", async () => {
    const rig = await twoAsked();
    rig.clock.stepWall(-30 * MINUTE_MS);
    await rig.pass(60 * MINUTE_MS, MINUTE_MS);
    expect(approvals(rig)).toEqual(["pending", "pending"]);
    await rig.pass(30 * MINUTE_MS, MINUTE_MS);
    expect(approvals(rig)).toEqual(["expired", "expired"]);
    const stamps = rig.changes.map(({ at }) => at);
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    const fired = rig.saidOwn("timer.fired");
    expect(fired).toHaveLength(2);
    for (const { at } of fired) expect(at).toBeGreaterThanOrEqual(START_MS + HOUR_MS);
  });

  test("I-35: a clock corrected by a few seconds is trusted", async () => {
    const rig = await twoAsked();
    rig.clock.stepWall(4_000);
    await rig.pass(HOUR_MS - 4_000, MINUTE_MS);
    expect(approvals(rig)).toEqual(["expired", "expired"]);
  });

  property.prop([fc.integer({ min: -START_MS, max: 10 * 365 * DAY_MS }).map((ms) => ms - (ms % 1000))], {
    numRuns: 20,
  })(
    "I-35: with all wall clocks shifted by any constant, the same states come at the same intervals",
    async (shiftMs) => {
      const run = async (startMs: number) => {
        const rig = await Rig.start({ manual: new ManualClock(startMs) });
        await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
        await rig.tell(
          "s1",
          said.ask("a1", call("c1"), { deadlineAt: startMs + 5 * MINUTE_MS, onDeadline: "ask" }),
        );
        await rig.pass(3 * HOUR_MS, 5 * MINUTE_MS);
        return rig.changes.map(({ entity, id, from, to, at }) => [entity, id, from, to, at - startMs]);
      };
      expect(await run(START_MS + shiftMs)).toEqual(await run(START_MS));
    },
  );
});
