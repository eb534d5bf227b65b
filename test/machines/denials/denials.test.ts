// Denials
// A question that is denied before its call is seen: what may take its denial up, and what is recorded of it.

import { describe, expect, test } from "vitest";
import {
  type AgentId,
  type ApprovalId,
  type CallRef,
  head,
  type Input,
  type RequestId,
} from "../../../machines/index.ts";
import { approvals, setHead, waits } from "../../../machines/books.ts";
import { queueKeys } from "../../../machines/queues/queue-keys.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import {
  announced,
  answered,
  asked,
  bound,
  call,
  decided,
  none,
  started,
} from "../../support/sessions/asking.ts";
import type { Heard, SessionRun } from "../../support/sessions/session-run.ts";

const prompt = (promptId: string): Input => ({ type: "prompt.submitted", promptId, text: "go" });
const stop: Input = { type: "turn.stopped", outcome: "completed" };
const finished = (ref: CallRef): Input => ({ type: "tool.finished", call: ref, output: "done" });
const of = (promptId: string, input: Input): Input => ({ ...input, promptId }) as Input;
const ls = call("ls");

/** A question of a prompt, denied at once by a person. */
function deny(run: SessionRun, id: string, ref: CallRef = ls, promptId?: string): SessionRun {
  const question = asked(ref, "sdk", id);
  return run.tell(promptId === undefined ? question : of(promptId, question), decided(id, "deny", "ls"));
}

const fates = ({ audits = [] }: Heard) =>
  audits
    .filter(({ kind }) => kind.startsWith("denial-"))
    .map(({ kind, approvalId, callId, reason }) => [kind, approvalId, callId, reason]);

const orphansDue = (run: SessionRun): Heard | undefined => run.take({ orphans: true });

