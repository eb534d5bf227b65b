// History
// What a transcript tells of late: its messages stand apart from the calls in hand.

import { describe, expect, test } from "vitest";
import type { Input } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const ref = (id: string) => ({ toolUseId: id, tool: "Bash", input: toolInput({ command: id }) });
const prompt = (promptId: string): Input => ({ type: "prompt.submitted", promptId, text: "go" });
const pre = (id: string): Input => ({ type: "tool.started", call: ref(id), promptId: "p1" });
const announced = (id: string, messageId: string): Input => ({
  type: "tool.announced",
  call: ref(id),
  messageId,
});
const post = (id: string): Input => ({ type: "tool.finished", call: ref(id), output: "done" });
const rule = (id: string): Input => ({ type: "tool.denied", call: ref(id), verdict: "rule" });

/** Hears hooks as they come, and lines of the transcript where they are marked. */
function heard(...inputs: readonly (Input | readonly [Input])[]): SessionRun {
  const run = new SessionRun({ policy: { cascade: "strict" } });
  for (const each of inputs) {
    const isLine = Array.isArray(each);
    const input = (isLine ? each[0] : each) as Input;
    const { rejection } = run.hear(input, isLine ? "claude-code.transcript" : "claude-code.hook");
    expect(rejection).toBeUndefined();
  }
  return run;
}

const places = (run: SessionRun) =>
  Object.fromEntries(run.calls.map(({ id, context: { batchId, index } }) => [id, `${batchId}.${index}`]));

describe("a message that a transcript tells of late", () => {
  test("B1: is a batch of its own, where it is of the prompt in hand", () => {
    const early = [[prompt("p1")], [announced("h", "m0")], [post("h")]] as const;
    const run = heard(pre("a"), ...early, [announced("a", "m1")], pre("b"), [announced("b", "m1")]);
    expect(places(run)).toEqual({ a: "b1.0", h: "b2.0", b: "b1.1" });
    expect(run.ends).toEqual(["a processing", "h completed", "b processing"]);
  });

  test("B1, I-10: of another prompt leaves the batch in hand open: a denial there takes its later calls along", () => {
    const early = [[prompt("p0")], [announced("h", "m0")], [announced("i", "m0")], [post("h")]] as const;
    const run = heard(prompt("p1"), pre("a"), ...early, pre("b"), rule("a"));
    expect(places(run)).toEqual({ a: "b1.0", h: "b2.0", i: "b2.1", b: "b1.1" });
    expect(run.ends).toEqual(["a denied hook", "h completed", "i queued", "b denied cascade"]);
  });

  test("B1: is no other than the one in hand, where it names a call of that one first", () => {
    const lines = [[announced("a", "m1")], [announced("b", "m1")]] as const;
    const run = heard(prompt("p1"), pre("a"), [prompt("p1")], ...lines, pre("b"), pre("c"));
    expect(places(run)).toEqual({ a: "b1.0", b: "b1.1", c: "b1.2" });
  });

  test("B1: a session that only its transcript tells of has a batch for each message", () => {
    const lines = [
      [announced("a", "m1")],
      [announced("b", "m1")],
      [post("a")],
      [announced("c", "m2")],
    ] as const;
    expect(places(heard([prompt("p1")], ...lines))).toEqual({ a: "b1.0", b: "b1.1", c: "b2.0" });
  });
});
