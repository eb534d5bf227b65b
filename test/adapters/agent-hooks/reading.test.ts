// Reading hooks of other agents
// Recorded payloads become inputs, whatever is damaged is refused or kept, and the whole way through an engine is theirs.

import { test, fc } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import type { SourceInput } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { type AgentName, asking, NAMES, PROFILES, RECORDED } from "./recorded.ts";

function inputsOf(name: AgentName, data: unknown): readonly SourceInput[] {
  const { hook, translators } = PROFILES[name];
  const translate = (translators as Readonly<Record<string, (data: unknown) => readonly SourceInput[]>>)[
    hook.type
  ];
  if (translate === undefined) throw new Error("its hook is none of its types");
  return translate(data);
}
const wrapped = (name: AgentName): readonly SourceInput[] =>
  RECORDED[name].flatMap((hook) => inputsOf(name, { hook }));
const GATE = { approvalId: "g1", deadlineAt: 9_000, onDeadline: "deny" } as const;

describe("AGENT-HOOKS-READING-1: a turn as the real agents told it", () => {
  it.each(NAMES)("AGENT-HOOKS-READING-1: %s's payloads become the same inputs each time", (name) => {
    const inputs = wrapped(name);
    expect(inputs.map(({ type }) => type)).toEqual([
      ...["session.started", "prompt.submitted", "tool.started", "tool.finished", "turn.stopped"],
      ...(name === "opencode" ? [] : ["session.ended"]),
    ]);
    expect(wrapped(name)).toEqual(inputs);
    const [started, prompt, call, result] = inputs;
    expect(started).toMatchObject({ reason: "startup", cwd: "/home/dev/shop" });
    expect(prompt).toMatchObject({ text: "go", promptId: expect.any(String) as string });
    expect(call).toMatchObject({ call: { tool: "Bash", input: expect.any(Object) as object } });
    expect(result).toMatchObject({ output: "hi\n", call: (call as { call: object }).call });
  });

  it("AGENT-HOOKS-READING-1: what belongs to a prompt says so where the agent does", () => {
    const idsOf = (name: AgentName): ReadonlySet<unknown> =>
      new Set(wrapped(name).flatMap((input) => ("promptId" in input ? [input.promptId] : [])));
    expect(idsOf("codex")).toEqual(new Set(["01a21939-d17c-7871-8054-d2993689b181"]));
    expect(idsOf("opencode")).toEqual(new Set(["msg_2193b4c1f0019Ktl4f8GF0Fvqs"]));
    expect(idsOf("copilot").size).toBe(1);
  });

  it("AGENT-HOOKS-READING-1: the same words at another time are another prompt where the agent gives no id", () => {
    const prompt = { ...RECORDED.copilot[1], timestamp: "2026-11-26T19:05:00.000Z" };
    const [first, again] = [RECORDED.copilot[1], prompt].map((hook) => inputsOf("copilot", { hook })[0]);
    expect(first).toMatchObject({ type: "prompt.submitted", text: "go" });
    expect((again as { promptId: string }).promptId).not.toBe((first as { promptId: string }).promptId);
  });

  it("AGENT-HOOKS-READING-1: a tool that failed has its error, and a turn that failed its own", () => {
    const failed = {
      ...asking("copilot"),
      hook_event_name: "PostToolUseFailure",
      error: "no such file",
    };
    expect(inputsOf("copilot", { hook: failed })).toMatchObject([
      { type: "tool.failed", error: "no such file" },
    ]);
    const stop = { hook_event_name: "Stop", session_id: "s1", error: "no model" };
    expect(inputsOf("opencode", { hook: stop })).toMatchObject([{ outcome: "failed", error: "no model" }]);
  });

  it.each(NAMES)("AGENT-HOOKS-READING-1: a prompt of %s that was cut is shown by its head", (name) => {
    const prompt = { bytes: 9_000_000, sha256: "ab", head: "go on" };
    const hook = { ...RECORDED[name][1], prompt };
    expect(inputsOf(name, { hook })).toMatchObject([{ text: "go on" }]);
  });
});

describe("AGENT-HOOKS-READING-2: what is not known", () => {
  it.each(NAMES)("AGENT-HOOKS-READING-2: an event of %s without a meaning is kept with its name", (name) => {
    const hook = { hook_event_name: `New${"x".repeat(200)}`, session_id: "s1" };
    expect(inputsOf(name, { hook })).toEqual([{ type: "unknown", name: hook.hook_event_name.slice(0, 80) }]);
  });

  test.prop([fc.constantFrom(...NAMES), fc.jsonValue()])(
    "AGENT-HOOKS-READING-2: any JSON is refused, or gives inputs",
    (name, hook) => {
      try {
        expect(Array.isArray(inputsOf(name, { hook }))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedError);
      }
    },
  );

  const DAMAGE = fc.constantFrom<unknown>(null, 7, "", [], {}, [{}], undefined, "x".repeat(9_000));
  test.prop([fc.constantFrom(...NAMES), fc.nat(5), fc.nat(12), DAMAGE])(
    "AGENT-HOOKS-READING-2: a payload with one wrong field is refused by its path, or read without it",
    (name, which, field, damage) => {
      const payload = RECORDED[name][which % RECORDED[name].length] ?? {};
      const keys = Object.keys(payload);
      const hook = { ...payload, [keys[field % keys.length] ?? ""]: damage };
      try {
        expect(inputsOf(name, { hook }).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedError);
      }
    },
  );
});

describe("AGENT-HOOKS-READING-3: whose call it is", () => {
  it("AGENT-HOOKS-READING-3: Codex and OpenCode name their calls; Copilot's have no id, and none is made up", () => {
    const idOf = (name: AgentName): unknown => {
      const [input] = inputsOf(name, { hook: asking(name) });
      return (input as { call: { toolUseId?: string } }).call.toolUseId;
    };
    expect(NAMES.map(idOf)).toEqual(["call_15", undefined, "call_18"]);
  });
});

describe("AGENT-HOOKS-READING-4: a hook that waits", () => {
  it.each(NAMES)(
    "AGENT-HOOKS-READING-4: %s's PreToolUse is a start and a question about its input",
    (name) => {
      const hook = asking(name);
      const [started, asked] = inputsOf(name, { hook, gate: GATE });
      expect(started).toMatchObject({ type: "tool.started", call: { tool: "Bash" } });
      expect(asked).toMatchObject({
        ...{ type: "approval.requested", channel: "gate", ...GATE },
        call: { tool: "Bash", input: { hash: toolInput(hook["tool_input"]).hash } },
      });
    },
  );

  it.each(NAMES)(
    "AGENT-HOOKS-READING-4: %s asks by no other hook, and about no call without an input",
    (name) => {
      for (const hook of [
        { ...asking(name), hook_event_name: "PostToolUse" },
        { ...asking(name), tool_input: "rm -rf /" },
        { ...asking(name), tool_input: undefined },
      ])
        expect(() => inputsOf(name, { hook, gate: GATE })).toThrow(RefusedError);
    },
  );

  it.each(NAMES)("AGENT-HOOKS-READING-4: what %s's gate answered alone ends its question", (name) => {
    const gate = { approvalId: "g1", answered: "deny" };
    expect(inputsOf(name, { hook: asking(name), gate })).toMatchObject([
      { type: "approval.lapsed", approvalId: "g1", said: "deny" },
    ]);
  });

  it.each(NAMES)(
    "AGENT-HOOKS-READING-4: what %s tells beside a gate says which calls it asks about",
    (name) => {
      expect(inputsOf(name, { hook: asking(name), gated: "all" })).toMatchObject([{ gated: "all" }]);
    },
  );
});
