// Mixed ids
// Calls that one source names and another does not, and calls that none names: which are one, and which pair is a guess.

import { describe, expect, test } from "vitest";
import { alarmOf, type ApprovalId, type Input } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { memoryEngine } from "../support/engine/memory-engine.ts";
import { prove } from "../support/oracle/oracle.ts";
import { messages, play, playedCalls } from "../support/sessions/play.ts";
import { allRecordings } from "../support/sessions/recording.ts";
import { SessionRun } from "../support/sessions/session-run.ts";
import { stripIds } from "../support/sessions/strip-ids.ts";

const HOOK = "test.hook";
const FILE = "test.transcript";
const ref = (command = "ls", toolUseId?: string) => ({
  tool: "Bash",
  input: toolInput({ command }),
  ...(toolUseId !== undefined && { toolUseId }),
});
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const pre: Input = { type: "tool.started", call: ref() };
const post = (output: string): Input => ({ type: "tool.finished", call: ref(), output });
const announced = (id?: string): Input => ({ type: "tool.announced", call: ref("ls", id) });
const result = (id: string): Input => ({
  type: "tool.finished",
  call: { toolUseId: id },
  output: `text of ${id}`,
});

function told(...given: readonly (readonly [Input, string])[]) {
  const run = new SessionRun();
  run.hear(prompt, HOOK);
  run.hear(prompt, FILE);
  for (const [input, channel] of given) expect(run.hear(input, channel).rejection).toBeUndefined();
  // What waits for a call becomes one.
  run.at += run.policy.orphanMs;
  run.hear({ type: "timer.fired", address: run.home, timer: "orphans", generation: 1 });
  return run;
}

const matches = (run: SessionRun) =>
  run.calls.map(({ context: { match } }) => [match.how, match.ambiguous, match.candidates]);

describe("hooks without ids beside a transcript with ids", () => {
  const hooks = [pre, post("{}")].map((input) => [input, HOOK] as const);
  const file = [announced("a"), result("a")].map((input) => [input, FILE] as const);

  test("I-18, I-24: make one call of one, however the two interleave", () => {
    const [h1, h2] = hooks;
    const [f1, f2] = file;
    if (!h1 || !h2 || !f1 || !f2) throw new Error("each source tells twice");
    for (const order of [
      [h1, h2, f1, f2],
      [h1, f1, h2, f2],
      [h1, f1, f2, h2],
      [f1, h1, h2, f2],
      [f1, h1, f2, h2],
      [f1, f2, h1, h2],
    ]) {
      const run = told(...order);
      const heard = order.map(([{ type }, channel]) => `${channel} ${type}`).join(" > ");
      expect([heard, run.calls.map(({ state }) => state)]).toEqual([heard, ["completed"]]);
      expect(run.calls[0]?.context.toolUseId).toBe("a");
    }
  });

  test("I-18: two alike stay two, and say that they are guesses", () => {
    const two = [announced("a"), result("a"), announced("b"), result("b")].map(
      (each) => [each, FILE] as const,
    );
    for (const order of [
      [...hooks, ...hooks, ...two],
      [...two, ...hooks, ...hooks],
    ]) {
      const run = told(...order);
      expect(run.calls.map(({ state }) => state)).toEqual(["completed", "completed"]);
      expect(run.calls.map(({ context }) => context.toolUseId).sort()).toEqual(["a", "b"]);
    }
    expect(matches(told(...hooks, ...hooks, ...two))).toEqual([
      ["input", true, 2],
      ["input", true, 2],
    ]);
  });

  test("I-18: a result that ends another way, or comes again, is another call's", () => {
    const failure: Input = { type: "tool.failed", call: ref(), error: "no" };
    expect(told(...file, [failure, HOOK]).calls).toHaveLength(2);
    expect(told(...file, [post("{}"), HOOK], [post("{ }"), HOOK]).calls).toHaveLength(2);
  });

  test("I-18: no recorded call is told twice by a transcript and then by hooks without ids", async () => {
    for (const recording of allRecordings()) {
      // A rewritten input, and a history that was copied, look like other calls.
      if (/updated-input|defer|fork/.test(recording.name)) continue;
      const { engine, clock } = await memoryEngine();
      await play(engine, clock, [
        ...messages(recording, ["transcript"]),
        ...messages(stripIds(recording), ["hooks"]),
      ]);
      expect([recording.name, playedCalls(engine).length]).toEqual([
        recording.name,
        prove(recording, "all").length,
      ]);
      await engine.stop();
    }
  });
});

