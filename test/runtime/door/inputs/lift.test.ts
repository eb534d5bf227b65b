// Door: lift
// Large tool inputs leave a raw message whole, and are read back unchanged.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { translate } from "../../../../adapters/composition/clients.ts";
import type { LiftedInput, SourceInput, ToolInput } from "../../../../machines/index.ts";
import { readEvent } from "../../../support/engine/read-event.ts";
import { lift, type LiftLimits } from "../../../../runtime/door/inputs/lift.ts";
import { shrink } from "../../../../runtime/door/inputs/shrink.ts";
import { RefusedError } from "../../../../runtime/errors/errors.ts";
import { readMessage, type SourceMessage, writeMessage } from "../../../../runtime/message.ts";
import { event } from "../../../support/http/served.ts";
import { holds } from "../../../support/properties/property.ts";

const KIB = 1024;
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const admitted = (kind: string, data: unknown): SourceMessage =>
  readEvent(event(`claude-code.${kind}`, data));
/** As the loop reads it back. */
const journalled = (message: SourceMessage): SourceMessage => {
  const read = readMessage(writeMessage(message));
  if (read.door !== "in") throw new Error("It came back through another door.");
  return read;
};

const hook = { hook_event_name: "PreToolUse", session_id: "s1", tool_name: "Write" };
const callsOf = (inputs: readonly SourceInput[]) =>
  inputs.flatMap((input) => ("calls" in input ? input.calls : "call" in input ? [input.call] : []));

/** One payload of each form that carries inputs, with these inputs in their places. */
const FORMS: Readonly<
  Record<string, { readonly kind: string; readonly make: (inputs: readonly unknown[]) => object }>
> = {
  "a hook": { kind: "hook", make: ([tool_input]) => ({ ...hook, tool_input }) },
  "a hook and its answer": {
    kind: "hook",
    make: ([tool_input]) => ({
      hook: { ...hook, tool_input },
      answer: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
    }),
  },
  "a question": {
    kind: "hook",
    make: ([tool_input]) => ({ ...hook, hook_event_name: "PermissionRequest", tool_input }),
  },
  "a result": {
    kind: "hook",
    make: ([tool_input]) => ({ ...hook, hook_event_name: "PostToolUse", tool_input, tool_response: "ok" }),
  },
  "a batch": {
    kind: "hook",
    make: (inputs) => ({
      ...hook,
      hook_event_name: "PostToolBatch",
      tool_calls: inputs.map((tool_input, n) => ({ tool_use_id: `t${n}`, tool_name: "Write", tool_input })),
    }),
  },
  "a message of the stream": {
    kind: "stream",
    make: (inputs) => ({
      type: "assistant",
      session_id: "s1",
      message: { id: "m1", content: blocks(inputs) },
    }),
  },
  "a call put off in the stream": {
    kind: "stream",
    make: ([input]) => ({
      type: "result",
      subtype: "success",
      session_id: "s1",
      deferred_tool_use: { id: "t0", name: "Write", input },
    }),
  },
  "a line of a transcript": {
    kind: "transcript",
    make: (inputs) => ({
      type: "assistant",
      sessionId: "s1",
      message: { id: "m1", content: blocks(inputs) },
    }),
  },
  "a call put off in a transcript": {
    kind: "transcript",
    make: ([toolInput]) => ({
      type: "attachment",
      sessionId: "s1",
      attachment: { type: "hook_deferred_tool", toolUseID: "t0", toolName: "Write", toolInput },
    }),
  },
};

function blocks(inputs: readonly unknown[]): readonly object[] {
  return inputs.flatMap((input, n) => [
    { type: "text", text: `because ${n}` },
    { type: "tool_use", id: `t${n}`, name: "Write", input },
  ]);
}

