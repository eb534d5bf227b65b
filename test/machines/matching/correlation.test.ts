// Correlation
// Which call a message means, by id and without.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentId, CallRef, Input, SessionId } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { holds } from "../../support/properties/property.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const call = (command: string, toolUseId?: string, tool = "Bash"): CallRef => ({
  tool,
  input: toolInput({ command }),
  ...(toolUseId !== undefined && { toolUseId }),
});
const started = (ref: CallRef, agent?: string): Input => ({
  type: "tool.started",
  call: ref,
  ...(agent !== undefined && { agentId: agent as AgentId }),
});
const finished = (ref: CallRef, output: string, agent?: string): Input => ({
  type: "tool.finished",
  call: ref,
  output,
  ...(agent !== undefined && { agentId: agent as AgentId }),
});
const announced = (ref: CallRef): Input => ({ type: "tool.announced", call: ref });
const outputs = (run: SessionRun) => run.calls.map(({ context }) => context.output);
const states = (run: SessionRun) => run.calls.map(({ state }) => state);

interface Forty {
  readonly picks: readonly number[];
  readonly named: string;
  readonly listsIds: boolean;
  readonly unfinished: number;
}
const NEVER: Input = { type: "session.ended" };

describe("with ids", () => {
  test("S0.1: Pre and Post of one id are one call, whatever comes between and however alike the others are", () => {
    const run = new SessionRun().tell(
      started(call("ls", "a")),
      started(call("ls", "b")),
      finished(call("ls", "b"), "of b"),
      finished(call("ls", "a"), "of a"),
    );
    expect(outputs(run)).toEqual(["of a", "of b"]);
    expect(run.calls.map(({ context }) => context.match)).toEqual([
      { how: "id", ambiguous: false, candidates: 1 },
      { how: "id", ambiguous: false, candidates: 1 },
    ]);
  });

  test("I-16: a result for one id never closes a call of another, even the only one there is", () => {
    const run = new SessionRun().tell(started(call("ls", "a")), finished(call("ls", "b"), "of b"));
    expect(states(run)).toEqual(["processing"]);
    run.tell({ type: "session.ended" });
    expect(run.ends).toEqual(["a missing-post interrupted", "b completed"]);
    expect(run.calls[1]?.context.match).toMatchObject({ how: "id", pre: "missing" });
  });

  test("S0.14: an id learnt later is a second key of the same call", () => {
    const run = new SessionRun().tell(
      started(call("ls")),
      announced(call("ls", "a")),
      finished(call("ls", "a"), "of a"),
    );
    expect(outputs(run)).toEqual(["of a"]);
    expect(run.calls.map(({ id, context }) => [id.slice(0, 2), context.toolUseId])).toEqual([["c_", "a"]]);
  });

  test("S0.11, I-16: a result that comes twice before its call is one call, and the session's end is not lost over it", () => {
    const run = new SessionRun().tell(finished(call("ls", "a"), "done"), finished(call("ls", "a"), "done"));
    expect(run.hear({ type: "session.ended" }).rejection).toBeUndefined();
    expect(run.ends).toEqual(["a completed"]);
    expect(run.session?.state).toBe("ended");
  });

  test("S0.11, R1: a result without a call shows no new work once its request is over", () => {
    const run = new SessionRun().tell(
      { type: "prompt.submitted", promptId: "p1", text: "go" },
      finished(call("ls", "a"), "done"),
      { type: "turn.stopped", outcome: "completed" },
    );
    run.take({ orphans: true });
    expect(run.ends).toEqual(["a completed"]);
    expect(run.requests.map(({ id, state }) => `${id} ${state}`)).toEqual(["p1 completed"]);
  });
});

