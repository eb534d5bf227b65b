// Conversation
// What the engine is told of what editor and agent say, and what that means there.

import { beforeEach, describe, expect, it } from "vitest";
import { acpProtocol } from "../../../../adapters/agent-proxy/acp/protocol.ts";
import { Calls } from "../../../../adapters/agent-proxy/calls.ts";
import { Lines } from "../../../../adapters/agent-proxy/lines.ts";
import { type Note, noteWords } from "../../../../adapters/agent-proxy/notes.ts";
import { RefusedError } from "../../../../runtime/errors/errors.ts";
import { played, settled } from "../../../support/agent-proxy/played.ts";

const { inputsOf, placeOf, written } = noteWords("acp");
let rig: ReturnType<typeof played>;
beforeEach(() => {
  rig = played();
  rig.client({ id: 0, method: "initialize", params: {} });
  rig.agent({ id: 0, result: { protocolVersion: 1, agentInfo: { name: "A", version: "1.0" } } });
});

const opens = (id: unknown, sessionId: string, cwd: string): void => {
  rig.client({ id, method: "session/new", params: { cwd, mcpServers: [] } });
  rig.agent({ id, result: { sessionId } });
};
const prompts = (id: unknown, text: string): void =>
  rig.client({
    id,
    method: "session/prompt",
    params: {
      sessionId: "s1",
      prompt: [
        { type: "text", text },
        { type: "resource_link", uri: "file:///a" },
      ],
    },
  });
const updates = (update: object, sessionId = "s1"): void =>
  rig.agent({ method: "session/update", params: { sessionId, update } });
const call = (toolCallId: string, more: object = {}): void =>
  updates({ sessionUpdate: "tool_call", toolCallId, title: "Run", kind: "execute", ...more });
const changes = (toolCallId: string, more: object): void =>
  updates({ sessionUpdate: "tool_call_update", toolCallId, ...more });
const meant = (note: Note): unknown => inputsOf({ hook: written(note) })[0];
const content = [{ type: "content", content: { type: "text", text: "done" } }];

