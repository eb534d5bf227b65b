// Past
// A transcript that begins with what was before its session's process: a fork's copy, what went before a resume.

import { describe, expect, test } from "vitest";
import type { AgentId, Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { announced, BEGAN, by, HOOK, LINE, prompt, ref, stop } from "../../support/sessions/history.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const start = (reason: "fork" | "resume"): Input => ({ type: "session.started", reason, observedAt: BEGAN });
const asks = (command = "ls", agentId?: string): Input => ({
  type: "approval.requested",
  call: { tool: "Bash", input: toolInput({ command }) },
  channel: "hook",
  promptId: "p1",
  ...(agentId !== undefined && { agentId: agentId as AgentId }),
});
const pre = (id: string, command = "ls"): Input => ({
  type: "tool.started",
  call: ref(id, command),
  promptId: "p1",
});
const finished = (id: string): Input => ({ type: "tool.finished", call: { toolUseId: id }, output: "done" });
const rejected = (id: string): Input => ({
  type: "tool.denied",
  call: { toolUseId: id },
  verdict: "rejected",
  beforeRun: true,
});

class Fork {
  readonly run = new SessionRun({ policy: { cascade: "interrupt" } });
  #old = BEGAN - 100_000;

  hooks(...inputs: readonly Input[]): this {
    return this.#hear(inputs, HOOK);
  }

  /** Lines from before the process began. */
  old(...inputs: readonly Input[]): this {
    return this.#hear(
      inputs.map((input) => ({ ...input, observedAt: (this.#old += 1) }) as Input),
      LINE,
    );
  }

  /** Lines of the process itself. */
  own(...inputs: readonly Input[]): this {
    return this.#hear(
      inputs.map((input) => ({ ...input, observedAt: BEGAN + 1 }) as Input),
      LINE,
    );
  }

  get questions(): readonly string[] {
    return this.run.approvals.map(({ state, context }) => `${context.callId ?? "no call"} ${state}`);
  }

  get requests(): readonly string[] {
    return this.run.requests.map(({ state, context }) => `${context.prompt ?? "-"}: ${state}`);
  }

  #hear(inputs: readonly Input[], channel: string): this {
    for (const input of inputs) expect(this.run.hear(input, channel).rejection).toBeUndefined();
    return this;
  }
}

const COPY = [prompt("p1", "before"), announced("old"), finished("old"), stop];
const fork = () => new Fork().hooks(start("fork"), prompt("p1", "now"));

describe("a fork's copy of its parent", () => {
  test("PAST-1, PAST-4: ends no request and withdraws no question, at whatever moment it is read", () => {
    const lines = [...COPY, prompt("p1", "then"), announced("older", "make"), rejected("older"), stop];
    for (let at = 0; at <= lines.length; at++) {
      const forked = fork().old(...lines.slice(0, at));
      forked.hooks(pre("mine"), asks()).old(...lines.slice(at));
      expect(forked.questions).toEqual(["mine pending"]);
      expect(forked.requests).toEqual(expect.arrayContaining(["now: waiting"]));
      expect(forked.run.ends).toEqual(
        expect.arrayContaining(["mine processing", "old completed", "older denied direct"]),
      );
    }
  });

  test("PAST-2: binds no question: one that is asked before its call was heard of waits for its own", () => {
    const forked = fork()
      .hooks(asks())
      .old(...COPY);
    expect(forked.questions).toEqual(["no call pending"]);
    forked.hooks(pre("mine"));
    expect(forked.questions).toEqual(["mine pending"]);
  });

  test("PAST-2: binds no question that is asked between a call of it and that call's result", () => {
    const forked = fork().old(prompt("p1", "before"), announced("old")).hooks(asks());
    expect(forked.questions).toEqual(["no call pending"]);
    forked.old(finished("old"), stop).hooks(pre("mine"));
    expect(forked.questions).toEqual(["mine pending"]);
  });

  test("PAST-2: takes nothing that a hook without an id tells", () => {
    const nameless = { tool: "Bash", input: toolInput({ command: "ls" }) };
    const forked = fork().old(prompt("p1", "before"), announced("old"));
    forked.hooks({ type: "tool.started", call: nameless, promptId: "p1" }).old(finished("old"), stop);
    forked.hooks({ type: "tool.finished", call: nameless, promptId: "p1", output: "mine" });
    expect(forked.run.calls.map(({ state, context }) => [state, context.output])).toEqual([
      ["completed", "done"],
      ["completed", "mine"],
    ]);
  });

  test("PAST-2: gives no call that came without an id the id of a call of it", () => {
    const nameless = { tool: "Bash", input: toolInput({ command: "ls" }) };
    const forked = fork().hooks({ type: "tool.started", call: nameless, promptId: "p1" });
    forked.old(...COPY);
    expect(forked.run.calls.map(({ state, context }) => [state, context.toolUseId])).toEqual([
      ["processing", undefined],
      ["completed", "old"],
    ]);
  });

  test("PAST-3: has requests of its own, that end as they did", () => {
    const forked = fork().old(...COPY, prompt("p1", "killed"), announced("lost", "make"));
    forked.own(prompt("p1", "now"));
    expect(forked.requests).toEqual(["now: processing", "before: completed", "killed: failed"]);
    expect(forked.run.ends).toEqual(["old completed", "lost missing-post interrupted"]);
    const [now, before] = forked.run.requests;
    expect(forked.run.calls[0]?.context.requestId).toBe(before?.id);
    forked.hooks(pre("mine"));
    expect(forked.run.calls.at(-1)?.context.requestId).toBe(now?.id);
  });

  test("PAST-1: of a fork's fork is the same", () => {
    const twice = [...COPY, prompt("p1", "in the first fork"), announced("first"), finished("first"), stop];
    const forked = fork()
      .hooks(pre("mine"), asks())
      .old(...twice);
    expect(forked.questions).toEqual(["mine pending"]);
    expect(forked.run.ends).toEqual(["mine processing", "old completed", "first completed"]);
  });

  test("PAST-1: a later resume leaves what was copied, and the fork's own first turn, where they are", () => {
    const forked = fork().hooks(pre("first"), finished("first"), stop);
    forked.hooks({ ...start("resume"), observedAt: BEGAN + 50 } as Input, prompt("p2", "again"));
    const late = { ...prompt("p1", "now"), promptId: "p1" } as Input;
    forked
      .hooks({ ...pre("mine"), promptId: "p2" } as Input, { ...asks(), promptId: "p2" } as Input)
      .old(...COPY);
    forked.own(late, announced("first"), finished("first"), stop);
    expect(forked.questions).toEqual(["mine pending"]);
    expect(forked.requests).toEqual(["now: completed", "again: waiting", "before: completed"]);
  });

  test("PAST-1: its subagents' lines end nothing of a subagent that is at work", () => {
    const forked = fork().hooks(by("a1", pre("mine")), by("a1", asks()));
    forked.old(...COPY.slice(0, 1), by("a1", announced("old")), by("a1", finished("old")), by("a1", stop));
    expect(forked.questions).toEqual(["mine pending"]);
    expect(forked.run.ends).toEqual(["mine processing", "old completed"]);
  });

  test("PAST-MARKS-2: is known even where nobody heard the fork begin: it is older than the prompt it claims", () => {
    const forked = new Fork().hooks({ ...prompt("p1", "now"), observedAt: BEGAN } as Input);
    forked.hooks(pre("mine"), asks()).old(...COPY);
    expect(forked.questions).toEqual(["mine pending"]);
    expect(forked.run.ends).toEqual(["mine processing", "old completed"]);
  });

  test("PAST-5: a call that is taken up again is of the present: a question is about it", () => {
    const deferred = { type: "tool.deferred", call: ref("old") } as const;
    const forked = fork().old(prompt("p1", "before"), announced("old"), deferred);
    expect(forked.run.ends).toEqual(["old queued"]);
    forked.hooks(pre("old"), asks());
    expect(forked.questions).toEqual(["old pending"]);
    expect(forked.run.ends).toEqual(["old processing"]);
  });
});

describe("what a resumed session's transcript tells of before", () => {
  const resumed = () => new Fork().hooks(start("resume"), prompt("p1", "now"));

  test("PAST-1: ends nothing and withdraws nothing, even where its prompts are too far back to be read", () => {
    const session = resumed().hooks(pre("mine"), asks());
    session.old(announced("old"), finished("old"), stop);
    expect(session.questions).toEqual(["mine pending"]);
    expect(session.run.ends).toEqual(["mine processing", "old completed"]);
  });

  test("PAST-3: keeps the names of its prompts", () => {
    const session = resumed().old(prompt("p0", "before"), announced("old"), finished("old"), stop);
    expect(session.run.requests.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "p1 processing",
      "p0 completed",
    ]);
    expect(session.run.calls[0]?.context.requestId).toBe("p0");
  });

  test("PAST-2: corrects calls that the process before left without a result", () => {
    const run = new Fork().hooks(prompt("p0", "before"), { ...pre("a"), promptId: "p0" } as Input);
    run.hooks(start("resume"), prompt("p1", "now")).hooks(pre("mine"), asks());
    expect(run.run.ends[0]).toBe("a missing-post killed");
    run.old(prompt("p0", "before"), announced("a"), finished("a"), stop);
    expect(run.run.ends[0]).toBe("a completed");
    expect(run.questions).toEqual(["mine pending"]);
  });

  test("PAST-5: what was put off before is taken up, whichever lines of the present are read before or after", () => {
    const deferred = { type: "tool.deferred", call: ref("old") } as const;
    const lines = [prompt("p0", "before"), announced("old"), deferred];
    const line = announced("other", "make");
    const before = resumed()
      .old(...lines)
      .own(line)
      .hooks(pre("old"), asks());
    const after = resumed()
      .old(...lines)
      .hooks(pre("old"), asks())
      .own(line);
    for (const { run, questions } of [before, after]) {
      expect(run.ends.toSorted()).toEqual(["old processing", "other queued"]);
      expect(questions).toEqual(["old pending"]);
      expect(run.requests.map(({ id, state }) => `${id} ${state}`)).toContain("p0 waiting");
    }
  });

  test("PAST-3: a further prompt of the history ends what was put off under the one before", () => {
    const deferred = { type: "tool.deferred", call: ref("old") } as const;
    const run = resumed().old(prompt("p0", "before"), announced("old"), deferred, prompt("p00", "then"));
    expect(run.run.ends).toEqual(["old missing-post deferred"]);
  });

  test("PAST-5: an old deferral does not put off what was taken up again since", () => {
    const deferred = { type: "tool.deferred", call: ref("old") } as const;
    const run = resumed().old(prompt("p0", "before"), announced("old")).hooks(pre("old"), asks());
    run.old(deferred);
    expect(run.run.ends).toEqual(["old processing"]);
    expect(run.questions).toEqual(["old pending"]);
  });
});
