// Deferrals
// Calls that were put off, in whatever order that is heard of.

import { describe, expect, test } from "vitest";
import type { Input } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const ref = (id: string) => ({ toolUseId: id, tool: "Bash", input: toolInput({ command: id }) });
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const pre = (id: string): Input => ({ type: "tool.started", call: ref(id) });
const post = (id: string): Input => ({ type: "tool.finished", call: ref(id), output: `of ${id}` });
const stop: Input = { type: "turn.stopped", outcome: "completed" };
const ask = (id: string): Input => ({ type: "approval.requested", call: ref(id), channel: "hook" });

const ended = (...inputs: readonly Input[]): readonly string[] => new SessionRun().tell(...inputs).ends;

describe("a call that was put off", () => {
  const deferred: Input = { type: "tool.deferred", call: ref("a") };
  const over: Input = { type: "session.ended" };

  const next: Input = { type: "prompt.submitted", promptId: "p2", text: "on" };
  const resumed: Input = { type: "session.started", reason: "resume" };
  const counts = (run: SessionRun) => run.session?.context.counts;

  test("C2, I-24: a deferral opens its call again, wherever among the evidence of its process's end it is heard", () => {
    const ends: readonly Input[] = [over, { type: "process.gone" }, stop, resumed];
    for (const end of ends) {
      const [before, after] = [
        [deferred, end],
        [end, deferred],
      ].map((order) => new SessionRun().tell(prompt, pre("a"), ...order));
      expect([end.type, before?.ends, after?.ends]).toEqual([end.type, ["a queued"], ["a queued"]]);
      expect(after && counts(after)).toMatchObject({ openCalls: 1, calls: 1 });
    }
  });

  test("C2: it is taken up again like any other, answered for, and counted once", () => {
    const run = new SessionRun().tell(prompt, pre("a"), over, deferred, resumed, pre("a"), ask("a"));
    expect(run.ends).toEqual(["a processing"]);
    expect(run.approvals[0]?.context.callId).toBe("a");
    run.tell(post("a"));
    expect(run.ends).toEqual(["a completed"]);
    expect(counts(run)).toMatchObject({ openCalls: 0, pendingApprovals: 0 });
    expect(run.calls[0]?.context).toMatchObject({ was: "missing-post", deferred: false });
  });

  test("C2, I-24: after a further prompt it says why there is no result, and opens nothing", () => {
    for (const order of [
      [deferred, over, next],
      [over, deferred, next],
      [over, next, deferred],
    ])
      expect(ended(prompt, pre("a"), ...order)).toEqual(["a missing-post deferred"]);
  });

  test("C2, I-24: what one channel told of a deferral another does not tell anew, once the call was taken up", () => {
    const run = new SessionRun().tell(prompt, pre("a"), deferred, over, resumed, pre("a"));
    run.hear(deferred, "test.transcript");
    expect(run.ends).toEqual(["a processing"]);
    run.tell(deferred);
    expect(run.ends).toEqual(["a queued"]);
  });

  const TRANSCRIPT = "test.transcript";
  const stateAfter = (...told: readonly (Input | readonly [Input, string])[]) => {
    const run = new SessionRun().tell(prompt);
    for (const each of told) {
      const [input, channel] = "type" in each ? [each, "test.hook"] : each;
      expect(run.hear(input, channel).rejection).toBeUndefined();
    }
    return run;
  };

  test("C2, I-24: what a transcript told of a deferral is no repeat of one that is told as it happens, once the call was taken up", () => {
    const run = stateAfter(pre("a"), [deferred, TRANSCRIPT], over, resumed, pre("a"), deferred);
    expect(run.ends).toEqual(["a queued"]);
    expect(run.hear(over).rejection).toBeUndefined();
    expect(run.ends).toEqual(["a queued"]);
  });

  test("C2, I-24: a call that was taken up again is at work, wherever a transcript's word of its deferral is heard", () => {
    const live = [pre("a"), over, resumed, pre("a")] as const;
    for (let place = 1; place <= live.length; place += 1) {
      const run = stateAfter(...live.slice(0, place), [deferred, TRANSCRIPT], ...live.slice(place));
      expect([place, run.ends]).toEqual([place, ["a processing"]]);
      expect(run.tell(ask("a"), post("a")).ends).toEqual(["a completed"]);
      expect(run.approvals.map(({ context }) => context.callId)).toEqual(["a"]);
      expect(counts(run)).toMatchObject({ openCalls: 0, pendingApprovals: 0, calls: 1 });
      expect(run.requests.map(({ state }) => state)).not.toContain("waiting");
    }
  });

  test("C2: it overrules neither a result nor the client's word that the call was lost", () => {
    expect(ended(prompt, pre("a"), post("a"), over, deferred)).toEqual(["a completed"]);
    const lost: Input = { type: "tool.lost", call: ref("a"), cause: "killed" };
    expect(ended(prompt, pre("a"), lost, deferred)).toEqual(["a missing-post killed"]);
  });
});
