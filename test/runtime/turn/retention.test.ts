// Retention
// What is removed, when, and what is left of it; what stays however old it is.

import { describe, expect, test } from "vitest";
import type { ApprovalId } from "../../../machines/index.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import type { Ledger } from "../../../runtime/rows/ledger.ts";
import { countsIn } from "../../support/properties/counts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said, unnamed } from "../../support/sessions/said.ts";

/** Every key that names the session, except its log: changes and audit rows have their own time. */
const keysOf = (rig: Rig, session: string): readonly string[] =>
  [...rig.rows().keys()].filter((key) => key.includes(`w/${session}`) && !/^(change|audit)\//.test(key));

const withoutDigits = (keys: readonly string[]): readonly string[] =>
  keys.map((key) =>
    key.replace(/\d{16}/, "<at>").replace(/(seen\/w\/s1|book\/w\/s1\/seen)\/.*/, "$1/<digest>"),
  );

const id = (text: string): ApprovalId => text as ApprovalId;

/** Sessions that stay open however idle they are, because their requests are what is tested. */
const AWAKE = { configuration: { ...DEFAULT_CONFIGURATION, idleMs: 1_000 * DAY_MS } };

/**
 * A request with all that can belong to one: calls with and without ids, subagents (one has two names), approvals (one
 * under two ids, one denied before its call), an orphan, a batch.
 */
async function fullRequest(rig: Rig): Promise<void> {
  await rig.tell("s1", said.sessionStart());
  await rig.tell("s1", said.prompt("p1"));
  await rig.tell("s1", { type: "tool.announced", call: call("c1", "Agent"), messageId: "msg1" });
  await rig.tell("s1", said.pre(call("c1", "Agent")));
  await rig.tell("s1", said.agentLinked("sub", "c1"));
  await rig.tell("s1", said.agentPre("sub", call("c2")));
  await rig.tell("s1", said.pre(call("c4", "Agent")), { ...said.pre(call("c5")), parentToolUseId: "c4" });
  await rig.tell("s1", said.agentLinked("sub2", "c4"));
  await rig.tell("s1", said.pre(unnamed("Read", { path: "a" })), said.pre(unnamed("Read", { path: "a" })));
  await rig.tell("s1", said.ask("a1", call("c2")));
  await rig.tell("s1", {
    type: "approval.requested",
    approvalId: id("g1"),
    call: call("c2"),
    channel: "sdk",
  });
  await rig.tell("s1", said.answered("a1", call("c2"), "approve"));
  await rig.tell("s1", {
    type: "approval.requested",
    approvalId: id("a2"),
    call: call("c9"),
    channel: "sdk",
  });
  await rig.tell("s1", said.answered("a2", call("c9"), "deny"));
  await rig.tell("s1", {
    type: "approval.requested",
    call: unnamed("Bash", { command: "x" }),
    channel: "hook",
  });
  await rig.tell("s1", said.post(call("c3")));
  await rig.pass(2 * MINUTE_MS, MINUTE_MS);
  await rig.tell("s1", said.agentStop("sub"), said.agentStop("sub2"));
  await rig.tell("s1", said.post(call("c1", "Agent")), said.stop());
}

describe("a closed request", () => {
  test("S1.51, C4: what its batch remembers of calls in doubt goes with it, however many they are", async () => {
    const rig = await Rig.start(AWAKE);
    const calls = Array.from({ length: 40 }, (_, n) => call(`c${n}`));
    await rig.tell("s1", said.prompt("p1"), { type: "tool.batch", calls });
    expect(keysOf(rig, "s1").filter((key) => key.includes("doubted")).length).toBeGreaterThan(1);
    await rig.tell("s1", said.stop());
    for (let hours = 0; hours < 26; hours++) await rig.pass(HOUR_MS, HOUR_MS);
    expect(rig.state("s1/call/c39")).toBeUndefined();
    expect(keysOf(rig, "s1").filter((key) => key.includes("doubted"))).toEqual([]);
  });

  test("S1.26, S1.51, G33: it is removed 24 hours after its last change, with its calls, approvals and all their rows", async () => {
    const rig = await Rig.start(AWAKE);
    await fullRequest(rig);
    const closedAt = rig.clock.now();
    expect(rig.state("s1/request/p1")).toMatchObject({ lifecycle: "completed" });
    expect(keysOf(rig, "s1").filter((key) => /^actor\/.*\/(call|approval|request)\//.test(key)).length).toBe(
      11,
    );
    const counted = (): object => countsIn(rig.rows()).counted;
    const questions = { "approval/approved": 1, "approval/denied": 1 };
    expect(counted()).toMatchObject({ "session/idle": 1, "request/completed": 1, ...questions });
    await rig.pass(DAY_MS - 1);
    expect(rig.state("s1/request/p1")).toBeDefined();
    await rig.pass(1);
    expect(rig.state("s1/request/p1")).toBeUndefined();
    expect(counted()).toEqual({ "session/idle": 1 });
    const tombs = ["p1", "c1", "c2", "c3", "c4", "c5", "a1", "g1", "a2"];
    const left = withoutDigits(keysOf(rig, "s1")).filter((key) => !/\/(gone|s1)\/[ac]_/.test(key));
    expect([...new Set(left)].sort()).toEqual(
      [
        // The session itself, which is open, with its head; its lists.
        "actor/w/s1",
        "list/session/all/<at>/w/s1",
        "list/session/both/w/idle/<at>/w/s1",
        "list/session/state/idle/<at>/w/s1",
        "list/session/workspace/w/<at>/w/s1",
        // How often an input without an id was seen: an id is never used twice.
        "book/w/s1/seen/<digest>",
        // Tombstones, for 7 days: a message that repeats these ids is late.
        ...tombs.map((id) => `book/w/s1/gone/${id}`),
        "tomb/<at>/w/s1/p1",
        // What rules see of its approvals, for trials: 90 days.
        "past/<at>/w/s1/a1",
        "past/<at>/w/s1/a2",
        // Ids of inputs, kept as long as the session; a deadline's last generation.
        "seen/w/s1/<digest>",
        "alarm/w/s1/orphans",
        // Its own deadline.
        "alarm/w/s1/idle",
        "timer/<at>/w/s1/idle",
      ].sort(),
    );
    expect(rig.row("tomb/" + String(closedAt + DAY_MS).padStart(16, "0") + "/w/s1/p1")).toMatchObject({
      at: closedAt + DAY_MS,
    });
    expect(rig.row("actor/w/s1")).toMatchObject({
      book: { keptRequests: 0, openCalls: 0, openRequests: 0 },
    });
    const before = rig.rows("actor/");
    expect(await rig.tell("s1", said.pre(call("c1", "Agent")))).toMatchObject({
      outcome: "rejected",
      reason: expect.stringMatching("late") as string,
    });
    expect(rig.rows("actor/")).toEqual(before);
    await rig.pass(7 * DAY_MS + HOUR_MS);
    expect(keysOf(rig, "s1").filter((key) => /gone|tomb/.test(key))).toEqual([]);
    // The log of changes is kept its own 7 days, and no row of another kind points to removed things.
    expect([...rig.rows("owner/").keys()]).toEqual(["owner/session/s1/w"]);
    expect([...rig.rows("timer/").keys()]).toEqual([expect.stringMatching("/w/s1/idle$")]);
  });

  test("S1.51: late evidence is a change: it postpones the removal to 24 hours from then, with one firing, not many", async () => {
    const rig = await Rig.start(AWAKE);
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")));
    await rig.tell("s1", said.stop());
    await rig.pass(10 * HOUR_MS);
    await rig.tell("s1", said.post(call("c1")));
    await rig.pass(DAY_MS - MINUTE_MS);
    expect(rig.state("s1/request/p1")).toBeDefined();
    expect(rig.saidOwn("timer.fired").length).toBeLessThanOrEqual(2);
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(rig.state("s1/request/p1")).toBeUndefined();
    expect(rig.saidOwn("timer.fired").length).toBeLessThanOrEqual(3);
  });

  test("S1.51: a pending approval, and the request that waits for it, are never removed by age", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.pass(60 * DAY_MS, DAY_MS);
    expect(rig.state("s1/request/p1")).toMatchObject({ lifecycle: { processing: "waiting" } });
    expect(rig.state("s1/approval/a1")).toBe("pending");
    expect(rig.state("s1")).toBe("waiting_input");
  });

  test("R1, R3: what still comes for a removed request opens a request of its own, which is removed in its turn", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.pass(12 * HOUR_MS);
    // Work under the same prompt: a continuation, which outlives the first.
    await rig.tell("s1", { ...said.pre(call("c2")), promptId: "p1" }, said.stop());
    expect(rig.state("s1/request/p1_2")).toMatchObject({ lifecycle: "completed" });
    await rig.pass(13 * HOUR_MS);
    expect([rig.state("s1/request/p1"), rig.state("s1/request/p1_2")]).toEqual([
      undefined,
      expect.anything(),
    ]);
    await rig.tell("s1", { ...said.pre(call("c3")), promptId: "p1" }, said.stop());
    expect(rig.state("s1/request/p1_3")).toMatchObject({ lifecycle: "completed" });
    expect(rig.row("book/w/s1/request/p1")).toBeUndefined();
    await rig.pass(25 * HOUR_MS);
    expect([...rig.rows("actor/w/s1/").keys()]).toEqual([]);
    for (const promptId of ["p1", undefined]) {
      expect(
        await rig.tell("s1", { ...said.pre(call("c4")), ...(promptId !== undefined && { promptId }) }),
      ).toMatchObject({
        outcome: "applied",
      });
      const [request = "", ...others] = [...rig.rows("actor/w/s1/request/").keys()];
      expect(others).toEqual([]);
      // While its id is remembered, it is not used again.
      if (promptId === "p1") expect(request).toContain("/r_");
      expect(rig.row("actor/w/s1/call/c4")).toMatchObject({
        context: { requestId: request.split("/").at(-1) },
      });
      await rig.tell("s1", said.post(call("c4")));
      await rig.pass(27 * HOUR_MS);
      expect([...rig.rows("actor/w/s1/").keys()]).toEqual([]);
      await rig.pass(8 * DAY_MS, HOUR_MS);
    }
    expect(rig.defects).toEqual([]);
  });

  test("R3: in a session without prompts, too, a call after the last request was removed gets a request of its own", async () => {
    const rig = await Rig.start();
    await rig.tell(
      "s1",
      said.created("g1"),
      said.processing("g1"),
      said.pre(call("c1")),
      said.post(call("c1")),
    );
    await rig.tell("s1", said.completed("g1"));
    await rig.pass(25 * HOUR_MS);
    expect([...rig.rows("actor/w/s1/").keys()]).toEqual([]);
    expect(await rig.tell("s1", said.pre(call("c2")))).toMatchObject({ outcome: "applied" });
    const [request = "", ...others] = [...rig.rows("actor/w/s1/request/").keys()];
    expect([request.includes("/r_"), others]).toEqual([true, []]);
    expect(rig.row("actor/w/s1/call/c2")).toMatchObject({
      context: { requestId: request.split("/").at(-1) },
    });
  });

  test("S1.51: a request is removed alone: the others of its session, and their calls and batches, stay as they are", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.post(call("c1")), said.stop());
    await rig.pass(12 * HOUR_MS);
    await rig.tell("s1", said.prompt("p2"), said.pre(call("c2")));
    await rig.tell("s1", said.ask("a2", call("c2")));
    const second = () => [...rig.rows()].filter(([key]) => /\/(p2|c2|a2|b2)$/.test(key));
    const before = second();
    expect(before.length).toBeGreaterThan(15);
    await rig.pass(13 * HOUR_MS);
    expect(rig.state("s1/request/p1")).toBeUndefined();
    expect(second()).toEqual(before);
    await rig.tell("s1", said.answered("a2", call("c2"), "approve"), said.post(call("c2")), said.stop());
    expect(rig.state("s1/request/p2")).toMatchObject({ lifecycle: "completed" });
  });
});

