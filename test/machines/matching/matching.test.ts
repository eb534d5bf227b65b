// Matching
// Which call a question belongs to, and which question an answer is about.

import { describe, expect, test } from "vitest";
import type { AgentId, ApprovalId, Input } from "../../../machines/index.ts";
import { matchCall } from "../../../machines/matching/matching.ts";
import { likeness } from "../../../machines/queues/queue-keys.ts";
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
import { sessions } from "../../support/sessions/generate.ts";
import { holds } from "../../support/properties/property.ts";
import { type Session, story } from "../../support/sessions/script.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const MAIN = "main" as AgentId;

describe("a question", () => {
  test("S3.11: its input comes before its tool, and the oldest call before the others", () => {
    const run = none().tell(...["a", "b", "c"].map((id) => announced(call(id === "a" ? "pwd" : "ls", id))));
    run.tell(asked(call("ls")), asked(call("ls")), asked({ tool: "Bash" }));
    expect(bound(run)).toEqual(["b", "c", "a"]);
    expect(run.approvals.map(({ context }) => context.ambiguous)).toEqual([true, false, false]);
  });

  test("S3.12: that shows its input is not given to a call that is known to have another", () => {
    const run = none().tell(announced(call("pwd", "a")), asked(call("ls")));
    expect(bound(run)).toEqual([undefined]);
  });

  test("S3.12, I-07: a call that has been asked about is never meant again, answered or not", () => {
    const run = none().tell(announced(call("ls", "a")), announced(call("ls", "b")), asked(call("ls")));
    run.tell(
      answered(call("ls", "a"), "approve"),
      asked(call("ls")),
      asked(call("ls"), "sdk"),
      asked(call("ls")),
    );
    expect(bound(run)).toEqual(["a", "b", undefined]);
  });

  test("I-07: with an id it never means a call with another id, however alike", () => {
    const run = none().tell(announced(call("ls", "a")), asked(call("ls", "b"), "sdk"));
    expect(bound(run)).toEqual([undefined]);
    run.tell(announced(call("ls", "c")));
    expect(bound(run)).toEqual([undefined]);
    run.tell(announced(call("ls", "b")));
    expect(bound(run)).toEqual(["b"]);
    expect(run.calls.map(({ approval }) => approval)).toEqual(["none", "none", "pending"]);
  });

  test("I-07: with an id it shares no question about a call with another id", () => {
    const run = none().tell(announced(call("ls", "a")), asked(call("ls")), asked(call("ls", "b"), "sdk"));
    expect(bound(run)).toEqual(["a", undefined]);
  });

  test("I-07: that came before its call is given to it, once", () => {
    const run = none().tell(asked(call("ls")), started(call("ls", "a")), started(call("ls", "b")));
    expect(bound(run)).toEqual(["a"]);
    expect(run.calls.map(({ approval }) => approval)).toEqual(["pending", "none"]);
  });

  test("S3.22: two channels that ask about one call share a question; two questions of one channel are two", () => {
    const run = none().tell(announced(call("ls", "a")), announced(call("ls", "b")));
    run.tell(asked(call("ls")), asked(call("ls"), "sdk"), asked(call("ls")), asked(call("ls"), "sdk"));
    expect(run.approvals.map(({ context }) => [context.callId, context.channels])).toEqual([
      ["a", ["hook", "sdk"]],
      ["b", ["hook", "sdk"]],
    ]);
  });

  test("I-38: of one agent is never about another agent's call", () => {
    const run = none().tell(started(call("ls", "a")), {
      type: "approval.requested",
      call: call("ls"),
      channel: "hook",
      agentId: "a1" as AgentId,
    });
    expect(bound(run)).toEqual([undefined]);
  });
});

