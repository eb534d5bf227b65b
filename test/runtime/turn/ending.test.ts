// Ending
// What never says that it is over still ends: idle sessions, requests that never began, deferred calls.

import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const lifecycle = (rig: Rig, address: string): unknown =>
  (rig.state(address) as { lifecycle: unknown } | undefined)?.lifecycle;
const ends = (rig: Rig, session: string) =>
  rig.changes
    .filter(({ entity, to, sessionId }) => entity === "session" && to === "ended" && sessionId === session)
    .map(({ at, cause }) => [at, cause]);
const firings = (rig: Rig, timer: string): number =>
  rig.saidOwn("timer.fired").filter((fired) => fired["timer"] === timer).length;

describe("an idle session", () => {
  test("G15, I-48: ends after a day without any message, says why, and is removed a day later", async () => {
    const rig = await Rig.start();
    await rig.tell("crashed", said.sessionStart());
    await rig.tell("worked", said.prompt("p1"), said.pre(call("c1")), said.post(call("c1")), said.stop());
    await rig.tell("r_g1", said.created("g1"), said.processing("g1"), said.completed("g1"));
    await rig.pass(DAY_MS - 1, HOUR_MS);
    expect(["crashed", "worked", "r_g1"].map((session) => rig.state(session))).toEqual([
      "idle",
      "idle",
      "idle",
    ]);
    await rig.pass(1);
    for (const session of ["crashed", "worked", "r_g1"]) {
      expect(rig.state(session)).toBe("ended");
      expect(ends(rig, session)).toEqual([[START_MS + DAY_MS, "idle"]]);
      expect(rig.row(`actor/w/${session}`)).toMatchObject({
        context: { endReason: "idle", endedAt: START_MS + DAY_MS },
      });
    }
    await rig.pass(DAY_MS, HOUR_MS);
    expect([...rig.rows("actor/").keys()]).toEqual([]);
    expect([...rig.rows("timer/").keys()]).toEqual([]);
  });

  test("G15, I-48: any input postpones the end and sets no deadline of its own; a deadline that was reached does not count as input", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.stop());
    for (let n = 0; n < 20; n += 1) {
      await rig.pass(5 * HOUR_MS, HOUR_MS);
      await rig.tell("s1", n % 2 === 0 ? { type: "unknown", name: "Notification" } : said.sessionStart());
    }
    const last = rig.clock.now();
    await rig.pass(DAY_MS - 1, HOUR_MS);
    expect(rig.state("s1")).toBe("idle");
    await rig.pass(1);
    expect(ends(rig, "s1")).toEqual([[last + DAY_MS, "idle"]]);
    // Once a day or so, not once per input.
    expect(firings(rig, "idle")).toBe(6);
  });

  test("G15, I-48: with a pending approval or an open request it does not end by being idle; its day begins when those end", async () => {
    const rig = await Rig.start();
    await rig.tell("asks", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.tell("runs", said.prompt("p2"), said.pre(call("c2")));
    await rig.pass(30 * DAY_MS, HOUR_MS);
    expect(rig.state("asks")).toBe("waiting_input");
    expect([...rig.rows("timer/").keys()]).toEqual([]);
    // The request was hung after an hour; the session ended a day after it was last heard of.
    expect(ends(rig, "runs")).toEqual([[START_MS + DAY_MS, "idle"]]);
    await rig.tell("asks", said.answered("a1", call("c1"), "approve"), said.post(call("c1")), said.stop());
    const last = rig.clock.now();
    await rig.pass(2 * DAY_MS - 1, HOUR_MS);
    expect(ends(rig, "asks")).toEqual([[last + DAY_MS, "idle"]]);
  });

  test("G15: what is still running in it is given up when it ends", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1", "Agent")), said.agentLinked("sub", "c1"));
    await rig.tell("s1", said.agentPre("sub", call("c2")), said.post(call("c1", "Agent")), said.stop());
    expect(rig.state("s1/call/c2")).toMatchObject({ execution: "processing" });
    await rig.pass(DAY_MS, HOUR_MS);
    expect(rig.state("s1")).toBe("ended");
    expect(rig.row("actor/w/s1")).toMatchObject({ book: { openCalls: 0, openRequests: 0 } });
    expect(rig.changes.filter(({ id }) => id === "c2").at(-1)).toMatchObject({
      to: "missing-post",
      cause: { cause: "lost", evidence: "time-limit" },
    });
  });

  test("G15: one that speaks again begins again, and its idle time is watched again", async () => {
    const rig = await Rig.start();
    const words = {
      started: said.sessionStart(),
      prompted: said.prompt("p9"),
      called: said.pre(call("c9")),
      asked: said.ask("a9", call("c8")),
    };
    for (const session of Object.keys(words))
      await rig.tell(session, said.prompt(`${session}-p`), said.stop());
    await rig.pass(DAY_MS + HOUR_MS, HOUR_MS);
    for (const [session, word] of Object.entries(words)) {
      expect(rig.state(session)).toBe("ended");
      await rig.tell(session, word);
    }
    expect(Object.keys(words).map((session) => rig.state(session))).toEqual([
      "idle",
      "running",
      "running",
      "waiting_input",
    ]);
    await rig.tell("prompted", said.stop());
    expect(rig.state("prompted")).toBe("idle");
    await rig.pass(DAY_MS, HOUR_MS);
    for (const session of ["started", "prompted", "called"]) expect(ends(rig, session)).toHaveLength(2);
    // A deadline is not a message: an ended session stays as it is.
    await rig.tell("started", { type: "unknown", name: "Notification" });
    expect(rig.state("started")).toBe("ended");
  });

  test("G15: each end gives its own reason; a session that began again does not keep the reason of its earlier end", async () => {
    const rig = await Rig.start();
    const reasons = () =>
      rig.changes.filter(({ id, to }) => id === "s1" && to === "ended").map(({ cause }) => cause);
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.pass(DAY_MS, HOUR_MS);
    expect(reasons()).toEqual(["idle"]);
    await rig.tell("s1", said.prompt("p2"), said.stop());
    await rig.tell("s1", said.sessionEnd());
    expect(reasons()).toEqual(["idle", undefined]);
    await rig.tell("s1", said.prompt("p3"), said.stop(), { type: "session.ended", reason: "logout" });
    expect(reasons()).toEqual(["idle", undefined, "logout"]);
  });

  test("G15, G10: the idle time is a setting, the end an input: replaying the journal gives the same bytes", async () => {
    const configuration = { ...DEFAULT_CONFIGURATION, idleMs: 10 * MINUTE_MS, keepMs: 30 * MINUTE_MS };
    const rig = await Rig.start({ configuration });
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.pass(10 * MINUTE_MS, MINUTE_MS);
    expect(rig.state("s1")).toBe("ended");
    await rig.pass(2 * HOUR_MS, MINUTE_MS);
    expect(rig.state("s1")).toBeUndefined();
    await rig.engine.stop();
    const copy = new Rig({ configuration, manual: rig.clock });
    copy.disk.entries = [...rig.disk.entries];
    await copy.engine.start();
    await copy.engine.stop();
    expect(copy.rows()).toEqual(rig.rows());
  });
});

