// Mixed ids
// Calls that one source names and another does not, and calls that none names: which are one, and which pair is a guess.

import { describe, expect, test } from "vitest";
import type { Input } from "../../machines/index.ts";
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
