// Conversation with Codex
// What the engine is told of threads, turns and items, and what the person is told who started the proxy.

import { beforeEach, describe, expect, it } from "vitest";
import { codexProtocol } from "../../../../adapters/agent-proxy/codex/protocol.ts";
import { noteWords } from "../../../../adapters/agent-proxy/notes.ts";
import { played, settled } from "../../../support/agent-proxy/played.ts";

const { inputsOf, placeOf, written } = noteWords("codex");
let rig: ReturnType<typeof played>;
beforeEach(() => {
  rig = played(60_000, codexProtocol);
  rig.client({ id: 0, method: "initialize", params: { clientInfo: { name: "t" } } });
  rig.agent({ id: 0, result: { userAgent: "t/0.169.0 (Debian 12; x86_64) xterm (t; 1)" } });
});

const begins = (method: string, id: string, more: object = {}): void => {
  rig.client({ id: 1, method, params: { threadId: "old", cwd: "/w" } });
  rig.agent({ id: 1, result: { thread: { id }, cwd: "/w", approvalPolicy: "untrusted", ...more } });
};
const prompts = (text: string, turn = "u1"): void => {
  const input = [
    { type: "text", text },
    { type: "localImage", path: "/a.png" },
  ];
  rig.client({ id: 2, method: "turn/start", params: { threadId: "t1", input } });
  rig.agent({ id: 2, result: { turn: { id: turn, status: "inProgress" } } });
};
const tells = (method: string, params: object): void =>
  rig.agent({ method, params: { threadId: "t1", turnId: "u1", ...params } });
const item = (method: string, more: object): void => tells(`item/${method}`, { item: { id: "c1", ...more } });
const meant = (): readonly unknown[] => rig.notes.flatMap((note) => inputsOf({ hook: written(note) }));

