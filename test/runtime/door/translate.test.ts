// Door: translate
// What each public type means, written out by hand.

import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { checkType } from "../../../runtime/door/envelope.ts";
import { readEvent } from "../../support/engine/read-event.ts";
import { PUBLIC_TYPES } from "../../../runtime/door/schemas.ts";
import { translateEvent, translator } from "../../../runtime/door/translate.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { event } from "../../support/http/served.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { Clients } from "../../../runtime/clients.ts";
import { claudeCode } from "../../../adapters/claude-code/index.ts";
import type { SourceInput } from "../../../machines/index.ts";

const input = { command: "ls", n: 1 };
const text = '{"command":"ls","n":1}';
const toolInput = { text, hash: createHash("sha256").update(text).digest("hex") };
const call = { toolUseId: "t1", tool: "Bash", input: toolInput };

const cases: readonly (readonly [type: string, data: object, input: object])[] = [
  ["session.started", {}, { reason: "startup" }],
  [
    "session.started",
    { reason: "resume", cwd: "/a", model: "m", title: "t", branch: "b" },
    { reason: "resume", cwd: "/a", model: "m", title: "t", branch: "b" },
  ],
  ["session.started", { title: "👩".repeat(300) }, { reason: "startup", title: "👩".repeat(200) }],
  ["session.ended", { reason: "other" }, { reason: "other" }],
  [
    "request.created",
    { requestId: "r1", chatId: 7, prompt: "do", model: "m", timeoutAt: 5 },
    { requestId: "r1", chatId: 7, prompt: "do", model: "m", timeoutAt: 5 },
  ],
  ["request.queued", { requestId: "r1" }, { requestId: "r1" }],
  ["request.processing", { requestId: "r1" }, { requestId: "r1" }],
  [
    "request.completed",
    { requestId: "r1", model: "m", tokens: 9, exitCode: 0, output: "done" },
    { requestId: "r1", model: "m", tokens: 9, exitCode: 0, output: "done" },
  ],
  [
    "request.failed",
    { requestId: "r1", error: "no", exitCode: -1 },
    { requestId: "r1", error: "no", exitCode: -1 },
  ],
  ["request.cancelled", { requestId: "r1" }, { requestId: "r1" }],
  [
    "request.callback",
    { requestId: "r1", state: "failed", error: "504" },
    { requestId: "r1", state: "failed", error: "504" },
  ],
  [
    "tool.announced",
    {
      toolUseId: "t1",
      tool: "Bash",
      input,
      agentId: "a1",
      messageId: "m1",
      blockIndex: 2,
      intent: { text: "to see", source: "message", confidence: "certain" },
    },
    {
      agentId: "a1",
      call,
      messageId: "m1",
      blockIndex: 2,
      intent: { text: "to see", source: "message", confidence: "certain" },
    },
  ],
  [
    "tool.started",
    { toolInvocationId: "t1", tool: "Bash", input, requestId: "r1" },
    { promptId: "r1", call },
  ],
  [
    "tool.started",
    { tool: "Bash", promptId: "p1", requestId: "r1", parentToolUseId: "t0" },
    { promptId: "p1", parentToolUseId: "t0", call: { tool: "Bash" } },
  ],
  [
    "tool.finished",
    { toolUseId: "t1", tool: "Bash", input, output: { b: 1, a: [] }, durationMs: 4 },
    { call, output: '{"a":[],"b":1}', durationMs: 4 },
  ],
  [
    "tool.finished",
    { toolUseId: "t1", tool: "Bash", input, output: "as it is" },
    { call, output: "as it is" },
  ],
  ["tool.failed", { toolUseId: "t1", tool: "Bash", input, error: "exit 1" }, { call, error: "exit 1" }],
  ["tool.batch", { calls: [{ toolUseId: "t1", tool: "Bash", input }, {}] }, { calls: [call, {}] }],
  ["approval.requested", { toolUseId: "t1", tool: "Bash", input }, { call, channel: "gateway" }],
  [
    "approval.requested",
    {
      toolUseId: "t1",
      tool: "Bash",
      input,
      approvalId: "q1",
      channel: "sdk",
      deadlineAt: 9,
      onDeadline: "deny",
    },
    { call, approvalId: "q1", channel: "sdk", deadlineAt: 9, onDeadline: "deny" },
  ],
  [
    "approval.answered",
    { approvalId: "q1", decision: "deny", by: "terminal", message: "no", interrupt: true },
    { call: {}, approvalId: "q1", decision: "deny", by: "terminal", message: "no", interrupt: true },
  ],
  ["approval.withdrawn", { toolUseId: "t1", tool: "Bash", input }, { call }],
  ["approval.lapsed", { approvalId: "q1", said: "ask" }, { approvalId: "q1", said: "ask" }],
  ["approval.taken", { approvalId: "q1", by: "bot" }, { approvalId: "q1", by: "bot" }],
];

