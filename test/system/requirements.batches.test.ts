// Seed 003, approval matching in batches, through an engine: its ten calls, its query, its denial.

import { describe, expect, test } from "vitest";
import type { ApprovalId, CallRef, CascadePolicy, SessionId, SourceInput } from "../../machines/index.ts";
import { DEFAULT_CONFIGURATION } from "../../runtime/config.ts";
import { type CallAnswer, Queries } from "../../runtime/reading/queries.ts";
import { Rig, WORKSPACE } from "../support/engine/rig.ts";
import { call, said, unnamed } from "../support/sessions/said.ts";

const READ = { tool: "Read" };
const BASH = { tool: "Bash" };
const WRITE = { tool: "Write" };
/** Calls 1 to 10. */
const TEN: readonly CallRef[] = [READ, BASH, BASH, READ, READ, BASH, WRITE, READ, BASH, READ].map(
  ({ tool }, n) => call(`t${n + 1}`, tool, { n: n + 1 }),
);
const nth = (n: number): CallRef => TEN[n - 1] ?? {};

/** As the prompt tool of the seed asks: function and arguments, no id of the call. */
const asks = (approvalId: string, { tool, input }: CallRef): SourceInput => ({
  type: "approval.requested",
  approvalId: approvalId as ApprovalId,
  call: { ...(tool !== undefined && { tool }), ...(input && { input }) },
  channel: "mcp",
});

const announced = (ref: CallRef): SourceInput => ({ type: "tool.announced", call: ref, messageId: "m1" });

async function batch(policy: CascadePolicy = "strict"): Promise<Rig> {
  const configuration = { ...DEFAULT_CONFIGURATION, cascade: { default: policy } };
  const rig = await Rig.start({ configuration });
  await rig.tell("s1", said.prompt("p1"));
  for (const ref of TEN) await rig.tell("s1", announced(ref));
  return rig;
}

const calls = ({ engine }: Rig): readonly CallAnswer[] =>
  [...(new Queries(engine).toolCallsOf("s1", {})?.items ?? [])].sort((a, b) => a.index - b.index);

const states = (rig: Rig): readonly string[] => calls(rig).map(({ execution }) => execution);

/** Which call, from 1, an approval is about. */
const callOf = ({ engine }: Rig, approvalId: string): number =>
  Number(new Queries(engine).getApproval(approvalId)?.callId?.slice(1));

const session = ({ engine }: Rig): string | undefined => new Queries(engine).getSession("s1")?.state;

function decide(
  { engine }: Rig,
  id: string,
  decision: "approve" | "deny",
  more: { readonly interrupt?: boolean } = {},
) {
  const approvalId = id as ApprovalId;
  const shown = new Queries(engine).getApproval(id);
  const inputHash = shown && "inputHash" in shown ? shown.inputHash : "";
  const by = "local:ada";
  const message = "not like this";
  const said = { type: "decision", approvalId, decision, inputHash, by, message, ...more } as const;
  return engine.own(WORKSPACE, "s1" as SessionId, said);
}

/** Calls 1 to 5 as the example has them: 1 runs, 2 and 3 are approved, 4 and 5 run. */
async function untilSix(rig: Rig): Promise<void> {
  await rig.tell("s1", said.pre(nth(1)), said.post(nth(1)));
  for (const n of [2, 3]) {
    await rig.tell("s1", said.pre(nth(n)), asks(`a${n}`, nth(n)));
    await decide(rig, `a${n}`, "approve");
    await rig.tell("s1", said.post(nth(n)));
  }
  for (const n of [4, 5]) await rig.tell("s1", said.pre(nth(n)), said.post(nth(n)));
  await rig.tell("s1", said.pre(nth(6)), asks("a6", nth(6)));
}

