// What an agent said, as the intent of its calls.

import { describe, expect, test } from "vitest";
import type { AgentId, Intent, SourceInput } from "../../machines/index.ts";
import { call, said } from "../support/sessions/said.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const HOOK = "claude-code.hook";
const STREAM = "claude-code.stream";
const words = (text: string, more: object = {}): SourceInput => ({ type: "agent.said", text, ...more });
const announced = (id: string, more: object = {}): SourceInput => ({
  type: "tool.announced",
  call: call(id),
  ...more,
});
const described: Intent = { text: "List the files", source: "description", confidence: "likely" };
const pre = (id: string, more: object = {}): SourceInput => ({
  type: "tool.started",
  call: call(id),
  ...more,
});

function run(...inputs: readonly (readonly [string, SourceInput])[]): SessionRun {
  const session = new SessionRun();
  session.hear(said.prompt("p1"), HOOK);
  for (const [channel, input] of inputs) session.hear(input, channel);
  return session;
}
const intents = (session: SessionRun) => session.calls.map(({ context }) => context.intent);

describe("words before a call", () => {
  test("I-50, S2.4: those of its own message are its intent for certain, those before in the turn likely", () => {
    const session = run(
      [STREAM, words("First.", { messageId: "m1" })],
      [STREAM, announced("t1", { messageId: "m1" })],
      [STREAM, announced("t2", { messageId: "m1" })],
      [STREAM, announced("t3", { messageId: "m2" })],
    );
    expect(intents(session)).toEqual([
      { text: "First.", source: "message", confidence: "certain" },
      { text: "First.", source: "message", confidence: "certain" },
      { text: "First.", source: "parent", confidence: "likely" },
    ]);
  });

  test("S2.4: what was displayed before a Pre is likely its intent, put together from its pieces", () => {
    const session = run(
      [HOOK, words("I look ", { messageId: "d1" })],
      [HOOK, words("at it.", { messageId: "d1", continues: true })],
      [HOOK, pre("t1", { intent: described })],
    );
    expect(intents(session)).toEqual([{ text: "I look at it.", source: "display", confidence: "likely" }]);
  });

  test("I-50, S2.39: words of another request, agent or channel are not taken", () => {
    const session = run([HOOK, words("For the first.")]);
    session.hear(said.stop(), HOOK);
    session.hear(said.prompt("p2"), HOOK);
    session.hear(pre("t1", { intent: described }), HOOK);
    session.hear(words("As agent a.", { agentId: "a" as AgentId }), HOOK);
    session.hear(pre("t2"), HOOK);
    session.hear(words("In the stream."), STREAM);
    session.hear(pre("t3"), HOOK);
    expect(intents(session)).toMatchObject([described, { source: "prompt" }, { source: "prompt" }]);
  });

  test("I-49, S2.15: an intent gives way only to one from a better source, whichever comes first", () => {
    const parts = [
      [HOOK, pre("t1", { intent: described })],
      [STREAM, announced("t1", { messageId: "m1", intent: described })],
    ] as const;
    const before = [
      [HOOK, words("Displayed.")],
      [STREAM, words("Said.", { messageId: "m1" })],
    ] as const;
    const best = { text: "Said.", source: "message", confidence: "certain" };
    expect(intents(run(...before, ...parts))).toEqual([best]);
    expect(intents(run(...before, ...[...parts].reverse()))).toEqual([best]);
  });

  test("I-49, S2.15: a call that has ended still learns it; what is known is not told again", () => {
    const session = run([HOOK, pre("t1")], [HOOK, said.post(call("t1"))]);
    const tell = (): unknown => {
      session.hear(words("Said.", { messageId: "m1" }), STREAM);
      return session.hear(announced("t1", { messageId: "m1" }), STREAM).changes?.map(({ entity }) => entity);
    };
    expect(tell()).toContain("toolcall");
    expect(intents(session)).toMatchObject([{ text: "Said.", source: "message" }]);
    expect(tell()).not.toContain("toolcall");
  });

  test("I-49: of two alike, the one whose line of the transcript is known stays, whichever comes first", () => {
    const message: Intent = { text: "Said.", source: "message", confidence: "certain" };
    const bare = [STREAM, announced("t1", { intent: message })] as const;
    const placed = [HOOK, announced("t1", { intent: { ...message, line: "u1" } })] as const;
    expect(intents(run(bare, placed))).toEqual([{ ...message, line: "u1" }]);
    expect(intents(run(placed, bare))).toEqual([{ ...message, line: "u1" }]);
    const [first, second] = [
      words("Said.", { messageId: "m1", line: "u2" }),
      announced("t1", { messageId: "m1" }),
    ];
    expect(intents(run([STREAM, first], [STREAM, second]))).toEqual([{ ...message, line: "u2" }]);
  });

  const asked: Intent = { text: "do p1", source: "prompt", confidence: "weak" };

  test("I-49, I-50: a call nobody spoke of has its prompt, weakly, until there is anything better", () => {
    const session = run([HOOK, pre("t1")]);
    expect(intents(session)).toEqual([asked]);
    session.hear(pre("t1"), HOOK);
    expect(intents(session)).toEqual([asked]);
    session.hear(pre("t1", { intent: described }), HOOK);
    expect(intents(session)).toEqual([described]);
    session.hear(announced("t1"), STREAM);
    expect(intents(session)).toEqual([described]);
    session.hear(words("Said.", { messageId: "m1" }), STREAM);
    session.hear(announced("t1", { messageId: "m1" }), STREAM);
    expect(intents(session)).toMatchObject([{ text: "Said.", source: "message" }]);
  });

  test("I-49: a prompt that is told after its call is its intent once the call is told again", () => {
    const session = new SessionRun();
    session.hear(pre("t1", { promptId: "p1" }), HOOK);
    expect(intents(session)).toEqual([undefined]);
    session.hear(said.prompt("p1"), STREAM);
    session.hear(announced("t1", { promptId: "p1" }), STREAM);
    expect(intents(session)).toEqual([asked]);
  });

  test("I-50: a prompt is no subagent's, no continuation's, no other request's; one of the client is nobody's", () => {
    const session = run([HOOK, pre("t1", { agentId: "a" as AgentId })]);
    session.hear(said.stop(), HOOK);
    session.hear(pre("t2", { promptId: "p1" }), HOOK);
    const submitted = {
      type: "prompt.submitted",
      promptId: "p2",
      text: "Task done",
      synthetic: true,
    } as const;
    session.hear(submitted, HOOK);
    session.hear(pre("t3"), HOOK);
    expect(session.calls).toHaveLength(3);
    expect(intents(session)).toEqual([undefined, undefined, undefined]);
  });

  test("I-44: of a long prompt the first 200 characters stand on a call", () => {
    const session = new SessionRun();
    session.hear({ type: "prompt.submitted", promptId: "p1", text: "a".repeat(10_000) }, HOOK);
    session.hear(pre("t1"), HOOK);
    expect(intents(session)[0]?.text).toBe(`${"a".repeat(199)}…`);
  });

  test("I-44: of long words the beginning is kept", () => {
    const session = run([HOOK, words("a".repeat(10_000))], [HOOK, pre("t1")]);
    expect(intents(session)[0]?.text).toBe(`${"a".repeat(4_095)}…`);
  });
});
