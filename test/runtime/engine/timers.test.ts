// Timers
// Deadlines: when they fire, how often, and what they end.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { type ApprovalId, sessionAddress, type SessionId } from "../../../machines/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS, WORKSPACE } from "../../support/engine/rig.ts";
import type { Range } from "../../../runtime/ports.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";
import { call, said } from "../../support/sessions/said.ts";

const lifecycle = (rig: Rig, address: string): unknown =>
  (rig.state(address) as { lifecycle: unknown } | undefined)?.lifecycle;
const running = { processing: "running" };
const waiting = { processing: "waiting" };
const home = sessionAddress(WORKSPACE, "s1" as SessionId);

const fire = (rig: Rig, address: string, timer: string, generation: number) =>
  rig.engine.own(WORKSPACE, "s1" as SessionId, { type: "timer.fired", address, timer, generation });

describe("hung", () => {
  test("R2, S1.57: a request is hung after an hour without input, not before; its calls are lost with it", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
    await rig.pass(59 * MINUTE_MS);
    expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
    await rig.pass(2 * MINUTE_MS);
    expect(lifecycle(rig, "s1/request/p1")).toBe("timeout");
    expect(rig.row("actor/w/s1/request/p1")).toMatchObject({
      context: { timedOut: true, completedAt: START_MS + HOUR_MS },
    });
    expect(rig.row("actor/w/s1/call/c1")).toMatchObject({
      value: { execution: "missing-post" },
      context: { missing: { cause: "lost", evidence: "time-limit" } },
    });
  });

  test("R2: any input for the request or its calls postpones that to an hour from then", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
    for (const input of [said.post(call("c1")), said.pre(call("c2")), said.announced(call("c3"))]) {
      await rig.pass(50 * MINUTE_MS);
      await rig.tell("s1", input);
    }
    const last = rig.clock.now();
    await rig.pass(60 * MINUTE_MS - 1);
    expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
    await rig.pass(1);
    expect(lifecycle(rig, "s1/request/p1")).toBe("timeout");
    expect(rig.row("actor/w/s1/request/p1")).toMatchObject({ context: { completedAt: last + HOUR_MS } });
    // Another session's input postpones nothing.
    await rig.tell("s2", said.prompt("p2"));
    await rig.pass(30 * MINUTE_MS);
    await rig.tell("s1", said.pre(call("c9")));
    await rig.pass(30 * MINUTE_MS);
    expect(lifecycle(rig, "s2/request/p2")).toBe("timeout");
  });

  test("R2: time spent waiting for a person does not count", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
    await rig.pass(30 * MINUTE_MS);
    await rig.tell("s1", said.ask("a1", call("c1")));
    expect(lifecycle(rig, "s1/request/p1")).toEqual(waiting);
    await rig.pass(10 * HOUR_MS);
    expect(lifecycle(rig, "s1/request/p1")).toEqual(waiting);
    await rig.tell("s1", said.answered("a1", call("c1"), "approve"));
    expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
    await rig.pass(59 * MINUTE_MS);
    expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
    await rig.pass(MINUTE_MS);
    expect(rig.row("actor/w/s1/request/p1")).toMatchObject({
      value: { lifecycle: "timeout" },
      context: { runningForMs: 90 * MINUTE_MS },
    });
  });

  test("R2, S1.50, G43: deadlines that passed while the engine was down fire as ordinary turns after the start, each once", async () => {
    const rig = await Rig.start();
    for (let n = 0; n < 600; n += 1) await rig.submit(`s${n}`, [said.prompt(`p${n}`)]);
    await rig.tell("asking", said.prompt("p"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.engine.stop();
    rig.clock.advance(5 * HOUR_MS);
    const next = await rig.restart();
    expect(next.engine.recovered).toMatchObject({ openRequests: 601, pendingApprovals: 1, replayed: 0 });
    let mostUnderWay = next.engine.lag().waiting;
    next.engine.onChanges(() => (mostUnderWay = Math.max(mostUnderWay, next.engine.lag().waiting)));
    for (let n = 0; next.saidOwn("timer.fired").length < 600 && n < 10_000; n += 1) await nextTick();
    await next.quiet();
    expect(mostUnderWay).toBe(32);
    expect(next.saidOwn("timer.fired")).toHaveLength(600);
    for (let n = 0; n < 600; n += 1) expect(lifecycle(next, `s${n}/request/p${n}`)).toBe("timeout");
    expect(lifecycle(next, "asking/request/p")).toEqual(waiting);
    expect(next.changes.filter(({ entity }) => entity === "request").every(({ epoch }) => epoch === 2)).toBe(
      true,
    );
  });

  test("S1.28: a request's own limit, longer than any timer of Node, fires at its time", async () => {
    const delays: number[] = [];
    class Watched extends ManualClock {
      override after(delayMs: number, callback: () => void): () => void {
        delays.push(delayMs);
        return super.after(delayMs, callback);
      }
    }
    const rig = await Rig.start({ manual: new Watched(START_MS) });
    await rig.tell("s1", said.created("g1", { timeoutAt: START_MS + 30 * DAY_MS }));
    await rig.pass(30 * DAY_MS - 1, 6 * HOUR_MS);
    expect(lifecycle(rig, "s1/request/g1")).toBe("created");
    await rig.pass(1);
    expect(lifecycle(rig, "s1/request/g1")).toBe("timeout");
    expect(Math.max(...delays)).toBeLessThan(2 ** 31);
  });
});