describe("an ended session", () => {
  const ended = async (): Promise<Rig> => {
    const rig = await Rig.start();
    await fullRequest(rig);
    await rig.tell("s1", said.sessionEnd());
    return rig;
  };

  test("G33, LEDGER-1: empty and ended for 24 hours, it is removed; its last version stays, and counting goes on from there", async () => {
    const rig = await ended();
    await rig.tell("s2", said.prompt("p2"));
    const other = keysOf(rig, "s2").length;
    await rig.pass(2 * DAY_MS + HOUR_MS);
    const { version } = (rig.row("ledger/w/s1") as Ledger).changes ?? { version: 0 };
    expect(version).toBe(rig.changes.filter(({ sessionId }) => sessionId === "s1").length);
    expect(rig.state("s1")).toBeUndefined();
    const left = new Set(
      withoutDigits(keysOf(rig, "s1")).map((key) => key.replace(/(gone|^past\/<at>\/w\/s1)\/.*/, "$1/<id>")),
    );
    expect([...left].sort()).toEqual([
      "book/w/s1/gone/<id>",
      "ledger/w/s1",
      "past/<at>/w/s1/<id>",
      "seen/w/s1/<digest>",
      "tomb/<at>/w/s1/p1",
      "tomb/<at>/w/s1/session",
    ]);
    await rig.pass(8 * DAY_MS, HOUR_MS);
    const later = keysOf(rig, "s1").filter((key) => !key.startsWith("past/"));
    expect(later).toEqual([expect.stringMatching(/^last\//), "ledger/w/s1"]);
    expect(keysOf(rig, "s2").length).not.toBe(0);
    expect(other).toBeGreaterThan(0);
    await rig.tell("s1", said.prompt("p9"));
    const back = rig.changes.filter(({ sessionId }) => sessionId === "s1").slice(version);
    expect(back.map((change) => change.version)).toEqual(back.map((_, index) => version + 1 + index));
  });

  test("G33: one that was started again is not ended: it stays, empty or not", async () => {
    const rig = await ended();
    await rig.pass(HOUR_MS);
    await rig.tell("s1", { type: "session.started", reason: "resume" });
    for (let day = 0; day < 5; day += 1) {
      await rig.pass(23 * HOUR_MS, HOUR_MS);
      await rig.tell("s1", { type: "session.noted", title: `day ${day}` });
    }
    expect(rig.state("s1")).toBe("idle");
    expect(rig.row("actor/w/s1")).toMatchObject({ book: { keptRequests: 0 } });
    await rig.tell("s1", said.sessionEnd());
    await rig.pass(DAY_MS - 1, HOUR_MS);
    expect(rig.state("s1")).toBe("ended");
    await rig.pass(1);
    expect(rig.state("s1")).toBeUndefined();
  });

  test("S1.26: a session that never had a request is removed too", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.sessionStart(), said.sessionEnd());
    await rig.pass(DAY_MS, HOUR_MS);
    expect(rig.state("s1")).toBeUndefined();
    expect(rig.clock.now()).toBe(START_MS + DAY_MS);
  });
});
