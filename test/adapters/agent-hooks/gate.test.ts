// Asking for other agents
// What their gate reads, and what it prints for each way in which a question may end.

import { test, fc } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { toolInput } from "../../../runtime/canonical.ts";
import type { Verdict } from "../../../runtime/gate-form.ts";
import { asking, NAMES, PROFILES } from "./recorded.ts";

const ENDS: readonly Verdict[] = [
  { type: "allow" },
  { type: "allow", updatedInput: { command: "true" } },
  { type: "deny", message: "not today", interrupt: true },
  { type: "deny-closed", why: "no engine" },
  { type: "ask", why: "no engine" },
];
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe("AGENT-HOOKS-GATE-1: what is printed", () => {
  it.each(NAMES)("AGENT-HOOKS-GATE-1: %s is allowed by an allow alone", (name) => {
    const { inputHash, printed } = PROFILES[name].gate.read(bytes(asking(name)));
    expect(inputHash).toBe(toolInput(asking(name)["tool_input"]).hash);
    const said = ENDS.map(
      (end) => (JSON.parse(printed(end)) as { hookSpecificOutput: object }).hookSpecificOutput,
    );
    const unsure = name === "copilot" ? "ask" : "deny";
    expect(said).toEqual([
      { hookEventName: "PreToolUse", permissionDecision: "allow" },
      { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: { command: "true" } },
      { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not today" },
      { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no engine" },
      { hookEventName: "PreToolUse", permissionDecision: unsure, permissionDecisionReason: "no engine" },
    ]);
  });

  it("AGENT-HOOKS-GATE-1: an agent that goes on where it is told to ask cannot be put in with that answer", () => {
    expect(NAMES.map((name) => (PROFILES[name].gate.read(bytes(asking(name))), closedOf(name)))).toEqual([
      ["deny"],
      ["ask", "deny"],
      ["deny"],
    ]);
  });

  test.prop([fc.constantFrom(...NAMES), fc.jsonValue()])(
    "WAITING-PAYLOAD-1: whatever is no PreToolUse with an input is refused in words",
    (name, payload) => {
      expect(() => PROFILES[name].gate.read(bytes(payload))).toThrow(/does not understand/);
    },
  );

  it.each(NAMES)("WAITING-PAYLOAD-1: %s's other hooks are refused at the gate", (name) => {
    for (const hook_event_name of ["PermissionRequest", "PostToolUse", "preToolUse", undefined])
      expect(() => PROFILES[name].gate.read(bytes({ ...asking(name), hook_event_name }))).toThrow(
        /only PreToolUse can be answered/,
      );
  });

  it.each(NAMES)("WAITING-PAYLOAD-2: another door of %s asks as its hook does", (name) => {
    const { gate } = PROFILES[name];
    const call = { tool: "Bash", input: { command: "ls" }, toolUseId: "c1", session: "s1" };
    const payload = gate.payloadOf(call, "/home/dev/shop");
    expect(gate.read(bytes(payload)).inputHash).toBe(toolInput(call.input).hash);
  });
});

function closedOf(name: (typeof NAMES)[number]): readonly string[] {
  const profile = PROFILES[name];
  return "install" in profile ? profile.install.closed : profile.plugin.closed;
}