const messageOf = (type: string, data: object, attributes: object = {}): SourceMessage =>
  readEvent(event(type, data, attributes));

describe("DOOR-TRANSLATE-1: every public type means one input", () => {
  test.each(cases)("DOOR-TRANSLATE-1: %s %j", (type, data, expected) => {
    expect(translateEvent(messageOf(type, data), clients)).toEqual([{ type, ...expected }]);
  });

  it("DOOR-TRANSLATE-1: no public type is left out", () => {
    expect([...new Set(cases.map(([type]) => type))].sort()).toEqual([...PUBLIC_TYPES].sort());
  });
});

it("LIMITS-2: any key may be in tool input and output: from here on they are text", () => {
  const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"xstate$$type":1}';
  const data = `{"tool":"Bash","input":${hostile},"output":${hostile}}`;
  const [finished] = translateEvent(messageOf("tool.finished", JSON.parse(data) as object), clients);
  expect(finished).toEqual({
    type: "tool.finished",
    call: {
      tool: "Bash",
      input: { text: hostile, hash: createHash("sha256").update(hostile).digest("hex") },
    },
    output: hostile,
  });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

/** Claude Code, if each of its hooks meant one and the same. */
const saying = (input: SourceInput): Clients =>
  new Clients([{ ...claudeCode, translators: { "claude-code.hook": () => [input] } }]);

describe("DOOR-TRANSLATE-1: with the translators of clients", () => {
  const translate = translator(saying({ type: "unknown", name: "x" }));

  it("DOOR-TRANSLATE-1: a raw payload goes to its client's translator, everything else is public", () => {
    expect(translate(messageOf("claude-code.hook", { a: 1 }))).toEqual([{ type: "unknown", name: "x" }]);
    expect(translate(messageOf("request.queued", { requestId: "r1" }))).toEqual([
      { type: "request.queued", requestId: "r1" },
    ]);
  });

  it("DOOR-TRANSLATE-1: a message was observed at the source's own time, unless the payload knows better", () => {
    const timed = messageOf("claude-code.hook", {}, { time: "1970-01-01T00:00:01Z" });
    expect(translate(timed)).toEqual([{ type: "unknown", name: "x", observedAt: 1000 }]);
    const known = translator(saying({ type: "unknown", name: "x", observedAt: 5 }));
    expect(known(timed)).toEqual([{ type: "unknown", name: "x", observedAt: 5 }]);
  });

  it("DOOR-TRANSLATE-1: a journal entry of an unknown type, or with data of another type, is refused", () => {
    const message = messageOf("request.queued", { requestId: "r1" });
    for (const wrong of [
      { ...message, type: "claude-code.stream" },
      { ...message, type: "toString" },
      { ...message, data: { requestId: 4 } },
    ])
      expect(() => translate(wrong)).toThrow(RefusedError);
  });

  it("DOOR-TRANSLATE-1: the sender of an unknown type is told the known ones, wherever that is noticed", () => {
    const told = expect.objectContaining({
      message: 'There is no type "tool.begun".',
      next: expect.stringMatching(
        /^The types are session\.started, .*approval\.taken, claude-code\.hook, /,
      ) as string,
    }) as Error;
    expect(() => checkType("tool.begun", clients)).toThrow(told);
    expect(() =>
      translateEvent({ ...messageOf("request.queued", { requestId: "r1" }), type: "tool.begun" }, clients),
    ).toThrow(told);
  });
});
