// Nesting
// Whose words a message is, and which call a subagent was started by.

import { describe, expect, test } from "vitest";
import { by, ends, MAIN, ref, starts, statesOf } from "../support/sessions/nested.ts";
import { said, unnamed } from "../support/sessions/said.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const parents = (run: SessionRun) =>
  Object.fromEntries(run.calls.map(({ id, context }) => [id, context.parentCallId]));
const agents = (run: SessionRun) => run.calls.map(({ context }) => String(context.agentId));

describe("a parent", () => {
  test("I-47: an event with the agent's id and the call it runs under nests the call, two levels deep", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      starts({ agent: "a1", under: "task" }, "inner", "Task"),
      starts({ agent: "a2", under: "inner" }, "deep"),
      starts({ agent: "a2" }, "later"),
    );
    expect(parents(run)).toEqual({ task: undefined, inner: "task", deep: "inner", later: "inner" });
  });

  test("I-47: the call alone nests as well", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      starts({ under: "task" }, "inner", "Task"),
      starts({ under: "inner" }, "deep"),
    );
    expect(parents(run)).toEqual({ task: undefined, inner: "task", deep: "inner" });
    expect(new Set(agents(run)).size).toBe(3);
  });

  test.each([
    ["a call", starts({ agent: "a1", under: "task" }, "first")],
    ["a result", { ...ends({ agent: "a1", under: "task" }, "first") }],
    [
      "a question",
      {
        type: "approval.requested",
        call: ref("first"),
        channel: "sdk",
        ...by({ agent: "a1", under: "task" }),
      },
    ],
    ["a batch", { type: "tool.batch", calls: [], ...by({ agent: "a1", under: "task" }) }],
  ] as const)("I-47: an agent learns it from the first message that names it: %s", (_, message) => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      starts({ agent: "a1" }, "first"),
      message,
      starts({ agent: "a1" }, "second"),
    );
    expect(parents(run)).toEqual({ task: undefined, first: undefined, second: "task" });
  });

  test("I-47: what says otherwise later changes nothing, be it an event or the client's own link", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "one", "Task"),
      starts(MAIN, "two", "Task"),
      starts({ agent: "a1", under: "one" }, "c1"),
      starts({ agent: "a1", under: "two" }, "c2"),
      said.agentLinked("a1", "two"),
      starts({ agent: "a1" }, "c3"),
    );
    expect(parents(run)).toMatchObject({ c1: "one", c2: "one", c3: "one" });
    expect(agents(run).slice(2)).toEqual(["a1", "a1", "a1"]);
  });

  test("I-47: the main agent has none, whatever is said of it", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      starts({ under: "task" }, "inner", "Task"),
      starts({ agent: "main", under: "inner" }, "c1"),
      starts({ agent: "main", under: "never-seen" }, "c2"),
      said.agentLinked("main", "inner"),
      starts(MAIN, "c3"),
    );
    expect(parents(run)).toMatchObject({ c1: undefined, c2: undefined, c3: undefined });
    expect(agents(run).slice(2)).toEqual(["main", "main", "main"]);
  });

  test("I-47: several agents may run under one call; the call alone means the first of them", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      starts({ agent: "a1", under: "task" }, "c1"),
      starts({ agent: "a2", under: "task" }, "c2"),
      starts({ under: "task" }, "c3"),
    );
    expect(parents(run)).toMatchObject({ c1: "task", c2: "task", c3: "task" });
    expect(agents(run)).toEqual(["main", "a1", "a2", "a1"]);
  });

  test("I-47: its own call is no parent, said before that call is seen or after", () => {
    const run = new SessionRun().tell(
      starts({ agent: "a1", under: "c1" }, "c1", "Task"),
      starts({ agent: "a1" }, "c2"),
      starts({ agent: "a2" }, "d1", "Task"),
      starts({ agent: "a2", under: "d1" }, "d2"),
      starts({ under: "e1" }, "e1", "Task"),
      starts({ under: "e1" }, "e2"),
    );
    expect(Object.values(parents(run))).toEqual(Array.from({ length: 6 }, () => undefined));
  });
});

describe("a name learnt later", () => {
  const heardOfByItsCall = () =>
    new SessionRun().tell(starts(MAIN, "task", "Task"), {
      type: "tool.started",
      call: unnamed("Read", { n: 1 }),
      ...by({ under: "task" }),
    });

  test.each([
    ["an event with both", ends({ agent: "a1", under: "task" }, "gone-astray")],
    ["the client's link", said.agentLinked("a1", "task")],
  ])("I-47: %s gives the agent a second name; its calls, batch and results stay together", (_, both) => {
    const run = heardOfByItsCall().tell(
      both,
      { type: "tool.finished", call: unnamed("Read", { n: 1 }), output: "ok", ...by({ agent: "a1" }) },
      starts({ agent: "a1" }, "c2"),
      starts({ under: "task" }, "c3"),
    );
    expect(run.calls.map(({ state }) => state)).toEqual([
      "processing",
      "completed",
      "processing",
      "processing",
    ]);
    expect(new Set(agents(run).slice(1)).size).toBe(1);
    expect(new Set(run.calls.slice(1).map(({ context }) => context.batchId)).size).toBe(1);
    expect(run.calls.slice(1).map(({ context }) => context.parentCallId)).toEqual(["task", "task", "task"]);
  });

  test("I-47: a second id for the same call is another agent", () => {
    const run = heardOfByItsCall().tell(
      starts({ agent: "a1", under: "task" }, "c1"),
      starts({ agent: "a2", under: "task" }, "c2"),
    );
    const [, via, first, second] = agents(run);
    expect([first, second]).toEqual([via, "a2"]);
  });

  test("I-47: an id that was at work stays an agent of its own; no call moves, and its stop ends both", () => {
    const run = heardOfByItsCall().tell(
      starts({ agent: "a1" }, "c1"),
      said.agentLinked("a1", "task"),
      starts({ under: "task" }, "c2"),
    );
    const [, via, ...others] = agents(run);
    expect(others).toEqual(["a1", "a1"]);
    expect(via).not.toBe("a1");
    run.tell(said.agentStop("a1"));
    expect(run.calls.map(({ state }) => state)).toEqual([
      "processing",
      "missing-post",
      "missing-post",
      "missing-post",
    ]);
  });

  test("I-47, I-16: a result that came under the id first is still found by its call", () => {
    const run = new SessionRun().tell(
      starts(MAIN, "task", "Task"),
      { type: "tool.finished", call: ref("c1"), output: "ok", ...by({ agent: "a1", under: "task" }) },
      starts({ under: "task" }, "c1"),
    );
    expect(statesOf(run)).toEqual(["task processing", "c1 completed"]);
    expect(agents(run)).toEqual(["main", "a1"]);
  });
});