describe("a denial without a call", () => {
  test("G16, C4: is not taken up by a result of the prompt before that turns out to have no call", () => {
    const run = none().tell(prompt("p1"), of("p1", finished(ls)), prompt("p2"));
    deny(run, "g1", ls, "p2");
    orphansDue(run);
    expect(run.calls.map(({ state }) => state)).toEqual(["completed"]);
    run.tell(of("p2", started(ls)));
    expect(run.calls.map(({ state }) => state)).toEqual(["completed", "denied"]);
    expect(bound(run)).toEqual([run.calls[1]?.id]);
  });

  test("G16, S0.11: a result keeps the prompt it came in, though it does not name it, and the prompt is over", () => {
    const run = none().tell(prompt("p1"), finished(ls), prompt("p2"));
    deny(run, "g1");
    orphansDue(run);
    expect(run.calls.map(({ state, context }) => [state, context.requestId])).toEqual([["completed", "p1"]]);
    expect(run.tell(started(ls)).calls.map(({ state }) => state)).toEqual(["completed", "denied"]);
  });

  test("G16, S3.24: a question that waits is not withdrawn by the result of another prompt's call", () => {
    const run = none().tell(prompt("p1"), of("p1", finished(ls)), prompt("p2"), of("p2", asked(ls)));
    orphansDue(run);
    expect(run.approvals.map(({ state }) => state)).toEqual(["pending"]);
  });

  test("G16, C5: a result of another prompt's call does not make the denied call one that ran", () => {
    const run = none().tell(prompt("p1"), of("p1", finished(ls)), prompt("p2"));
    deny(run, "g1", ls, "p2").tell(of("p2", started(ls)));
    expect(run.calls.map(({ state, context }) => [state, context.executedAfterDenial])).toEqual([
      ["denied", undefined],
    ]);
    const own = none().tell(prompt("p1"), of("p1", finished(ls)));
    deny(own, "g1", ls, "p1").tell(of("p1", started(ls)));
    expect(own.calls.map(({ state, context }) => [state, context.executedAfterDenial])).toEqual([
      ["denied", true],
    ]);
  });

  test("G16, G8: each of two denies a call of its own, whoever said them and when", () => {
    const run = none().tell(decided("g1", "deny", "ls"), decided("g2", "deny", "ls"));
    run.tell(asked(ls, "hook", "g1"), asked(ls, "hook", "g2"), started(ls), started(ls), started(ls));
    expect(run.calls.map(({ state }) => state)).toEqual(["denied", "denied", "processing"]);
  });

  test("G16, WAITING-LINES-1, WAITING-APPROVALS-1: no number of others stands in front of it: of older work, or naming other calls", () => {
    const old = none().tell(prompt("p1"));
    for (let n = 0; n < 40; n++) deny(old, `g${n}`, ls, "p1");
    old.tell(stop, prompt("p2"));
    expect(deny(old, "new", ls, "p2").tell(of("p2", started(ls))).ends).toMatchObject([
      expect.stringContaining("denied direct"),
    ]);
    const naming = none();
    for (let n = 0; n < 40; n++) deny(naming, `g${n}`, call("ls", `other${n}`));
    deny(naming, "new").tell(started(call("ls", "a")));
    expect(naming.ends).toEqual(["a denied direct"]);
    expect(bound(naming).at(-1)).toBe("a");
  });

  test("G16, C4: that names its call denies it, in whatever work it comes", () => {
    const run = none().tell(prompt("p1"));
    deny(run, "g1", call("ls", "a"), "p1").tell(stop, prompt("p2"), of("p2", started(call("ls", "a"))));
    expect(run.ends).toEqual(["a denied direct"]);
  });

  test("G16, C4: that showed no input denies the next call of its tool, in its work", () => {
    const run = none().tell(prompt("p1"));
    deny(run, "g1", { tool: "Bash" }, "p1");
    run.tell(of("p1", started(call("ls", "r", "Read"))), of("p1", started(call("pwd", "a"))));
    run.tell(of("p1", started(call("ls", "b"))));
    expect(run.ends).toEqual(["r processing", "a denied direct", "b processing"]);
  });

  test("G16, C4: that showed an input denies the next call of its tool that shows none", () => {
    const run = deny(none().tell(prompt("p1")), "g1", ls, "p1");
    run.tell(of("p1", started({ tool: "Bash", toolUseId: "a" })));
    expect(run.ends).toEqual(["a denied direct"]);
  });

  test("G16, I-38: of one agent says nothing about another's call", () => {
    const by = (agentId: string, input: Input): Input => ({ ...input, agentId: agentId as AgentId }) as Input;
    const run = none().tell(prompt("p1"), by("a1", asked(ls, "sdk", "g1")), decided("g1", "deny", "ls"));
    run.tell(
      by("a2", started(call("ls", "x"))),
      started(call("ls", "y")),
      by("a1", started(call("ls", "z"))),
    );
    expect(run.ends).toEqual(["x processing", "y processing", "z denied direct"]);
  });

  test("G16, R1: an agent that asks first keeps the request it asked in", () => {
    const by = (input: Input): Input => ({ ...input, agentId: "a1" as AgentId }) as Input;
    const run = none().tell(
      prompt("p1"),
      by(asked(ls, "sdk", "g1")),
      decided("g1", "deny", "ls"),
      prompt("p2"),
    );
    run.tell(by(started(call("ls", "a"))));
    expect(run.calls.map(({ state, context }) => [state, context.requestId])).toEqual([["denied", "p1"]]);
  });
});

describe("a call whose id is learnt late", () => {
  const amend = (id: string) => announced(call("ls", id));

  test("G16, C4: is denied by the denial that names it", () => {
    const run = none().tell(prompt("p1"));
    deny(run, "g1", call("ls", "a"), "p1").tell(stop, prompt("p2"), of("p2", started(ls)));
    expect(run.calls.map(({ state }) => state)).toEqual(["processing"]);
    const heard = run.hear(of("p2", amend("a")));
    expect(run.calls.map(({ state, approval }) => [state, approval])).toEqual([["denied", "denied"]]);
    expect(fates(heard)).toEqual([["denial-applied", "g1", run.calls[0]?.id, "its call came later"]]);
  });

  test("G16, I-07: takes up the question that names it, and keeps the one it has", () => {
    const run = none().tell(prompt("p1"), asked(call("ls", "a"), "sdk", "g1"), stop);
    run.tell(prompt("p2"), of("p2", started(ls)), of("p2", asked(call("ls", "a"), "sdk", "g2")));
    expect(run.approvals.map(({ state }) => state)).toEqual(["withdrawn", "pending"]);
    const other = none().tell(asked(call("ls", "a"), "sdk", "g1"), asked(ls, "sdk", "g2"), started(ls));
    expect(bound(other)).toEqual([undefined, other.calls[0]?.id]);
    other.tell(amend("a"));
    expect(bound(other)).toEqual([undefined, other.calls[0]?.id]);
    other.tell(decided("g1", "deny", "ls"));
    expect(other.calls.map(({ state, approval }) => [state, approval])).toEqual([["denied", "denied"]]);
    expect(other.approvals.map(({ state }) => state)).toEqual(["denied", "withdrawn"]);
  });

  test("G16, I-41: that is closed by then is left as it is, and this is recorded", () => {
    const run = none().tell(asked(call("ls", "a"), "sdk", "g1"), asked(ls, "sdk", "g2"), started(ls));
    run.tell(amend("a"), finished(call("ls", "a")));
    const heard = run.hear(decided("g1", "deny", "ls"), "own");
    expect(run.calls.map(({ state }) => state)).toEqual(["completed"]);
    expect(fates(heard)).toEqual([["denial-unused", "g1", undefined, "its call was closed already"]]);
    expect(head(run.records).unbound).toBe(0);
  });
});