describe("generations", () => {
  test("I-34: a firing of an older generation, or of a deadline that is over, is rejected and changes nothing", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    const address = `${home}/request/p1`;
    expect(rig.row(`alarm/${address}/hung`)).toMatchObject({ generation: 1, set: true });
    // Waiting cancels the deadline; going on sets the next one.
    await rig.tell("s1", said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.pass(2 * HOUR_MS);
    expect(await fire(rig, address, "hung", 1)).toMatchObject({ outcome: "rejected" });
    await rig.tell("s1", said.answered("a1", call("c1"), "approve"));
    expect(rig.row(`alarm/${address}/hung`)).toMatchObject({ generation: 2, set: true });
    const actors = rig.rows("actor/");
    expect(await fire(rig, address, "hung", 1)).toMatchObject({
      outcome: "rejected",
      reason: expect.stringMatching("stale") as string,
    });
    expect(await fire(rig, address, "hung", 3)).toMatchObject({ outcome: "rejected" });
    expect(rig.rows("actor/")).toEqual(actors);
    expect(rig.defects).toEqual([]);
  });

  test("I-34, G10, ALARMS-1: a firing before its time on the journal's clock is rejected, and the deadline stays", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await rig.pass(30 * MINUTE_MS);
    const reply = await fire(rig, `${home}/request/p1`, "hung", 1);
    expect(reply).toMatchObject({ outcome: "rejected", reason: expect.stringMatching("early") as string });
    expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
    await rig.pass(30 * MINUTE_MS);
    expect(lifecycle(rig, "s1/request/p1")).toBe("timeout");
  });

  test("G9, I-34: a deadline that a damaged session cannot take fires once per start, and holds up no other", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await rig.tell("s2", said.prompt("p2"));
    await rig.engine.stop();
    rig.disk.rows.set("actor/w/s1", "{");
    const next = await rig.restart();
    await next.pass(3 * HOUR_MS);
    expect(lifecycle(next, "s2/request/p2")).toBe("timeout");
    const firings = () =>
      next.saidOwn("timer.fired").filter(({ address }) => address === `${home}/request/p1`);
    expect(firings()).toHaveLength(1);
    await next.engine.stop();
    const last = await next.restart();
    await last.pass(3 * HOUR_MS);
    expect(firings()).toHaveLength(2);
  });
});

describe("approval deadlines", () => {
  test.each([
    ["deny", "denied", { denial: { cause: "expired", approvalId: "a1" } }],
    ["ask", "processing", { approval: { by: "deadline" } }],
  ] as const)(
    "G34: an unanswered approval expires at its deadline; its policy says %s",
    async (onDeadline, execution, context) => {
      const rig = await Rig.start();
      const deadlineAt = START_MS + 5 * MINUTE_MS;
      await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
      await rig.tell("s1", said.ask("a1", call("c1"), { deadlineAt, onDeadline }));
      await rig.pass(5 * MINUTE_MS - 1);
      expect(rig.state("s1/approval/a1")).toBe("pending");
      await rig.pass(1);
      expect(rig.state("s1/approval/a1")).toBe("expired");
      expect(rig.row("actor/w/s1/call/c1")).toMatchObject({
        value: { execution, approval: "expired" },
        context,
      });
      expect(lifecycle(rig, "s1/request/p1")).toEqual(running);
      expect(rig.row("audit/0000000000000001")).toMatchObject({ decision: "lapsed", by: "deadline" });
    },
  );

  test("I-14: an answer in time cancels the deadline; a later one is ignored", async () => {
    const rig = await Rig.start();
    const deadlineAt = START_MS + 5 * MINUTE_MS;
    const decide = (session: string) =>
      rig.engine.own(WORKSPACE, session as SessionId, {
        type: "decision",
        approvalId: `${session}-a` as ApprovalId,
        decision: "deny",
        by: "local:ada",
      });
    for (const session of ["s1", "s2"]) {
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")));
      await rig.tell(session, said.ask(`${session}-a`, call("c1"), { deadlineAt, onDeadline: "ask" }));
    }
    expect(await decide("s1")).toMatchObject({ answers: [{ result: "accepted" }] });
    await rig.pass(10 * MINUTE_MS);
    expect(rig.state("s1/approval/s1-a")).toBe("denied");
    expect(rig.state("s2/approval/s2-a")).toBe("expired");
    expect(await decide("s2")).toMatchObject({ answers: [{ result: "ignored", state: "expired" }] });
  });
});

describe("looking at the index", () => {
  test("TIMERS-1, I-34: begins at the first deadline there is; one that is written later and due sooner fires in time", async () => {
    const from: string[] = [];
    class Watched extends WrappedStore {
      override *range(range: Range): Iterable<readonly [key: string, value: string]> {
        if (range.gte.startsWith(keys.timers)) from.push(range.gte);
        yield* super.range(range);
      }
    }
    const rig = await Rig.start({ wrapStore: (store) => new Watched(store) });
    const firstRow = (): string => [...rig.rows(keys.timers).keys()][0] ?? "";
    const ask = async (id: string, inMs: number): Promise<void> => {
      const deadlineAt = rig.clock.now() + inMs;
      await rig.tell("s1", said.pre(call(`c-${id}`)), said.ask(id, call(`c-${id}`), { deadlineAt }));
    };
    await rig.tell("s1", said.prompt("p1"));
    for (let n = 0; n < 20; n += 1) await ask(`a${n}`, (n + 1) * 1_000);
    await rig.pass(15_000, 1_000);
    expect(rig.state("s1/approval/a14")).toBe("expired");
    expect(rig.state("s1/approval/a15")).toBe("pending");
    from.length = 0;
    await rig.tell("s1", said.post(call("c-a0")));
    const first = firstRow();
    expect(from.filter((gte) => gte < first)).toEqual([]);
    await ask("soon", 10);
    await rig.pass(10);
    expect(rig.state("s1/approval/soon")).toBe("expired");
    await rig.engine.stop();
  });
});