describe("without ids", () => {
  test("S0.2, S0.3: by session, agent, tool and input, first in, first out", () => {
    const run = new SessionRun().tell(
      started(call("ls")),
      started(call("pwd")),
      started(call("ls")),
      finished(call("ls"), "1"),
      finished(call("pwd"), "2"),
      finished(call("ls"), "3"),
    );
    expect(outputs(run)).toEqual(["1", "2", "3"]);
    expect(run.calls.map(({ context }) => context.match.how)).toEqual(["input", "input", "input"]);
  });

  test("S0.2: by session, agent and tool where the input does not say", () => {
    const run = new SessionRun().tell(started(call("ls")), started(call("pwd")), {
      type: "tool.finished",
      call: { tool: "Bash" },
      output: "1",
    });
    expect(states(run)).toEqual(["completed", "processing"]);
  });

  test("I-18: never across agents: each agent has lines of its own", () => {
    const run = new SessionRun().tell(
      started(call("ls"), "a1"),
      started(call("ls"), "a2"),
      finished(call("ls"), "of a2", "a2"),
      finished(call("ls"), "of a1", "a1"),
    );
    expect(outputs(run)).toEqual(["of a1", "of a2"]);
  });

  test("I-18: never across sessions: the same call in another session is another call", () => {
    const [one, two] = [new SessionRun(), new SessionRun({ session: "s2" as SessionId })];
    one.tell(started(call("ls")));
    two.tell(started(call("ls")), finished(call("ls"), "of two"));
    expect([states(one), states(two)]).toEqual([["processing"], ["completed"]]);
  });

  test("I-18, S0.12: what could have been another call says so, with the number of candidates", () => {
    const run = new SessionRun().tell(announced(call("ls")), announced(call("ls")), started(call("ls")));
    expect(run.calls[0]?.context.match).toEqual({ how: "input", ambiguous: true, candidates: 2 });
  });

  test("S0.7: twenty times the same call in twenty batches are twenty calls, and no more", () => {
    const run = new SessionRun();
    for (let n = 0; n < 20; n++) {
      run.tell(started(call("git status")), finished(call("git status"), "clean"));
      run.tell({ type: "tool.batch", calls: [call("git status")] });
    }
    expect(states(run)).toEqual(Array.from({ length: 20 }, () => "completed"));
  });

  test("C3: a batch that lists two identical calls without a result and without ids closes both, infers nothing, and makes none up", () => {
    const run = new SessionRun().tell(started(call("ls")), started(call("ls")), {
      type: "tool.batch",
      calls: [call("ls"), call("ls")],
    });
    expect(run.calls.map(({ context }) => context.missing?.cause)).toEqual(["unreported", "unreported"]);
  });

  test("C2: the first real result of a call that was given up moves it, without an id too", () => {
    const run = new SessionRun().tell(
      started(call("ls")),
      { type: "session.ended" },
      finished(call("ls"), "done"),
    );
    expect(run.calls.map(({ state, context }) => [state, context.was])).toEqual([
      ["completed", "missing-post"],
    ]);
  });

  test("S0.14: two identical calls whose ids are learnt later stay two, whichever is named first or has ended", () => {
    const twice = (): SessionRun => new SessionRun().tell(started(call("ls")), started(call("ls")));
    const named = [announced(call("ls", "a")), announced(call("ls", "b"))];
    const open = twice().tell(...named, finished(call("ls", "b"), "of b"), finished(call("ls", "a"), "of a"));
    expect(open.calls.map(({ context }) => [context.toolUseId, context.output])).toEqual([
      ["a", "of a"],
      ["b", "of b"],
    ]);
    const between = twice().tell(finished(call("ls"), "1"), ...named, finished(call("ls", "b"), "2"));
    expect(between.calls.map(({ context }) => [context.toolUseId, context.output])).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  test("S0.7, C3: forty identical calls without ids are forty, in whatever order each goes on and however a list names them", () => {
    const story = fc.record({
      picks: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
      named: fc.constantFrom("never", "before", "after"),
      listsIds: fc.boolean(),
      unfinished: fc.nat(39),
    });
    const check = ({ picks, named, listsIds, unfinished }: Forty): void => {
      const run = new SessionRun().tell({ type: "prompt.submitted", promptId: "p1", text: "go" });
      const done = [0, 0, 0];
      for (const pick of picks) {
        const [begun = 0, going = 0, over = 0] = done;
        const may = [begun < 40, going < begun, over < Math.min(going, 40 - unfinished)];
        const which = [0, 1, 2].filter((step) => may[step]);
        const step = which[pick % Math.max(1, which.length)];
        if (step === undefined) break;
        done[step] = (done[step] ?? 0) + 1;
        run.tell([announced(call("ls")), started(call("ls")), finished(call("ls"), "ok")][step] ?? NEVER);
      }
      const ids = Array.from({ length: 40 }, (_, n) => call("ls", `t${n}`));
      const names = ids.map(announced);
      const listed = listsIds ? ids : ids.map(() => call("ls"));
      if (named === "before") run.tell(...names);
      run.tell({ type: "tool.batch", calls: listed });
      if (named === "after") run.tell(...names);
      expect(run.calls).toHaveLength(40);
      expect(run.calls.map(({ context }) => context.index).toSorted((a, b) => a - b)).toEqual([
        ...ids.keys(),
      ]);
    };
    holds("test/machines/matching/correlation.test.ts", 12, story, check);
  });

  test("C3, I-18: a list without ids makes none up of calls with ids, however many are alike and closed; one never seen it does", () => {
    const ALIKE = 20;
    const run = (): SessionRun => {
      const made = new SessionRun();
      for (let n = 0; n < ALIKE; n++)
        made.tell(started(call("ls", `t${n}`)), finished(call("ls", `t${n}`), "ok"));
      return made.tell(started(call("pwd", "p1")), finished(call("pwd", "p1"), "/"));
    };
    const list = (alike: number, ...more: readonly string[]): Input => ({
      type: "tool.batch",
      calls: [
        ...Array.from({ length: alike }, () => call("ls")),
        call("pwd"),
        ...more.map((each) => call(each)),
      ],
    });
    const told = run().tell(list(ALIKE));
    expect(states(told)).toEqual(Array.from({ length: ALIKE + 1 }, () => "completed"));
    expect(told.calls.map(({ context }) => context.index)).toEqual([...Array(ALIKE + 1).keys()]);
    const unseen = run().tell(list(ALIKE + 2, "whoami"));
    expect(unseen.ends.slice(ALIKE + 1).map((end) => end.split(" ").slice(1).join(" "))).toEqual([
      "missing-post unreported",
      "missing-post unreported",
      "missing-post unreported",
    ]);
    const again = run().tell(
      list(ALIKE),
      started(call("ls", "next")),
      finished(call("ls", "next"), "ok"),
      list(1),
    );
    expect(again.calls.slice(ALIKE + 1).map(({ context }) => context.index)).toEqual([0, 1]);
  });

  test("S0.11: a result before its call waits and completes it, and only a call of the same input", () => {
    const run = new SessionRun().tell(
      finished(call("ls"), "early"),
      announced(call("pwd")),
      started(call("ls")),
    );
    expect(run.calls.map(({ state, context }) => [state, context.output])).toEqual([
      ["queued", undefined],
      ["completed", "early"],
    ]);
  });
});
