// Questions
// A question that comes late, about a call that is closed already.

import { describe, expect, test } from "vitest";
import type { RequestId, SessionId, SourceInput, WorkspaceId } from "../../machines/index.ts";
import { memoryEngine } from "../support/engine/memory-engine.ts";
import { playedCalls } from "../support/sessions/play.ts";

const bash = (toolUseId: string, hash: string) => ({
  toolUseId,
  tool: "Bash",
  input: { text: `"${hash}"`, hash },
});
const asked = (hash: string) => ({ tool: "Bash", input: { text: `"${hash}"`, hash } });
const question = (hash: string): SourceInput => ({
  type: "approval.requested",
  promptId: "p1",
  channel: "hook",
  call: asked(hash),
});

async function said(inputs: readonly SourceInput[]) {
  const { engine } = await memoryEngine(undefined, { translate: ({ data }) => [data as SourceInput] });
  for (const [index, data] of inputs.entries()) {
    const common = {
      workspace: "shop" as WorkspaceId,
      session: "s1" as SessionId,
      source: "test",
      type: "test",
    };
    await (
      await engine.submit({ door: "in", id: `i${index}`, data, ...common })
    ).settled;
  }
  const requests = [
    ...engine.store.range({ gte: "actor/shop/s1/request/", lt: "actor/shop/s1/request0" }),
  ].map(([key]) => key.split("/").at(-1) as RequestId);
  const calls = new Map(playedCalls(engine).map((call) => [call.toolUseId, call]));
  await engine.stop();
  return { calls, requests };
}

const denied: SourceInput = { type: "tool.denied", call: { toolUseId: "t1" }, verdict: "hook" };

describe("a question behind the result of its call", () => {
  test("S3.5, S3.26: is not given to another call of the tool that is known to have another input", async () => {
    const { calls } = await said([
      { type: "prompt.submitted", promptId: "p1", text: "go" },
      { type: "tool.announced", call: bash("t1", "one") },
      { type: "tool.announced", call: bash("t2", "two") },
      { type: "tool.finished", call: { toolUseId: "t1" }, output: "done" },
      question("one"),
      { type: "approval.answered", promptId: "p1", call: asked("one"), decision: "deny", by: "hook" },
    ]);
    expect(calls.get("t1")?.execution).toBe("completed");
    expect(calls.get("t2")?.execution).toBe("queued");
    expect(calls.get("t2")?.context.approval).toBeUndefined();
  });

  test("R1: opens no continuation of a request that is over, and finds its call there", async () => {
    const { calls, requests } = await said([
      { type: "prompt.submitted", promptId: "p1", text: "go" },
      { type: "tool.announced", call: bash("t1", "one") },
      denied,
      { type: "turn.stopped", promptId: "p1", outcome: "interrupted" },
      question("one"),
    ]);
    expect(requests).toEqual(["p1"]);
    expect(calls.get("t1")?.context.approval?.inputHash).toBe("one");
  });
});