describe("an answer", () => {
  test("S3.24: without an approval id it is for the call it names, else for the oldest question that fits", () => {
    const run = none().tell(
      started(call("ls", "a")),
      started(call("ls", "b")),
      asked(call("ls")),
      asked(call("ls")),
    );
    run.tell(answered(call("ls", "b"), "deny"), answered(call("ls"), "approve"));
    expect(run.approvals.map(({ state }) => state)).toEqual(["approved", "denied"]);
    expect(run.calls.map(({ state }) => state)).toEqual(["processing", "denied"]);
  });

  test("I-40: with the id of a call not seen yet it answers nobody's question", () => {
    const run = none().tell(announced(call("ls", "a")), asked(call("ls")));
    expect(run.hear(answered(call("ls", "b"), "deny")).rejection).toBe("no approval fits this answer");
    expect(run.ends).toEqual(["a queued"]);
  });

  test("I-40: with an unknown approval id it answers nobody's question, and withdraws nobody's", () => {
    const run = none().tell(announced(call("ls", "a")), asked(call("ls")));
    const other = { approvalId: "other" as ApprovalId, call: call("ls") };
    expect(run.hear({ type: "approval.withdrawn", ...other }).rejection).toBe(
      "no approval fits this withdrawal",
    );
    expect(run.hear(answered(call("ls"), "deny", "other")).rejection).toBe("no approval fits this answer");
    expect(run.approvals.map(({ state }) => state)).toEqual(["pending"]);
  });

  test("G8: that comes before its question waits for it", () => {
    const run = none().tell(
      started(call("ls", "a")),
      decided("g1", "deny", "ls"),
      asked(call("ls"), "gateway", "g1"),
    );
    expect(run.ends).toEqual(["a denied direct"]);
  });

  test("G8: that came early is not applied to a question that might be about another call; a person's is", () => {
    const run = none().tell(
      started(call("ls", "a")),
      started(call("ls", "b")),
      decided("g1", "approve", "ls"),
    );
    run.tell(asked(call("ls"), "gateway", "g1"));
    expect(run.approvals.map(({ state, context }) => [state, context.ambiguous])).toEqual([
      ["pending", true],
    ]);
    run.tell(decided("g1", "deny", "ls"));
    expect(run.approvals.map(({ state }) => state)).toEqual(["denied"]);
  });

  test("C4: the client's general rejection of a call that was allowed means that it was interrupted", () => {
    const rejected: Input = { type: "tool.denied", call: call("ls", "a"), verdict: "rejected" };
    const ask = none().tell(started(call("ls", "a")), asked(call("ls")));
    expect(ask.tell(rejected).ends).toEqual(["a denied direct"]);
    const allowed = none().tell(started(call("ls", "a")), asked(call("ls")), answered(call("ls"), "approve"));
    expect(allowed.tell(rejected).ends).toEqual(["a missing-post interrupted"]);
  });
});

const isOpen = (state: string): boolean => state === "queued" || state === "processing";

/** The open calls in the order in which they were opened, the last time for one that was closed too early (C2). */
function opened(run: SessionRun, before: readonly string[]): readonly string[] {
  const open = run.calls.filter(({ state }) => isOpen(state)).map(({ id }) => id);
  return [...before.filter((id) => open.includes(id)), ...open.filter((id) => !before.includes(id))];
}

/** Seed 003's query, read off the actors themselves: no line, no index. @param order the open calls, by their sequence. */
function literalQuery(run: SessionRun, tool: string, order: readonly string[]): string | undefined {
  return run.calls
    .filter(({ context }) => context.tool === tool)
    .filter(({ context }) => context.agentId === MAIN)
    .filter(({ state, approval }) => isOpen(state) && approval === "none")
    .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))[0]?.id;
}

test("S3.11: tool, session, open, no approval, sequence ascending", () => {
  let found = 0;
  const check = ({ policy, steps }: Session): void => {
    const run = new SessionRun({ policy: { cascade: policy } });
    let order: readonly string[] = [];
    for (const step of steps) {
      run.take(step);
      order = opened(run, order);
      for (const tool of ["Bash", "Read", "Write"]) {
        const expected = literalQuery(run, tool, order);
        const like = likeness(digestId, MAIN, { tool });
        expect(matchCall(run.records, like, { tool })?.id, tool).toBe(expected);
        found += expected === undefined ? 0 : 1;
      }
    }
  };
  holds("test/machines/matching/matching.test.ts", 200, sessions(40), check, story);
  expect(found).toBeGreaterThan(1_000);
});
