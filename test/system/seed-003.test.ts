// Seed 003
// The ten-call batch, asked about without ids, under each cascade policy.

import { describe, expect, test } from "vitest";
import type { ApprovalId, CascadePolicy } from "../../machines/index.ts";
import { type Heard, SessionRun } from "../support/sessions/session-run.ts";
import { asks, idOf, NUMBERS, question, tenCalls } from "../support/sessions/ten-calls.ts";

const ASKED = NUMBERS.filter(asks);
const run = (cascade: CascadePolicy = "strict") => new SessionRun({ policy: { cascade } });
const stateOf = (of: SessionRun, number: number) => of.calls.find(({ id }) => id === idOf(number))?.state;
const numbersIn = (of: SessionRun, state: string) =>
  NUMBERS.filter((number) => stateOf(of, number) === state);

/** A person's no to the question asked last. */
function deny(of: SessionRun, interrupt = false): Heard {
  const decide = of.approvals.length - 1;
  return of.take({ decide, decision: "deny", hash: "shown", interrupt }) ?? {};
}

/** The terminal's yes to the question asked last: one that shows no input cannot be approved here. */
function allow(of: SessionRun): void {
  const approvalId = of.approvals.at(-1)?.context.id as ApprovalId;
  of.tell({ type: "approval.answered", approvalId, call: {}, decision: "approve", by: "terminal" });
}

/** What one message changed, as `<call> <state>`, in order. */
const changed = ({ changes = [] }: Heard) =>
  changes.filter(({ entity }) => entity === "toolcall").map(({ id, to }) => `${id} ${to}`);

describe("matching", () => {
  test("S3.3: all ten are there before any runs, in one batch and in their order", () => {
    const ten = run().tell(...tenCalls.announced);
    expect(ten.calls.map(({ id, state, context }) => [id, state, context.index])).toEqual(
      NUMBERS.map((number) => [idOf(number), "queued", number - 1]),
    );
    expect(new Set(ten.calls.map(({ context }) => context.batchId)).size).toBe(1);
  });

  test.each([
    ["tool and input", true],
    ["the tool alone", false],
  ])("S3.5: asked by %s, the first approval belongs to call 2, never to 6", (_, withInput) => {
    const ten = run().tell(
      ...tenCalls.announced,
      ...tenCalls.run(1),
      tenCalls.started(2),
      question(2, withInput),
    );
    expect(ten.approvals.map(({ context }) => context.callId)).toEqual([idOf(2)]);
    expect(ten.calls.map(({ approval }) => approval).indexOf("pending")).toBe(1);
  });

  test("S3.6, S3.7: each next approval belongs to the next call that asks, and the others wait for none", () => {
    const ten = run().tell(...tenCalls.announced);
    for (const number of NUMBERS) {
      ten.tell(tenCalls.started(number));
      if (asks(number)) {
        ten.tell(question(number, false));
        expect(ten.session?.state).toBe("waiting_input");
        allow(ten);
      }
      expect(ten.session?.state).toBe("running");
      ten.tell(tenCalls.finished(number));
    }
    expect(ten.approvals.map(({ context }) => context.callId)).toEqual(ASKED.map(idOf));
    expect(numbersIn(ten, "completed")).toEqual(NUMBERS);
  });

  test("S3.12: a call that hangs after its approval keeps it; the next question is about the next call", () => {
    const ten = run().tell(
      ...tenCalls.announced,
      ...tenCalls.run(1),
      tenCalls.started(2),
      question(2, false),
    );
    allow(ten);
    ten.tell(question(3, false));
    expect(ten.approvals.map(({ context }) => context.callId)).toEqual([idOf(2), idOf(3)]);
  });
});