describe("what became of a denial", () => {
  test("G16, I-41: is recorded when it is applied to its call, however it was given", () => {
    const run = deny(none(), "g1");
    const heard = run.hear(started(call("ls", "a")));
    expect(fates(heard)).toEqual([["denial-applied", "g1", "a", "its call came later"]]);
    expect(heard.audits).toMatchObject([{ by: "local:ann", decision: "deny", tool: "Bash" }]);
    const expired = none().tell({ ...asked(ls, "sdk", "g1"), onDeadline: "deny" } as Input);
    expired.take({ expire: 0 });
    expect(expired.hear(started(call("ls", "a"))).audits).toMatchObject([
      { kind: "denial-applied", by: "deadline", decision: "lapsed" },
    ]);
    const source = none().tell(asked(ls, "sdk", "g1"), answered(ls, "deny", "g1"));
    expect(fates(source.hear(started(call("ls", "a"))))).toHaveLength(1);
  });

  test("G16, I-41: is recorded when its request is taken away and no call came", () => {
    const run = none().tell(prompt("p1"));
    deny(run, "g1", ls, "p1").tell(stop);
    run.at += run.policy.keepMs;
    const heard = run.hear({
      type: "timer.fired",
      address: `${run.home}/request/p1` as never,
      timer: "removal",
      generation: 1,
    });
    expect(run.requests).toEqual([]);
    expect(fates(heard)).toEqual([["denial-unused", "g1", undefined, "no call came that it was about"]]);
    expect(head(run.records).unbound).toBe(0);
    expect([...run.layer.keys("book/")].filter((key) => key.includes("/waits/"))).toEqual([]);
  });

  test("G16, I-41: a decision whose approval was never requested is recorded when its session is taken away", () => {
    const run = none().tell(decided("g1", "deny", "ls"), { type: "session.ended" });
    const heard = run.hear({ type: "timer.fired", address: run.home, timer: "removal", generation: 1 });
    expect(heard.audits).toMatchObject([
      {
        kind: "ignored-decision",
        approvalId: "g1",
        decision: "deny",
        reason: "its approval was never requested",
      },
    ]);
    expect(run.session).toBeUndefined();
  });
});

test("G16, C4: a denial that an older version let wait denies its call", () => {
  const run = none().tell(prompt("p1"));
  deny(run, "g1", ls, "p1");
  const id = "g1" as ApprovalId;
  const { records } = run;
  const book = approvals.get(records, id);
  if (!book) throw new Error("the question is not there");
  for (const key of [...run.layer.keys("book/")].filter((each) => each.includes("/waits/")))
    run.layer.delete(key);
  const [line = ""] = queueKeys(digestId, { agentId: "main" as AgentId, tool: "Bash", hash: ls.input?.hash });
  waits.set(records, line, { ids: [id], size: 1 });
  setHead(records, { unbound: 1 });
  records.keep();
  run.tell(of("p1", started(call("ls", "a"))));
  expect([run.ends, head(run.records).unbound]).toEqual([["a denied direct"], 0]);
  expect(run.requests.map(({ id: each }) => each)).toEqual(["p1" as RequestId]);
});

test("C4: a denial given here stays direct when the client tells that a hook denied: the hook was ours", () => {
  const run = none().tell(
    prompt("p1"),
    started(call("ls", "a")),
    asked(ls, "gate", "g1"),
    decided("g1", "deny", "ls"),
    { type: "tool.denied", call: call("ls", "a"), verdict: "hook", message: "no" },
  );
  expect(run.ends).toEqual(["a denied direct"]);
});
