// The payload of a hook that waits
// Payloads of other versions of the client: what is still asked about, and what is refused in words.

import { describe, expect, it } from "vitest";
import { gateForm } from "../../../../adapters/claude-code/gate/printed.ts";
import { toolInput } from "../../../../runtime/canonical.ts";

const INPUT = { command: "make deploy" };
const PAYLOAD = {
  session_id: "s1",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: INPUT,
};
const read = (payload: unknown) => gateForm.read(Buffer.from(JSON.stringify(payload)));

describe("hook payloads of other versions", () => {
  it("WAITING-PAYLOAD-2: unknown fields change nothing, wherever they stand", () => {
    const more = { ...PAYLOAD, schema: 9, risk: { level: "low" }, permission_suggestions: "new shape" };
    expect(read(more).inputHash).toBe(toolInput(INPUT).hash);
    expect(read(more).printed({ type: "allow" })).toContain('"hookEventName":"PermissionRequest"');
    const within = { ...INPUT, sandbox: { isOff: true } };
    expect(read({ ...PAYLOAD, tool_input: within }).inputHash).toBe(toolInput(within).hash);
  });

  it.each([
    ["hook_event_name", undefined, /hook_event_name is missing/],
    ["hook_event_name", "PermissionAsked", /hook_event_name is "PermissionAsked", and only/],
    ["hook_event_name", "Stop", /hook_event_name is "Stop"/],
    ["hook_event_name", ["PreToolUse"], /hook_event_name is a list/],
    ["session_id", undefined, /session_id is missing/],
    ["session_id", 7, /session_id is of type number/],
    ["tool_name", undefined, /tool_name is missing/],
    ["tool_name", { name: "Bash" }, /tool_name is of type object/],
    ["tool_name", "", /tool_name is empty/],
    ["tool_input", undefined, /tool_input is missing/],
    ["tool_input", null, /tool_input is null/],
    ["tool_input", "make deploy", /tool_input is "make deploy"/],
    ["tool_input", [INPUT], /tool_input is a list/],
  ])("WAITING-PAYLOAD-1: with %s %j nothing is asked, and that is said", (key, value, words) => {
    expect(() => read({ ...PAYLOAD, [key]: value })).toThrow(words);
    expect(() => read({ ...PAYLOAD, [key]: value })).toThrow(/The call is not allowed.*signalbox install/);
  });

  it("WAITING-PAYLOAD-1: what is no JSON, or no object, asks nothing", () => {
    for (const text of ["", "no JSON", '{"hook_event_name":"PreToo'])
      expect(() => gateForm.read(Buffer.from(text))).toThrow(/it is no JSON\./);
    for (const payload of [null, [], "text", 1, true]) expect(() => read(payload)).toThrow(/no JSON object/);
  });
});