describe("what the engine is told", () => {
  it("PROXY-SESSIONS-1: a session by the agent's program and id, with its folder and the agent's version", () => {
    opens(1, "s1", "/w");
    expect(rig.notes).toEqual([
      {
        told: "session",
        session: "agent-s1",
        cwd: "/w",
        agent: { name: "A", version: "1.0" },
        resumed: false,
      },
    ]);
    expect(rig.notes.map(written).map(placeOf)).toEqual([{ sessionId: "agent-s1", cwd: "/w" }]);
    opens(2, "x/../\ud800", "/w");
    expect(rig.notes[1]?.session).toMatch(/^h_[a-z2-7]{52}$/);
  });

  it("PROXY-TALK-1: a prompt and its end; both pass as they came", async () => {
    opens(1, "s1", "/w");
    prompts("p", "Do it.");
    rig.agent({ id: "p", result: { stopReason: "end_turn" } });
    prompts("q", "Again.");
    rig.agent({ id: "q", result: { stopReason: "cancelled" } });
    prompts("r", "Once more.");
    rig.agent({ id: "r", error: { code: 1, message: "broken" } });
    await settled();
    expect(rig.agentHeard()).toHaveLength(5);
    expect(rig.notes.slice(1).map(meant)).toMatchObject([
      { type: "prompt.submitted", promptId: "prompt-r-1", text: "Do it.\nfile:///a" },
      { type: "turn.stopped", promptId: "prompt-r-1", outcome: "completed" },
      { type: "prompt.submitted", promptId: "prompt-r-2" },
      { type: "turn.stopped", outcome: "interrupted" },
      { type: "prompt.submitted" },
      { type: "turn.stopped", outcome: "failed", error: "the agent answered with an error" },
    ]);
  });

  it("PROXY-NOTES-1: a call as it begins, runs and ends; what changes nothing of that is not told", () => {
    call("c1", { status: "pending", rawInput: {} });
    changes("c1", { status: "in_progress", rawInput: { command: "ls" } });
    for (const text of ["a", "b"])
      changes("c1", { content: [{ type: "content", content: { type: "text", text } }] });
    changes("c1", { status: "completed", content });
    call("c2", { status: "in_progress", kind: "made up" });
    changes("c2", { status: "failed", rawOutput: { error: "no" } });
    const ran = { toolUseId: "c1-r", tool: "execute", input: { text: '{"command":"ls"}' } };
    expect(rig.notes.map(meant)).toMatchObject([
      { type: "tool.announced", call: { toolUseId: "c1-r", tool: "execute" } },
      { type: "tool.started", call: ran },
      { type: "tool.finished", call: ran, output: "done" },
      { type: "tool.started", call: { toolUseId: "c2-r", tool: "other" } },
      { type: "tool.failed", error: '{"error":"no"}' },
    ]);
    expect(meant(rig.notes[0] as Note)).not.toHaveProperty("call.input");
  });

  it("PROXY-CALLS-1: a call that failed after it was told no is denied; an id that comes again is another call", async () => {
    call("c1", { status: "pending", rawInput: { command: "r", cwd: "/w" } });
    const toolCall = { toolCallId: "c1", rawInput: { command: "rm" } };
    const options = [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    rig.agent({
      id: 1,
      method: "session/request_permission",
      params: { sessionId: "s1", toolCall, options },
    });
    const { call: id, tool, tool_input: input } = rig.asked[0]?.note ?? {};
    expect([id, tool, input]).toEqual(["c1-r", "execute", { command: "rm", cwd: "/w" }]);
    rig.asked[0]?.end({ type: "deny", message: "", interrupt: false });
    await settled();
    changes("c1", { status: "failed", content });
    // What it ran on is what was asked about: no more of it was told since.
    expect(rig.notes.at(-1)).toMatchObject({ status: "rejected", tool_input: { command: "rm", cwd: "/w" } });
    call("c1", { status: "in_progress" });
    changes("c1", { status: "completed" });
    expect(rig.notes.slice(1).map(meant)).toMatchObject([
      { type: "tool.denied", call: { toolUseId: "c1-r" }, verdict: "user", message: "done" },
      { type: "tool.started", call: { toolUseId: "c1-r-1" } },
      { type: "tool.finished", call: { toolUseId: "c1-r-1" } },
    ]);
  });

  it("PROXY-CALLS-4: a call that only a question tells of, with the question", async () => {
    const toolCall = { toolCallId: "c1", title: "touch ran", kind: "execute", locations: [] };
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const params = { sessionId: "s1", toolCall, options };
    rig.agent({ id: 1, method: "session/request_permission", params });
    rig.asked[0]?.end({ type: "allow" });
    await settled();
    changes("c1", { status: "completed", title: "touch ran", content });
    rig.agent({ id: 2, method: "terminal/create", params: { sessionId: "s1", command: "ls" } });
    const input = { text: '{"locations":[],"shownCommand":"touch ran"}' };
    const own = { toolUseId: rig.asked[1]?.note.call, tool: "terminal/create" };
    expect(rig.notes.map(meant)).toMatchObject([
      { type: "tool.announced", call: { toolUseId: "c1-r", tool: "execute", input } },
      { type: "tool.finished", call: { toolUseId: "c1-r" }, output: "done" },
      { type: "tool.announced", call: { ...own, input: { text: '{"command":"ls"}' } } },
    ]);
    expect(rig.notes.map(meant)[0]).not.toHaveProperty("intent");
  });

  it("CONVERSATION-2: what is repeated while a session is loaded is not told; its title is", () => {
    rig.client({ id: 1, method: "session/load", params: { sessionId: "s1", cwd: "/w", mcpServers: [] } });
    call("c1", { status: "completed" });
    rig.agent({ id: 1, result: {} });
    updates({ sessionUpdate: "session_info_update", title: "Shop" });
    expect(rig.notes.map(meant)).toMatchObject([
      { type: "session.started", reason: "resume", cwd: "/w" },
      { type: "session.noted", title: "Shop" },
    ]);
  });

  it("PROXY-CALLS-2: of many calls the oldest are forgotten, those that ended first", () => {
    const calls = new Calls("r", acpProtocol.told);
    const told = (toolCallId: string, status: "pending" | "completed"): unknown =>
      calls.updated("s1", { call: toolCallId, isBegun: true, told: {}, status });
    told("open", "pending");
    for (let n = 0; n < 3_000; n++) told(`c${n}`, "completed");
    expect(calls.of("s1", "open")).toBeDefined();
    expect([calls.of("s1", "c0"), calls.of("s1", "c2999")?.id]).toEqual([undefined, "c2999-r"]);
  });

  it("PROXY-NOTES-1: what is no note is refused in words", () => {
    const wrong = [undefined, {}, { acp: "x" }, { acp: "call", session: "s" }, { acp: "prompt", session: 1 }];
    for (const hook of [...wrong, { acp: "permission", session: "s", call: "c", tool: "t" }])
      expect(() => inputsOf({ hook })).toThrow(RefusedError);
    const asks = { acp: "permission", session: "s", call: "c", tool: "t", tool_input: {} };
    expect(() => inputsOf({ hook: asks })).toThrow("gate is missing");
  });
});

it("PROXY-LINES-2: a line without an end is a fault of its stream", () => {
  const lines = new Lines(8);
  expect(lines.take(Buffer.from("1\n2345\n1234")).toString()).toBe("1\n2345\n");
  expect(() => lines.take(Buffer.from("56789"))).toThrow("longer than 8 bytes");
});