describe("a request that never begins", () => {
  test("G25, R2, S1.20: created or queued, it times out a day after the last message about it; then it is removed, and so is its session", async () => {
    const rig = await Rig.start();
    await rig.tell("r_g1", said.created("g1"));
    await rig.tell("r_g2", said.created("g2"));
    await rig.tell("r_g3", said.created("g3"), said.sessionEnd());
    await rig.pass(10 * HOUR_MS, HOUR_MS);
    await rig.tell("r_g2", said.queued("g2"));
    await rig.pass(14 * HOUR_MS - 1, HOUR_MS);
    expect(["g1", "g2", "g3"].map((id) => lifecycle(rig, `r_${id}/request/${id}`))).toEqual([
      "created",
      "queued",
      "created",
    ]);
    await rig.pass(1);
    expect(["g1", "g3"].map((id) => rig.row(`actor/w/r_${id}/request/${id}`))).toMatchObject(
      ["g1", "g3"].map(() => ({
        value: { lifecycle: "timeout" },
        context: { timedOut: true, previousState: "created", completedAt: START_MS + DAY_MS },
      })),
    );
    expect(lifecycle(rig, "r_g2/request/g2")).toBe("queued");
    await rig.pass(10 * HOUR_MS, HOUR_MS);
    expect(lifecycle(rig, "r_g2/request/g2")).toBe("timeout");
    await rig.pass(3 * DAY_MS, HOUR_MS);
    expect([...rig.rows("actor/").keys(), ...rig.rows("timer/").keys()]).toEqual([]);
    // No deadline was set repeatedly.
    expect(rig.saidOwn("timer.fired").length).toBeLessThanOrEqual(16);
  });

  test("G25: a request that began in time gets the usual time; one with its own limit keeps that", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.created("g1"));
    await rig.tell("s2", said.created("g2", { timeoutAt: START_MS + 3 * DAY_MS }));
    await rig.tell("s3", said.created("g3"));
    await rig.pass(23 * HOUR_MS, HOUR_MS);
    await rig.tell("s1", said.processing("g1"));
    await rig.tell("s3", said.prompt("p3"));
    await rig.pass(HOUR_MS - 1, HOUR_MS);
    expect(lifecycle(rig, "s1/request/g1")).toEqual({ processing: "running" });
    expect(lifecycle(rig, "s3/request/g3")).toEqual({ processing: "running" });
    await rig.pass(1);
    expect(rig.row("actor/w/s1/request/g1")).toMatchObject({
      value: { lifecycle: "timeout" },
      context: { previousState: "processing", runningForMs: HOUR_MS },
    });
    await rig.pass(2 * DAY_MS - 1, HOUR_MS);
    expect(lifecycle(rig, "s2/request/g2")).toBe("created");
    await rig.pass(1);
    expect(lifecycle(rig, "s2/request/g2")).toBe("timeout");
  });

  test("G25: the time is a setting; it counts from the last message, over a restart of the engine too", async () => {
    const rig = await Rig.start({ configuration: { ...DEFAULT_CONFIGURATION, unbegunMs: 5 * MINUTE_MS } });
    await rig.tell("s1", said.created("g1"));
    await rig.pass(4 * MINUTE_MS, MINUTE_MS);
    await rig.engine.stop();
    rig.clock.advance(2 * MINUTE_MS);
    const next = await rig.restart();
    await next.quiet();
    expect(lifecycle(next, "s1/request/g1")).toBe("timeout");
  });
});