describe("cascade", () => {
  test("S3.8, I-10, I-12: strict: denying 6 denies 6 to 10 in one turn, the read-only ones too, and 1 to 5 stay", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    expect(changed(deny(ten))).toEqual([6, 7, 8, 9, 10].map((number) => `${idOf(number)} denied`));
    expect(numbersIn(ten, "completed")).toEqual([1, 2, 3, 4, 5]);
    expect(ten.session?.state).toBe("running");
  });

  test("I-13: strict: each denial that follows names call 6 and its question; 6 itself follows none", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    deny(ten);
    const denials = ten.calls.slice(5).map(({ context }) => context.denial);
    const approvalId = ten.approvals.at(-1)?.id;
    expect(denials[0]).toMatchObject({ cause: "direct", approvalId, predicted: false });
    expect(denials[0]).not.toHaveProperty("callId");
    for (const denial of denials.slice(1)) {
      expect(denial).toMatchObject({ cause: "cascade", callId: idOf(6), approvalId, predicted: true });
    }
  });

  test("S3.9, C5: strict: the five results confirm what was predicted and change no state", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    deny(ten);
    for (const number of [6, 7, 8, 9, 10]) ten.tell(tenCalls.rejected(number));
    expect(numbersIn(ten, "denied")).toEqual([6, 7, 8, 9, 10]);
    const seen = ten.calls.slice(5).map(({ context }) => [context.observed, context.denial?.predicted]);
    expect(seen).toEqual(Array.from({ length: 5 }, () => ["not-run", false]));
  });

  test("C5: strict: a call that ran all the same stays denied, and says that it ran", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    deny(ten);
    ten.tell(tenCalls.started(8), tenCalls.finished(8));
    const eight = ten.calls.find(({ id }) => id === idOf(8));
    expect(eight).toMatchObject({ state: "denied", context: { observed: "ran", executedAfterDenial: true } });
  });

  test("I-11: strict: a call of the batch that is first seen after the denial is denied as it arrives", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    deny(ten);
    const late = { toolUseId: "t11", tool: "Read" };
    expect(changed(ten.hear({ type: "tool.announced", call: late, messageId: "m1" }))).toEqual([
      "t11 created",
      "t11 queued",
      "t11 denied",
    ]);
    ten.tell({
      type: "tool.batch",
      calls: [...NUMBERS.map((n) => ({ toolUseId: idOf(n) })), late, { toolUseId: "t12", tool: "Read" }],
    });
    expect(ten.calls.slice(10).map(({ state, context }) => [state, context.executedAfterDenial])).toEqual([
      ["denied", undefined],
      ["denied", undefined],
    ]);
  });

  test("I-11: strict: the next batch is not touched", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    deny(ten);
    ten.tell({ type: "tool.announced", call: { toolUseId: "n1", tool: "Read" }, messageId: "m2" });
    expect(ten.calls.at(-1)?.state).toBe("queued");
  });

  test("I-10: interrupt: a denial without interrupt takes no other call", () => {
    const ten = run("interrupt").tell(...tenCalls.upTo(6));
    expect(changed(deny(ten))).toEqual([`${idOf(6)} denied`]);
    expect(numbersIn(ten, "queued")).toEqual([7, 8, 9, 10]);
  });

  test("I-10: interrupt: a denial with interrupt takes every open call of the request, in one turn", () => {
    const ten = run("interrupt").tell(...tenCalls.upTo(6));
    expect(changed(deny(ten, true))).toEqual([6, 7, 8, 9, 10].map((number) => `${idOf(number)} denied`));
  });

  test("I-10: interrupt: a background agent's calls go on, those of one that is waited for do not", () => {
    const agent = (agentId: string, started: string) =>
      [
        { type: "tool.started", call: { toolUseId: started, tool: "Agent" } },
        { type: "agent.linked", agentId: agentId as never, toolUseId: started },
        {
          type: "tool.started",
          agentId: agentId as never,
          call: { toolUseId: `of-${agentId}`, tool: "Read" },
        },
      ] as const;
    const launched = { type: "tool.finished", call: { toolUseId: "bg" }, output: "launched" } as const;
    const ten = run("interrupt").tell(
      ...tenCalls.upTo(6),
      ...agent("a1", "fg"),
      ...agent("a2", "bg"),
      launched,
    );
    deny(ten, true);
    const ends = ten.calls.slice(10).map(({ id, state }) => `${id} ${state}`);
    expect(ends).toEqual(["fg missing-post", "of-a1 missing-post", "bg completed", "of-a2 processing"]);
  });

  test("I-10: interrupt: what a background agent waits for goes on with it", () => {
    const a1 = { agentId: "a1" as never };
    const a2 = { agentId: "a2" as never };
    const ten = run("interrupt").tell(
      ...tenCalls.upTo(6),
      { type: "tool.started", call: { toolUseId: "bg", tool: "Agent" } },
      { type: "agent.linked", ...a1, toolUseId: "bg" },
      { type: "tool.finished", call: { toolUseId: "bg" }, output: "launched" },
      { type: "tool.started", ...a1, call: { toolUseId: "nested", tool: "Agent" } },
      { type: "agent.linked", ...a2, toolUseId: "nested" },
      { type: "tool.started", ...a2, call: { toolUseId: "deep", tool: "Read" } },
    );
    deny(ten, true);
    const ends = ten.calls.slice(10).map(({ id, state }) => `${id} ${state}`);
    expect(ends).toEqual(["bg completed", "nested processing", "deep processing"]);
  });

  test("I-10: none: a denial takes no other call, whatever it says", () => {
    const ten = run("none").tell(...tenCalls.upTo(6));
    expect(changed(deny(ten, true))).toEqual([`${idOf(6)} denied`]);
    expect(
      changed(
        ten.hear({ type: "tool.announced", call: { toolUseId: "t11", tool: "Read" }, messageId: "m1" }),
      ),
    ).toEqual(["t11 created", "t11 queued"]);
  });

  test("S3.10: the reason given with a denial stands on every call that it denies", () => {
    const ten = run("strict").tell(...tenCalls.upTo(6));
    const { id } = ten.approvals.at(-1) ?? { id: "" };
    ten.tell({
      type: "decision",
      approvalId: id as never,
      decision: "deny",
      by: "local:ann",
      message: "use rg",
    });
    expect(ten.calls.slice(5).map(({ context }) => context.denial?.message)).toEqual(
      Array.from({ length: 5 }, () => "use rg"),
    );
  });
});