/** Inputs that would imitate a reference, or its place, if anything inside a payload could. */
const lookalike = fc.constantFrom<unknown>(
  null,
  { hash: hashOf("x"), bytes: 1, blob: true },
  { input: { hash: hashOf("x"), bytes: 1, blob: true } },
  { lifted: [{ at: ["hook", "tool_input"], hash: hashOf("x"), bytes: 1 }] },
  { tool_input: { tool_input: 1 }, input: { type: "tool_use", input: 2 } },
  JSON.parse('{"__proto__":{"input":{"hash":"x","bytes":1,"blob":true}}}'),
);
const input = fc.oneof(lookalike, fc.jsonValue(), fc.record({ content: fc.string({ maxLength: 300 }) }));
const payload = fc.record({
  form: fc.constantFrom(...Object.keys(FORMS)),
  inputs: fc.array(input, { minLength: 1, maxLength: 6 }),
  limits: fc.record({ together: fc.nat(400), smallest: fc.nat(60) }),
});

describe("LIFT-3: a lifted input is the same input", () => {
  it("LIFT-1, LIFT-3: any payload means the same with its inputs lifted as with them in place", () => {
    let lifts = 0;
    holds("test/runtime/door/inputs/lift.test.ts", 500, payload, ({ form, inputs: given, limits }) => {
      const { kind, make } = FORMS[form] ?? FORMS["a hook"] ?? { kind: "hook", make: () => ({}) };
      const whole = admitted(kind, make(given));
      const { message, inputs } = lift(whole, limits);
      const texts = new Map(inputs.map(({ hash, text }) => [hash, text]));
      lifts += texts.size;
      const asBlob = (found: ToolInput): ToolInput =>
        "text" in found && texts.get(found.hash) === found.text
          ? { hash: found.hash, bytes: Buffer.byteLength(found.text), blob: true }
          : found;
      const inPlace = translate(journalled(whole));
      const places = new Set(message.lifted?.map(({ hash }) => hash));
      expect([...places].sort()).toEqual([...texts.keys()].sort());
      // The same input may stand in one message twice, and only one of the two be lifted.
      const merged = (found: SourceInput[]): unknown =>
        JSON.parse(JSON.stringify(found), (_key, value: unknown) => (isInput(value) ? asBlob(value) : value));
      expect(merged([...translate(journalled(message))])).toEqual(merged([...inPlace]));
      for (const { hash, text } of inputs) expect(hashOf(text)).toBe(hash);
      expect(remaining(message)).toBeLessThanOrEqual(bound(limits, given.length));
    });
    expect(lifts).toBeGreaterThan(100);
  });

  const isInput = (value: unknown): value is ToolInput =>
    typeof value === "object" && value !== null && "hash" in value && ("text" in value || "blob" in value);
  const remaining = (message: SourceMessage): number =>
    callsOf(translate(message)).reduce(
      (sum, call) => sum + (call.input && "text" in call.input ? Buffer.byteLength(call.input.text) : 0),
      0,
    );
  /** Small ones stay however many they are; a hook with its answer, and a denial, name their call twice. */
  const bound = ({ together, smallest }: LiftLimits, count: number): number =>
    2 * Math.max(together, count * smallest);

  it.each(Object.entries(FORMS))(
    "LIFT-1, G49: %s of 600 KiB is lifted whole, under its hash",
    (_, { kind, make }) => {
      const text = JSON.stringify({ content: "é".repeat(300 * KIB) });
      const { message, inputs } = lift(admitted(kind, make([JSON.parse(text)])));
      expect(inputs).toEqual([{ text, hash: hashOf(text) }]);
      expect(writeMessage(message).length).toBeLessThan(KIB);
      const read: LiftedInput = { hash: hashOf(text), bytes: Buffer.byteLength(text), blob: true };
      for (const call of callsOf(translate(journalled(message)))) expect(call.input).toEqual(read);
      expect(callsOf(translate(message))).not.toEqual([]);
    },
  );

  it("LIFT-1: of several inputs the largest are lifted, until the rest is 512 KiB together; small ones stay", () => {
    const batch = (sizes: readonly number[]) =>
      FORMS["a batch"]?.make(sizes.map((size) => "x".repeat(size * KIB - 2)));
    const liftedOf = (sizes: readonly number[]) =>
      lift(admitted("hook", batch(sizes))).inputs.map(({ text }) => text.length / KIB);
    expect(liftedOf([512])).toEqual([]);
    expect(liftedOf([513])).toEqual([513]);
    expect(liftedOf([100, 300, 200])).toEqual([300]);
    expect(liftedOf([256, 256])).toEqual([]);
    expect(liftedOf([...Array<number>(40).fill(15), 16])).toEqual([16]);
  });

  it("LIFT-2: what a source says beside the data names no blob", () => {
    const lifted = [{ at: ["hook", "tool_input"], hash: hashOf("x"), bytes: 1 }];
    const forged = event("claude-code.hook", { ...hook, tool_input: { a: 1 }, lifted }, { lifted });
    const message = readEvent(forged);
    expect(message.lifted).toBeUndefined();
    const [call] = callsOf(translate(journalled(message)));
    expect(call?.input).toEqual({ text: '{"a":1}', hash: hashOf('{"a":1}') });
  });

  it("LIFT-2: an entry whose lifted places were damaged is refused, not guessed", () => {
    const { message } = lift(admitted("hook", { ...hook, tool_input: "x".repeat(600 * KIB) }));
    const [place] = message.lifted ?? [];
    for (const lifted of [
      {},
      [null],
      [{ ...place, at: [] }],
      [{ ...place, at: ["hook", "gone"] }],
      [{ ...place, at: ["hook", "toString"] }],
      [{ ...place, at: ["hook", "tool_name", "length"] }],
      [{ ...place, hash: 1 }],
    ]) {
      const damaged = journalled(JSON.parse(JSON.stringify({ ...message, lifted })) as SourceMessage);
      expect(() => translate(damaged), JSON.stringify(lifted)).toThrow(RefusedError);
    }
  });
});