describe("a call that was put off", () => {
  test("C2: is waited for a week; then its request goes on without it, and ends", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), {
      type: "tool.deferred",
      call: call("c1"),
    });
    await rig.tell("s2", said.prompt("p2"), said.pre(call("c2")), {
      type: "tool.deferred",
      call: call("c2"),
    });
    await rig.pass(6 * DAY_MS, HOUR_MS);
    expect(lifecycle(rig, "s1/request/p1")).toEqual({ processing: "waiting" });
    await rig.tell("s2", said.pre(call("c2")), said.post(call("c2")), said.stop());
    expect(rig.state("s2/call/c2")).toMatchObject({ execution: "completed" });
    await rig.pass(DAY_MS, HOUR_MS);
    expect(rig.row("actor/w/s1/call/c1")).toMatchObject({
      value: { execution: "missing-post" },
      context: { missing: { cause: "deferred", evidence: "time-limit" } },
    });
    expect(lifecycle(rig, "s1/request/p1")).toEqual({ processing: "running" });
    await rig.pass(HOUR_MS, MINUTE_MS);
    expect(lifecycle(rig, "s1/request/p1")).toBe("timeout");
    await rig.pass(4 * DAY_MS, HOUR_MS);
    expect([...rig.rows("actor/").keys(), ...rig.rows("timer/").keys()]).toEqual([]);
  });
});