describe("what the engine is told", () => {
  it("PROXY-SESSIONS-1: a thread by the program's name and its id, with its folder and Codex's version", () => {
    begins("thread/start", "t1");
    // Codex tells of it a second time.
    rig.agent({ method: "thread/started", params: { thread: { id: "t1", cwd: "/w" } } });
    const agent = { name: "Codex", version: "0.169.0" };
    expect(rig.notes).toEqual([{ told: "session", session: "agent-t1", cwd: "/w", agent, resumed: false }]);
    expect(rig.notes.map(written).map(placeOf)).toEqual([{ sessionId: "agent-t1", cwd: "/w" }]);
  });

  it("PROXY-TALK-1: threads that are resumed, forked, begun by Codex itself, named and closed", () => {
    const client = "Codex 0.169.0";
    begins("thread/resume", "t1");
    begins("thread/fork", "t2");
    rig.agent({ method: "thread/started", params: { thread: { id: "t3", cwd: "/sub" } } });
    tells("thread/name/updated", { threadName: "Shop" });
    tells("thread/name/updated", {});
    rig.agent({ method: "thread/closed", params: { threadId: "t3" } });
    expect(meant()).toEqual([
      { type: "session.started", reason: "resume", cwd: "/w", client },
      { type: "session.started", reason: "startup", cwd: "/w", client },
      { type: "session.started", reason: "startup", cwd: "/sub", client },
      { type: "session.noted", cwd: "/w", title: "Shop", client },
      { type: "session.ended", reason: "the agent or its client is gone" },
    ]);
  });

  it("PROXY-TALK-1: a turn and its end; both pass as they came", async () => {
    begins("thread/start", "t1");
    prompts("Do it.");
    tells("turn/completed", { turn: { id: "u0", status: "completed" } });
    tells("turn/completed", { turn: { id: "u1", status: "completed" } });
    prompts("Again.", "u2");
    tells("turn/completed", { turn: { id: "u2", status: "interrupted" } });
    prompts("Once more.", "u3");
    tells("turn/completed", { turn: { id: "u3", status: "failed", error: { message: "No model." } } });
    await settled();
    expect(rig.clientHeard()).toHaveLength(9);
    expect(meant().slice(1)).toEqual([
      { type: "prompt.submitted", promptId: "u1", text: "Do it.\n/a.png" },
      { type: "turn.stopped", promptId: "u1", outcome: "completed" },
      { type: "prompt.submitted", promptId: "u2", text: "Again.\n/a.png" },
      { type: "turn.stopped", promptId: "u2", outcome: "interrupted" },
      { type: "prompt.submitted", promptId: "u3", text: "Once more.\n/a.png" },
      { type: "turn.stopped", promptId: "u3", outcome: "failed", error: "No model." },
    ]);
  });

  it("CODEX-ITEMS-1: a call waits until it ends, with its output or as declined", () => {
    const command = { type: "commandExecution", command: "ls", cwd: "/w", source: "agent" };
    item("started", { ...command, status: "inProgress" });
    item("completed", { ...command, status: "completed", aggregatedOutput: "a\nb" });
    item("started", { ...command, status: "inProgress" });
    item("completed", { ...command, status: "declined", aggregatedOutput: null });
    const tool = { type: "mcpToolCall", id: "c2", server: "x", tool: "y", arguments: { a: 1 } };
    item("started", { ...tool, status: "inProgress" });
    item("completed", { ...tool, status: "completed", result: { content: [{ type: "text", text: "ok" }] } });
    item("started", { ...tool, status: "inProgress" });
    item("completed", { ...tool, status: "failed", error: { message: "No." } });
    expect(meant()).toMatchObject([
      { type: "tool.announced", call: { toolUseId: "c1-r", tool: "commandExecution" } },
      {
        type: "tool.finished",
        call: { toolUseId: "c1-r", input: { text: '{"command":"ls","cwd":"/w"}' } },
        output: "a\nb",
      },
      { type: "tool.announced", call: { toolUseId: "c1-r-1" } },
      { type: "tool.denied", call: { toolUseId: "c1-r-1" }, verdict: "rule", beforeRun: true },
      { type: "tool.announced", call: { toolUseId: "c2-r", tool: "mcp__x__y" } },
      { type: "tool.finished", output: "ok" },
      { type: "tool.announced" },
      { type: "tool.failed", error: "No." },
    ]);
  });

  it("PROXY-CALLS-1: a call that was told no is denied by a person's word", async () => {
    const command = { type: "commandExecution", command: "ls", cwd: "/w" };
    item("started", { ...command, status: "inProgress" });
    const params = { threadId: "t1", turnId: "u1", itemId: "c1", command: "ls", cwd: "/w" };
    rig.agent({ id: 0, method: "item/commandExecution/requestApproval", params });
    rig.asked[0]?.end({ type: "deny", message: "", interrupt: false });
    await settled();
    item("completed", { ...command, status: "declined" });
    expect(meant().at(-1)).toMatchObject({
      type: "tool.denied",
      call: { toolUseId: "c1-r" },
      verdict: "user",
    });
  });

  it.each([
    ["approved", "approve", "fine"],
    ["denied", "deny", "fine"],
    ["timedOut", "deny", "The review took too long."],
  ])(
    "CODEX-CONVERSATION-3, PROXY-NOTES-2: a review that %s is a question that a model answered",
    (status, decision, message) => {
      item("started", { type: "commandExecution", command: "ls", cwd: "/w", status: "inProgress" });
      const action = { type: "command", source: "unifiedExec", command: "/bin/ls", cwd: "/w" };
      const review = { status: "inProgress", rationale: null };
      const about = { reviewId: "r1", targetItemId: "c1", action };
      tells("item/autoApprovalReview/started", { ...about, review });
      tells("item/autoApprovalReview/completed", { ...about, review: { status, rationale: "fine" } });
      const call = {
        toolUseId: "c1-r",
        tool: "commandExecution",
        input: { text: '{"command":"ls","cwd":"/w"}' },
      };
      expect(meant().slice(1)).toMatchObject([
        { type: "approval.requested", approvalId: "review-r1-r", call, channel: "model" },
        { type: "approval.answered", approvalId: "review-r1-r", call, decision, by: "model", message },
      ]);
      expect(meant()[1]).not.toHaveProperty("deadlineAt");
    },
  );

  it("CODEX-CONVERSATION-3: a review of no item is a call of its own, and one that came to no end is not told", () => {
    const action = { type: "networkAccess", target: "t", host: "x", protocol: "https", port: 443 };
    const about = { reviewId: "r1", targetItemId: null, action };
    tells("item/autoApprovalReview/completed", { ...about, review: { status: "aborted" } });
    tells("item/autoApprovalReview/completed", { ...about, review: { status: "approved" } });
    expect(meant()).toMatchObject([
      { type: "approval.requested", call: { toolUseId: "request-r-1", tool: "networkAccess" } },
      { type: "approval.answered", by: "model" },
    ]);
  });

  it("PROXY-NOTES-2: a review that says neither yes nor no is refused", () => {
    const note = { codex: "review", session: "s", call: "c", tool: "t", review: "r", tool_input: {} };
    for (const more of [{}, { decision: "maybe" }, { decision: "approve", tool_input: undefined, review: 1 }])
      expect(() => inputsOf({ hook: { ...note, ...more } })).toThrow("is missing");
  });

  it("CODEX-ITEMS-2: what a person runs through the client is no call, and what Codex says is told as words", () => {
    item("started", { type: "commandExecution", source: "userShell", command: "ls", cwd: "/w" });
    item("completed", { type: "agentMessage", text: "Hello." });
    item("completed", { type: "agentMessage", text: "" });
    expect(rig.notes).toMatchObject([{ told: "said", text: "Hello." }]);
  });
});

it("PROXY-SESSIONS-2: of many threads the oldest is forgotten first", async () => {
  for (let n = 0; n <= 1_000; n++) begins("thread/start", `t${n}`);
  await rig.proxy.leave();
  const ended = rig.notes.flatMap((note) => ("ended" in note ? [note.session] : []));
  expect([ended.length, ended[0]]).toEqual([1_000, "agent-t1"]);
});

it.each([
  ["asks for no approvals", { approvalPolicy: "never" }, "Signalbox cannot hold its calls there"],
  ["has a model answer", { approvalsReviewer: "auto_review" }, "Signalbox may not be asked there"],
])("CODEX-CONVERSATION-2: a thread in which Codex %s is told to the person", (_, more, words) => {
  begins("thread/start", "t1", { approvalsReviewer: "user" });
  expect(rig.said).toEqual([]);
  begins("thread/start", "t2", more);
  expect(rig.said).toEqual([expect.stringContaining(words)]);
});