describe("TOOL-INPUTS-1: what is not a tool input", () => {
  const long = "x".repeat(600 * KIB);

  it("TOOL-INPUTS-1: a tool's result is cut, even if it has a key named like an input", () => {
    const data = {
      ...hook,
      hook_event_name: "PostToolUse",
      tool_input: 1,
      tool_response: { tool_input: long },
    };
    const { message, inputs } = lift(admitted("hook", data));
    expect(inputs).toEqual([]);
    expect(writeMessage(message).length).toBeLessThan(4 * KIB);
  });

  it("SHRINK-2: a hook's answer keeps its decision; an input that it substitutes is cut", () => {
    const said = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" };
    const answer = JSON.stringify({
      hookSpecificOutput: { ...said, updatedInput: { content: long, lines: Array(90_000).fill("line") } },
    });
    const message = admitted("hook", { hook: { ...hook, tool_use_id: "t1" }, answer });
    expect(writeMessage(message).length).toBeLessThan(4 * KIB);
    expect(translate(journalled(message)).at(-1)).toMatchObject({ type: "tool.denied", message: "no" });
  });

  it("SHRINK-2: an answer that is not JSON decides nothing, cut or not", () => {
    const decision = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
    const answer = decision + " ".repeat(2 * KIB) + long;
    const message = admitted("hook", { hook, answer });
    expect(writeMessage(message).length).toBeLessThan(4 * KIB);
    expect(translate(message).map(({ type }) => type)).toEqual(["tool.started"]);
    expect(shrink({ hook, answer: decision })).toEqual({ hook, answer: decision });
  });
});

it("LIMITS-1: a number that JSON readers cannot hold is refused, because a journal would hold null in its place", () => {
  const sent = JSON.parse(`{"a":[1,{"b":1e400}]}`) as unknown;
  for (const [type, data, path] of [
    ["tool.started", { tool: "Bash", input: sent }, "data.input.a[1].b"],
    ["claude-code.hook", { ...hook, tool_input: sent }, "data.hook.tool_input.a[1].b"],
  ] as const) {
    expect(() => readEvent(event(type, data))).toThrow(
      expect.objectContaining({ code: "NOT_JSON", path }) as Error,
    );
  }
});
