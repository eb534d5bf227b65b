// Falls
// What an answer that interrupts makes of the other calls: what it can know of each, and what takes that back.

import { describe, expect, test } from "vitest";
import type { Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const ref = (id: string) => ({ toolUseId: id, tool: "Bash", input: toolInput({ command: id }) });
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const announced = (id: string): Input => ({ type: "tool.announced", call: ref(id), messageId: "m1" });
const pre = (id: string): Input => ({ type: "tool.started", call: ref(id) });
const post = (id: string): Input => ({ type: "tool.finished", call: ref(id), output: `of ${id}` });
const failure = (id: string): Input => ({ type: "tool.failed", call: ref(id), error: "Exit code 1" });
const ask = (id: string): Input => ({ type: "approval.requested", call: ref(id), channel: "hook" });
const no = (id: string): Input => ({
  type: "approval.answered",
  call: ref(id),
  decision: "deny",
  by: "hook",
  interrupt: true,
});

const interrupting = () => new SessionRun({ policy: { cascade: "interrupt" } });
const strict = () => new SessionRun({ policy: { cascade: "strict" } });
const endOf = (run: SessionRun, id: string) => run.ends.find((end) => end.startsWith(`${id} `));

describe("an answer that interrupts", () => {
  test("I-11, G16: a call that is seen later and was denied itself is denied, not only over", () => {
    const nameless = (command: string) => ({ tool: "Bash", input: toolInput({ command }) });
    const asked: Input = { type: "approval.requested", call: nameless("b"), channel: "hook" };
    const denied: Input = { type: "approval.answered", call: nameless("b"), decision: "deny", by: "hook" };
    const run = interrupting().tell(prompt, pre("a"), asked, denied, ask("a"), no("a"), pre("b"), pre("c"));
    expect(run.ends).toEqual(["a denied hook", "b denied hook", "c missing-post interrupted"]);
  });

  test("I-10, C4: of a call that had begun nobody knows whether it ran: no denial is claimed, and its result counts", () => {
    const run = interrupting().tell(prompt, pre("a"), pre("b"), ask("b"), no("b"));
    expect(run.ends).toEqual(["a missing-post interrupted", "b denied hook"]);
    run.tell(post("a"));
    expect(run.ends).toEqual(["a completed", "b denied hook"]);
    expect(run.calls[0]?.context.executedAfterDenial).toBeUndefined();
  });

  test("I-10, C4: a call that was announced before the denied one may have run; one behind it or with an open question did not", () => {
    const run = interrupting().tell(prompt, ...["a", "b", "c"].map(announced), pre("b"), ask("b"), no("b"));
    expect(run.ends).toEqual(["a missing-post interrupted", "b denied hook", "c denied cascade"]);
    const asked = ["a", "b"].flatMap((id) => [pre(id), ask(id)]);
    expect(interrupting().tell(prompt, ...asked, no("b")).ends).toEqual([
      "a denied cascade",
      "b denied hook",
    ]);
  });

  test("C2, C5, I-24: the result of a call that was only foreseen to fall takes the denial back, without an alarm", () => {
    const before = [prompt, announced("b"), announced("c"), pre("b"), ask("b"), no("b")];
    const given = [
      [post("c"), "c completed"],
      [failure("c"), "c failed"],
      [{ type: "tool.lost", call: ref("c"), cause: "killed" }, "c missing-post killed"],
    ] as const;
    for (const [result, end] of given) {
      const run = interrupting().tell(...before, result);
      expect(endOf(run, "c")).toBe(end);
      const { was, executedAfterDenial } = run.calls[1]?.context ?? {};
      expect([was, executedAfterDenial]).toEqual(["denied", undefined]);
    }
  });

  test("C5: once a result has confirmed the denial, a run is an alarm, and changes no state", () => {
    const rejected: Input = {
      type: "tool.denied",
      call: ref("c"),
      verdict: "rejected",
      beforeRun: true,
    };
    const run = interrupting().tell(prompt, announced("b"), announced("c"), pre("b"), ask("b"), no("b"));
    run.tell(rejected, post("c"));
    expect(endOf(run, "c")).toBe("c denied cascade");
    expect(run.calls[1]?.context.executedAfterDenial).toBe(true);
  });

  test("C4: a hook's word for the denial takes the place of the one that was only foreseen", () => {
    const run = interrupting().tell(prompt, announced("b"), announced("c"), pre("b"), ask("b"), no("b"));
    run.tell({ type: "tool.denied", call: ref("c"), verdict: "hook" });
    expect(endOf(run, "c")).toBe("c denied hook");
  });

  test("I-10, I-13: the client's list of denials is heard before a call that falls as it comes: it was denied itself", () => {
    const listed = { type: "tool.denied", call: ref("b"), verdict: "listed" } as const;
    const run = strict().tell(prompt, pre("a"), { ...listed, call: ref("a"), verdict: "rule" }, listed);
    const { changes = [] } = run.hear(pre("b"));
    const denied = changes.filter(({ id, to }) => id === "b" && to === "denied");
    expect(denied.map(({ cause }) => cause)).toMatchObject([{ cause: "cascade", callId: "a" }]);
    expect(run.ends).toEqual(["a denied hook", "b denied direct"]);
    expect(run.calls[1]?.context.denial).toMatchObject({ by: "client", predicted: false });
  });

  test("C4, I-24: a question that ended with another's is listed as denied, too: its result says that it fell, whatever is told first", () => {
    const say = (id: string, verdict: "rejected" | "listed"): Input => ({
      type: "tool.denied",
      call: ref(id),
      verdict,
    });
    const asked = ["a", "b", "c"].flatMap((id) => [pre(id), ask(id)]);
    const results = ["a", "b", "c"].map((id) => say(id, "rejected"));
    const list = ["b", "a", "c"].map((id) => say(id, "listed"));
    const fell = ["a denied cascade", "b denied hook", "c denied cascade"];
    for (const told of [
      [no("b"), ...results, ...list],
      [no("b"), ...list, ...results],
      [no("b"), ...results],
    ])
      expect(interrupting().tell(prompt, ...asked, ...told).ends).toEqual(fell);
    const unanswered = [prompt, ...asked, ...results, ...list];
    expect(interrupting().tell(...unanswered).ends).toEqual([
      "a denied direct",
      "b denied cascade",
      "c denied cascade",
    ]);
  });

  test("I-11, I-24: a call that is first heard of afterwards falls only where its channel named the denied one before", () => {
    const behind = [prompt, pre("b"), ask("b"), no("b"), announced("b"), announced("c")];
    expect(interrupting().tell(...behind).ends).toEqual(["b denied hook", "c denied cascade"]);
    const before = [prompt, pre("b"), ask("b"), no("b"), announced("a"), announced("b")];
    expect(interrupting().tell(...before).ends).toEqual(["b denied hook", "a missing-post interrupted"]);
  });

  test("I-24: results and starts that come after the answer they came before lead to the same ends", () => {
    const run = interrupting().tell(prompt, pre("b"), ask("b"), no("b"), post("a"), pre("a"));
    expect(run.ends).toEqual(["b denied hook", "a completed"]);
    expect(run.calls[1]?.context.executedAfterDenial).toBeUndefined();
  });
});

describe("a strict denial", () => {
  test("C5, I-24: the result of a call that had begun before the denial counts; one that began after it is an alarm", () => {
    const before = [prompt, pre("a"), pre("b"), ask("a"), no("a")];
    const run = strict().tell(...before, post("b"));
    expect(run.ends).toEqual(["a denied hook", "b completed"]);
    const late = strict().tell(prompt, pre("a"), announced("b"), ask("a"), no("a"), pre("b"), post("b"));
    expect(late.ends).toEqual(["a denied hook", "b denied cascade"]);
    expect(late.calls[1]?.context.executedAfterDenial).toBe(true);
  });
});