describe("the ten calls", () => {
  test("S3.1–S3.3, S3.16: all ten are stored as they come, not completed, in the order they came", async () => {
    const rig = await batch();
    expect(calls(rig).map(({ id, tool, index, execution }) => [id, tool, index, execution])).toEqual(
      TEN.map(({ toolUseId, tool }, n) => [toolUseId, tool, n, "queued"]),
    );
  });

  test("S3.4–S3.7, S3.11, S3.13, S3.26: asked by tool and input alone, each approval belongs to the call that runs", async () => {
    const rig = await batch();
    await rig.tell("s1", said.pre(nth(1)), said.post(nth(1)));
    expect(states(rig).slice(0, 3)).toEqual(["completed", "queued", "queued"]);
    await rig.tell("s1", said.pre(nth(2)), asks("a2", nth(2)));
    expect(callOf(rig, "a2")).toBe(2);
    await decide(rig, "a2", "approve");
    await rig.tell("s1", said.post(nth(2)), said.pre(nth(3)), asks("a3", nth(3)));
    expect(callOf(rig, "a3")).toBe(3);
    await decide(rig, "a3", "approve");
    await rig.tell("s1", said.post(nth(3)));
    for (const n of [4, 5]) await rig.tell("s1", said.pre(nth(n)), said.post(nth(n)));
    const done = ["completed", "completed", "completed", "completed", "completed"];
    expect(states(rig)).toEqual([...done, "queued", "queued", "queued", "queued", "queued"]);
  });

  test("S3.5, S3.11: asked by tool name alone, the oldest open call without an approval is meant", async () => {
    const rig = await batch();
    const nameOnly = { tool: "Bash" };
    for (const [id, expected] of [
      ["a", 2],
      ["b", 3],
      ["c", 6],
      ["d", 9],
    ] as const) {
      await rig.tell("s1", asks(id, nameOnly));
      expect(callOf(rig, id)).toBe(expected);
    }
  });

  test("S3.8, S3.9: strict: denying 6 denies 6 to 10, the read-only ones too, and their results change nothing", async () => {
    const rig = await batch("strict");
    await untilSix(rig);
    await decide(rig, "a6", "deny");
    const denied = ["denied", "denied", "denied", "denied", "denied"];
    expect(states(rig).slice(5)).toEqual(denied);
    expect(
      calls(rig)
        .slice(5)
        .map(({ denial }) => denial?.cause),
    ).toEqual(["direct", ...Array<string>(4).fill("cascade")]);
    expect(
      new Set(
        calls(rig)
          .slice(6)
          .map(({ denial }) => denial?.callId),
      ),
    ).toEqual(new Set(["t6"]));
    for (const n of [6, 7, 8, 9, 10]) {
      const message = "Tool call denied, following user message is feedback";
      await rig.tell("s1", {
        type: "tool.denied",
        call: nth(n),
        verdict: "rejected",
        message,
        beforeRun: true,
      });
    }
    expect(states(rig).slice(5)).toEqual(denied);
    expect(
      calls(rig)
        .slice(5)
        .map(({ observed }) => observed),
    ).toEqual(Array<string>(5).fill("not-run"));
  });

  test("S3.8: interrupt: a plain denial takes no other call, one with interrupt every open one", async () => {
    const plain = await batch("interrupt");
    await untilSix(plain);
    await decide(plain, "a6", "deny");
    expect(states(plain).slice(5)).toEqual(["denied", "queued", "queued", "queued", "queued"]);

    const stopped = await batch("interrupt");
    await untilSix(stopped);
    await decide(stopped, "a6", "deny", { interrupt: true });
    expect(states(stopped).slice(5)).toEqual(["denied", "denied", "denied", "denied", "denied"]);
  });

  test("S3.8: none: a denial takes no other call, whatever it says", async () => {
    const rig = await batch("none");
    await untilSix(rig);
    await decide(rig, "a6", "deny", { interrupt: true });
    expect(states(rig).slice(5)).toEqual(["denied", "queued", "queued", "queued", "queued"]);
  });

  test("S3.24: a decision changes the call it is about, and no other", async () => {
    const rig = await batch();
    await untilSix(rig);
    const before = calls(rig);
    await decide(rig, "a6", "approve");
    expect(calls(rig).filter((each, n) => JSON.stringify(each) !== JSON.stringify(before[n]))).toMatchObject([
      { id: "t6", approval: { state: "approved", by: "local:ada" } },
    ]);
  });
});

