// Alike
// Results of calls without ids where others could have had them: what they close, and what is told of it.

import { describe, expect, test } from "vitest";
import type { ApprovalId, Input } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };

describe("alike calls without ids", () => {
  const like = (command: string) => ({ tool: "Bash", input: toolInput({ command }) });
  const begun = (command: string): Input => ({ type: "tool.started", call: like(command) });
  const done = (command: string, output: string): Input => ({
    type: "tool.finished",
    call: like(command),
    output,
  });
  const matches = (run: SessionRun) => run.calls.map(({ context: { match } }) => match);

  test("I-18: each result that another call could have had says so, the last one too", () => {
    const run = new SessionRun().tell(prompt, begun("ls"), begun("ls"), done("ls", "1"), done("ls", "2"));
    const doubtful = { how: "input", ambiguous: true, candidates: 2 };
    expect(matches(run)).toEqual([doubtful, doubtful]);
    run.tell(begun("ls"), done("ls", "3"));
    expect(matches(run)[2]).toEqual({ how: "input", ambiguous: false, candidates: 1 });
  });

  test("I-18, S0.11: a result that shows its input never closes a call that shows another", () => {
    const run = new SessionRun().tell(prompt, begun("ls"), done("pwd", "/"));
    expect(run.calls.map(({ state }) => state)).toEqual(["processing"]);
    run.take({ orphans: true });
    expect(run.calls.map(({ state, context: { match } }) => [state, match.pre])).toEqual([
      ["processing", undefined],
      ["completed", "missing"],
    ]);
  });

  test("I-18: a denial that shows its input never closes a call that was asked about with another", () => {
    const ask = (approvalId: string, command: string): Input => ({
      ...{ type: "approval.requested", approvalId: approvalId as ApprovalId, call: like(command) },
      ...{ channel: "gate", onDeadline: "deny", deadlineAt: 1e15 },
    });
    const waits: Input = { type: "tool.announced", call: { tool: "Bash" } };
    const run = new SessionRun({ policy: { cascade: "none" } }).tell(
      prompt,
      waits,
      ask("a1", "ls"),
      waits,
      ask("a2", "pwd"),
    );

    run.take({ decide: 0, decision: "deny", hash: "shown", interrupt: false });
    run.tell({ type: "tool.denied", call: like("ls"), verdict: "user" });
    expect(run.calls.map(({ state }) => state).toSorted()).toEqual(["denied", "queued"]);
    run.tell({ type: "tool.denied", call: like("pwd"), verdict: "user" });
    expect(run.calls.map(({ state }) => state)).toEqual(["denied", "denied"]);
  });

  test("C3, I-18: a result of a rewritten input is the one listed call's that has none, and says how it was found", () => {
    const list: Input = { type: "tool.batch", calls: [like("ls"), like("pwd")] };
    const run = new SessionRun().tell(prompt, begun("ls"), begun("pwd"), done("pwd", "/"));
    run.tell(done("ls -l", "…"), list);
    expect(run.calls.map(({ state, context: { output } }) => [state, output])).toEqual([
      ["completed", "…"],
      ["completed", "/"],
    ]);
    expect(matches(run)[0]).toEqual({ how: "name", ambiguous: false, candidates: 1 });
    expect(run.calls[0]?.context.ranInput).toEqual(toolInput({ command: "ls -l" }));
    const two = new SessionRun().tell(prompt, begun("ls"), begun("pwd"), done("ls -l", "…"), list);
    expect(two.calls.map(({ state }) => state)).toEqual(["missing-post", "missing-post"]);
  });
});