describe("calls that no source names", () => {
  test("I-18: a call that is announced without an id says that it is found by what it says", () => {
    expect(matches(told([announced(), FILE], [post("x"), HOOK]))).toEqual([["input", false, 1]]);
  });

  test("I-18: results that came before their calls are guesses where more than one waited", () => {
    const late = [post("1"), post("2"), pre, pre].map((input) => [input, HOOK] as const);
    expect(matches(told(...late))).toEqual([
      ["input", true, 2],
      ["input", true, 2],
    ]);
  });

  test("I-18: a named call says where a result without an id was found to be its own", () => {
    expect(matches(told([announced("a"), FILE], [post("x"), HOOK]))).toEqual([["input", false, 1]]);
    expect(matches(told([announced("a"), FILE], [result("a"), FILE]))).toEqual([["id", false, 1]]);
  });
});

describe("a call that is made again under no id", () => {
  const failed = (id: string): Input => ({
    type: "tool.failed",
    call: { toolUseId: id },
    error: "not read yet",
  });
  const refused = (id: string): Input => ({
    type: "tool.denied",
    call: { toolUseId: id },
    verdict: "rejected",
    beforeRun: true,
  });
  const asked: Input = {
    type: "approval.requested",
    call: ref(),
    channel: "gate",
    approvalId: "q1" as ApprovalId,
    onDeadline: "deny",
  };
  const yes: Input = {
    type: "decision",
    approvalId: "q1" as ApprovalId,
    decision: "approve",
    by: "local:ann",
    inputHash: ref().input.hash,
  };
  const ran: Input = { type: "tool.finished", call: ref(), output: "{}", gated: "all" };
  const seen = (run: SessionRun) =>
    run.calls.map(({ id, state, approval, context }) => [
      state,
      approval,
      alarmOf({ execution: state, approval, context })?.kind,
      id.length > 2 ? context.toolUseId : id,
    ]);
  const again = [
    [pre, asked],
    [asked, pre],
  ].map(([one, other]) => [one, other, yes, ran] as readonly Input[]);
  const onHook = (inputs: readonly Input[]) => inputs.map((each) => [each, HOOK] as const);
  const onFile = (inputs: readonly Input[]) => inputs.map((each) => [each, FILE] as const);

  test("I-24, ALARM-1: a retry of a call that failed is a call of its own, and its question is open until it is answered", () => {
    for (const retry of again) {
      const run = told(
        ...onFile([announced("a"), failed("a")]),
        ...onHook(retry),
        ...onFile([announced("b"), result("b")]),
      );
      expect(seen(run)).toEqual([
        ["failed", "none", undefined, "a"],
        ["completed", "approved", undefined, "b"],
      ]);
      expect(run.approvals.map(({ state }) => state)).toEqual(["approved"]);
    }
  });

  test("I-24, ALARM-1: so is a retry of a call that was refused before it began", () => {
    const x: Input = { type: "tool.announced", call: ref("pwd", "x") };
    const list: Input = { type: "tool.batch", calls: [ref("pwd", "x"), ref("ls", "a")] };
    for (const retry of again) {
      const run = told(
        ...onFile([x, announced("a"), refused("x"), refused("a"), list]),
        ...onHook(retry),
        ...onFile([announced("b"), result("b")]),
      );
      expect(seen(run)).toEqual([
        ["denied", "none", undefined, "x"],
        ["denied", "none", undefined, "a"],
        ["completed", "approved", undefined, "b"],
      ]);
    }
  });

  test("I-24, ALARM-1: so is one of a call that ran, where a question about it waits or follows", () => {
    for (const retry of again) {
      const run = told(...onFile([announced("a"), result("a")]), ...onHook(retry));
      expect(run.approvals.map(({ state }) => state)).toEqual(["approved"]);
      expect(seen(run).map(([state, approval, alarm]) => [state, approval, alarm])).toEqual([
        ["completed", "none", undefined],
        ["completed", "approved", undefined],
      ]);
    }
  });

  test("I-18, ALARM-1: a run that no gate was seen to ask about is not hidden behind one that was asked about", () => {
    const run = told([announced("a"), FILE], ...onHook([asked, yes]), [result("a"), FILE], [ran, HOOK]);
    expect(seen(run).map(([state, approval, alarm]) => [state, approval, alarm])).toEqual([
      ["completed", "approved", undefined],
      ["completed", "none", "gateFailedOpen"],
    ]);
    const begun = told(
      [announced("a"), FILE],
      ...onHook([pre, asked, yes]),
      [result("a"), FILE],
      [ran, HOOK],
    );
    expect(seen(begun)).toEqual([["completed", "approved", undefined, "a"]]);
  });

  test("I-18: so is one that begins after the client went on to another message", () => {
    const b: Input = { type: "tool.announced", call: ref("pwd", "b"), messageId: "m2" };
    const a: Input = { type: "tool.announced", call: ref("ls", "a"), messageId: "m1" };
    expect(told(...onFile([a, result("a"), b]), [pre, HOOK]).calls).toHaveLength(3);
  });
});