describe("what is shown", () => {
  test("S3.15: a call shows its id, tool, input, execution, approval and place", async () => {
    const rig = await batch();
    await untilSix(rig);
    expect(calls(rig)[5]).toMatchObject({
      toolUseId: "t6",
      tool: "Bash",
      input: { n: 6 },
      execution: "processing",
      approval: { id: "a6", state: "pending" },
      index: 5,
    });
    expect(calls(rig)[6]?.approval).toBeUndefined();
  });

  test("S3.17: the session waits for input while a question is pending, and runs after it", async () => {
    const rig = await batch();
    expect(session(rig)).toBe("running");
    await untilSix(rig);
    expect(session(rig)).toBe("waiting_input");
    await decide(rig, "a6", "approve");
    expect(session(rig)).toBe("running");
  });

  test("S3.18–S3.21: open calls stand in their order with their states; the one that is asked about is among them", async () => {
    const rig = await batch();
    await untilSix(rig);
    expect(calls(rig).map(({ index, execution, approval }) => [index, execution, approval?.state])).toEqual([
      [0, "completed", undefined],
      [1, "completed", "approved"],
      [2, "completed", "approved"],
      [3, "completed", undefined],
      [4, "completed", undefined],
      [5, "processing", "pending"],
      [6, "queued", undefined],
      [7, "queued", undefined],
      [8, "queued", undefined],
      [9, "queued", undefined],
    ]);
    expect(new Queries(rig.engine).listApprovals({ state: "pending" }).items.map(({ id }) => id)).toEqual([
      "a6",
    ]);
  });
});

describe("premises that do not hold everywhere", () => {
  test("S3.12, S3.25: a call that is stuck behind its approval blocks no later one", async () => {
    const rig = await batch();
    await rig.tell("s1", said.pre(nth(2)), asks("stuck", { tool: "Bash" }));
    await decide(rig, "stuck", "approve");
    await rig.tell("s1", asks("next", { tool: "Bash" }));
    expect([callOf(rig, "stuck"), callOf(rig, "next")]).toEqual([2, 3]);
  });

  test("S3.25: a crash of the client ends what is stuck, and its question", async () => {
    const rig = await batch();
    await untilSix(rig);
    await rig.tell("s1", { type: "session.started", reason: "resume" });
    expect(states(rig).slice(5)).toEqual(Array<string>(5).fill("missing-post"));
    expect(new Queries(rig.engine).getApproval("a6")?.state).toBe("withdrawn");
    expect(session(rig)).toBe("idle");
  });

  test("S3.22, S3.23: several questions at once, in any order, each find their own call", async () => {
    const rig = await batch();
    for (const n of [9, 2, 7, 3]) await rig.tell("s1", asks(`a${n}`, nth(n)));
    expect([9, 2, 7, 3].map((n) => callOf(rig, `a${n}`))).toEqual([9, 2, 7, 3]);
    await decide(rig, "a9", "approve");
    await decide(rig, "a2", "approve");
    expect(
      calls(rig)
        .filter(({ approval }) => approval?.state === "pending")
        .map(({ id }) => id),
    ).toEqual(["t3", "t7"]);
  });

  test("S3.12: two calls that are the same in every word are two; each gets one question", async () => {
    const rig = await Rig.start();
    const same = unnamed("Bash", { command: "ls" });
    await rig.tell("s1", said.prompt("p1"));
    for (let n = 0; n < 2; n += 1) await rig.tell("s1", announced({ ...same, toolUseId: `u${n}` }));
    await rig.tell("s1", asks("first", same), asks("second", same));
    const { engine } = rig;
    expect(["first", "second"].map((id) => new Queries(engine).getApproval(id)?.callId)).toEqual([
      "u0",
      "u1",
    ]);
  });
});
