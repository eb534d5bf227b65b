import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { translateHook, translateHookAnswer } from "../../../adapters/claude-code/index.ts";
import type { SourceInput } from "../../../machines/inputs.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { callsInInputs, callsInLine } from "../../support/oracle/named-calls.ts";
import { allRecordings, recording } from "../../support/sessions/recording.ts";
import { damaged, expectSound, ofType, oneOfEachForm, refusedOrSound } from "./recorded.ts";

const payloads = (name: string): readonly unknown[] =>
  recording(name).hooks.lines.map((line) => at(line.value, "payload"));
const hook = (payload: unknown) => translateHook(payload);

/** The inputs of a recording's hooks of one name. */
function inputsOf(name: string, event: string): readonly SourceInput[] {
  return payloads(name)
    .filter((payload) => textAt(payload, "hook_event_name") === event)
    .flatMap((payload) => hook(payload).inputs);
}

const PRE = {
  session_id: "s1",
  cwd: "/home/dev/shop",
  prompt_id: "p1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
};
const LS = { text: `{"command":"ls"}`, hash: toolInput({ command: "ls" }).hash };
const base = { promptId: "p1" };
const event = (name: string, fields: object = {}) => ({ ...PRE, hook_event_name: name, ...fields });

describe("CLAUDE-CODE-HOOK-1: every recorded hook", () => {
  test.each(allRecordings())(
    "CLAUDE-CODE-HOOK-1: $name: each payload gives sound inputs for its session",
    ({ hooks }) => {
      for (const line of hooks.lines) {
        const payload = at(line.value, "payload");
        const translated = hook(payload);
        expectSound(translated);
        expect(translated.inputs.length).toBeGreaterThan(0);
        expect(translated.sessionId).toBe(textAt(payload, "session_id"));
        expect(translated.cwd).toBe(textAt(payload, "cwd"));
      }
    },
  );

  test.each(allRecordings())(
    "CLAUDE-CODE-HOOK-1: $name: the inputs name exactly the calls that the payloads name",
    ({ hooks }) => {
      for (const line of hooks.lines) {
        const payload = at(line.value, "payload");
        expect(callsInInputs(hook(payload).inputs)).toEqual(callsInLine(payload));
      }
    },
  );
});

describe("CLAUDE-CODE-HOOK-1: what a hook means", () => {
  test("CLAUDE-CODE-HOOK-1: SessionStart says why the session starts", () => {
    const reasons = inputsOf("s9-resume-fork", "SessionStart").map((input) => at(input, "reason"));
    expect(reasons).toEqual(["startup", "resume", "fork", "resume"]);
    expect(hook(event("SessionStart", { source: "clear", model: "m", session_title: "t" })).inputs).toEqual([
      { ...base, type: "session.started", reason: "clear", cwd: "/home/dev/shop", model: "m", title: "t" },
    ]);
    expect(hook(event("SessionStart", { source: "teleport" })).inputs[0]).toMatchObject({ reason: "other" });
  });

  test("CLAUDE-CODE-HOOK-1: SessionEnd keeps its reason", () => {
    expect(inputsOf("t1-tui-deny-esc", "SessionEnd")).toEqual([
      {
        promptId: "effcd29e-1bad-41eb-94c1-272a1af99f37",
        type: "session.ended",
        reason: "prompt_input_exit",
      },
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: a prompt the client wrote itself is synthetic, a person's is not", () => {
    const marks = (name: string) => inputsOf(name, "UserPromptSubmit").map((input) => at(input, "synthetic"));
    expect(marks("s5-timeout")).toEqual([undefined, true]);
    expect(marks("s2-defer-resume")).toEqual([undefined, true]);
    expect(marks("s9-resume-fork")).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("CLAUDE-CODE-HOOK-1: a prompt without an id gets one from its session and its text", () => {
    const prompt = (session_id: string, text: string) =>
      at(hook({ session_id, hook_event_name: "UserPromptSubmit", prompt: text }).inputs[0], "promptId");
    expect(prompt("s1", "go")).toBe(prompt("s1", "go"));
    expect(new Set([prompt("s1", "go"), prompt("s1", "stop"), prompt("s2", "go")]).size).toBe(3);
  });

  test("CLAUDE-CODE-HOOK-1: PreToolUse starts a call, with its canonical input", () => {
    expect(hook(PRE).inputs).toEqual([
      {
        ...base,
        type: "tool.started",
        oneByOne: true,
        call: { toolUseId: "toolu_1", tool: "Bash", input: LS },
      },
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: a call without an id is named by tool and input, and one in a subagent by the agent too", () => {
    expect(hook({ ...PRE, tool_use_id: undefined, agent_id: "a1" }).inputs).toEqual([
      { ...base, agentId: "a1", type: "tool.started", oneByOne: true, call: { tool: "Bash", input: LS } },
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: PostToolUse finishes a call and keeps its response and its duration", () => {
    expect(inputsOf("s8-http-hook", "PostToolUse")[1]).toMatchObject({
      type: "tool.finished",
      call: { toolUseId: "toolu_01S8acall02xxxxxxxxxxxxx", tool: "Bash" },
      output: `{"interrupted":false,"isImage":false,"noOutputExpected":false,"stderr":"","stdout":"out-2"}`,
      durationMs: 193,
    });
  });

  test("CLAUDE-CODE-HOOK-1: a result moved to the background is a finished call, not an agent", () => {
    expect(inputsOf("s5-timeout", "PostToolUse").map((input) => input.type)).toEqual([
      "tool.finished",
      "tool.finished",
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: the Post of an Agent call links its subagent", () => {
    const links = inputsOf("s6-subagent", "PostToolUse").filter((input) => input.type === "agent.linked");
    expect(links.map((link) => [link.agentId, link.toolUseId])).toEqual([
      ["a84766ca5a46b4837", "toolu_01S6acall01xxxxxxxxxxxxx"],
      ["a5682c89c3a461021", "toolu_01S6acall02xxxxxxxxxxxxx"],
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: another tool's response links nothing, whatever its fields are called", () => {
    const inputs = hook(event("PostToolUse", { tool_response: { agentId: "a1", prompt: "go" } })).inputs;
    expect(inputs.map((input) => input.type)).toEqual(["tool.finished"]);
  });

  test("CLAUDE-CODE-HOOK-1: PostToolUseFailure fails a call", () => {
    expect(inputsOf("s5-fail", "PostToolUseFailure")[0]).toMatchObject({
      type: "tool.failed",
      call: { toolUseId: "toolu_01S5acall01xxxxxxxxxxxxx" },
      error: "Exit code 1\nto-stdout\nto-stderr",
    });
  });

  test("CLAUDE-CODE-HOOK-1: PermissionRequest is a question about a call it has no id for", () => {
    const questions = inputsOf("s4-ask-parallel-reads", "PermissionRequest");
    expect(questions).toHaveLength(4);
    for (const question of questions) {
      expect(question).toMatchObject({ type: "approval.requested", channel: "hook", call: { tool: "Read" } });
      expect(at(question, "call", "toolUseId")).toBeUndefined();
    }
  });

  test("CLAUDE-CODE-HOOK-1: PostToolBatch lists its calls in their order, also those that no other hook named", () => {
    const [batch] = inputsOf("s5-fail", "PostToolBatch");
    expect(batch).toMatchObject({ type: "tool.batch" });
    const numbers = [...callsInInputs(batch ? [batch] : [])].map((call) => /call(\d\d)/.exec(call)?.[1]);
    expect(numbers).toEqual(["01", "02", "03", "04", "05"]);
  });

  test("CLAUDE-CODE-HOOK-1: an entry of PostToolBatch failed where the client told the model so, whole or cut", () => {
    const listed = hook(
      payloads("s5-fail").find((one) => textAt(one, "hook_event_name") === "PostToolBatch"),
    );
    const errors = ofType(listed.inputs, "tool.batch").flatMap(({ calls }) =>
      calls.map(({ error }) => error),
    );
    expect(errors.map((error) => error?.slice(0, 20))).toEqual([
      undefined,
      undefined,
      "Error: No such tool ",
      "InputValidationError",
      undefined,
    ]);
    const said = (tool_response: unknown) => {
      const entry = { tool_name: "Bash", tool_input: {}, tool_use_id: "toolu_1", tool_response };
      const { inputs } = hook(event("PostToolBatch", { tool_calls: [entry] }));
      return ofType(inputs, "tool.batch")[0]?.calls[0]?.error;
    };
    expect(said(`<tool_use_error>${"x".repeat(9)}</tool_use_error>`)).toBe("xxxxxxxxx");
    expect(said({ bytes: 40_000, sha256: "0", head: "<tool_use_error>cut" })).toBe("cut");
    expect(said([{ type: "text", text: "<tool_use_error>in a block</tool_use_error>" }])).toBe("in a block");
    for (const other of ["it says <tool_use_error>", "Exit code 1", "no to b", undefined, null, {}])
      expect(said(other)).toBeUndefined();
  });

  test("CLAUDE-CODE-HOOK-1: Stop ends the main agent's turn, SubagentStop that of its agent", () => {
    expect(inputsOf("s6-subagent", "Stop")).toEqual([
      {
        promptId: "1005dce3-0d55-4b9e-bf0b-66e08395be3c",
        type: "turn.stopped",
        outcome: "completed",
        output: "FINAL s6-subagent turn 1",
      },
    ]);
    expect(inputsOf("s6-subagent", "SubagentStop").map((input) => input.agentId)).toEqual([
      "a84766ca5a46b4837",
      "a5682c89c3a461021",
    ]);
  });

  test("TRANSCRIPT-3: a SubagentStop that names no agent ends nobody's turn", () => {
    expect(hook(event("SubagentStop", { agent_type: "" })).inputs).toEqual([
      { ...base, type: "unknown", name: "SubagentStop" },
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: SubagentStart starts an agent; its type is kept where it has one", () => {
    expect(inputsOf("s6-subagent", "SubagentStart")).toMatchObject([
      { type: "agent.started", agentId: "a84766ca5a46b4837", agentType: "general-purpose" },
      { type: "agent.started", agentId: "a5682c89c3a461021", agentType: "general-purpose" },
    ]);
    expect(hook(event("SubagentStart", { agent_id: "a1", agent_type: "" })).inputs).toEqual([
      { ...base, type: "agent.started", agentId: "a1" },
    ]);
  });

  test("CLAUDE-CODE-HOOK-1: StopFailure and PermissionDenied are read as they are documented", () => {
    expect(hook(event("StopFailure", { error: "rate_limit" })).inputs).toEqual([
      { ...base, type: "turn.stopped", outcome: "failed", error: "rate_limit" },
    ]);
    expect(hook(event("PermissionDenied", { reason: "no" })).inputs).toMatchObject([
      { type: "tool.denied", verdict: "rule", message: "no" },
    ]);
  });

  test("CLAUDE-CODE-HOOK-2: hooks without a meaning here keep their name, also ones that look like the language's own", () => {
    for (const name of [
      "MessageDisplay",
      "Notification",
      "PreCompact",
      "NoSuchHook",
      "constructor",
      "__proto__",
    ]) {
      expect(hook(event(name)).inputs).toEqual([{ ...base, type: "unknown", name }]);
    }
  });

  test("FOREIGN-FIELDS-2: a text that was cut before it was kept is shown by its head", () => {
    const cut = { bytes: 20_000, sha256: "ab", head: "begin" };
    expect(hook(event("UserPromptSubmit", { prompt: cut })).inputs[0]).toMatchObject({ text: "begin" });
    expect(hook(event("PostToolUse", { tool_response: cut })).inputs[0]).toMatchObject({ output: "begin" });
  });
});

describe("FOREIGN-FIELDS-1: hooks of a wrong shape", () => {
  test.each([
    [null, ""],
    [[], ""],
    ["PreToolUse", ""],
    [{}, "hook_event_name"],
    [event(""), "hook_event_name"],
    [event("PreToolUse", { session_id: "" }), "session_id"],
    [event("PreToolUse", { tool_name: "" }), "tool_name"],
    [event("PreToolUse", { session_id: null }), "session_id"],
    [event("PreToolUse", { session_id: 7 }), "session_id"],
    [event("PreToolUse", { tool_name: undefined }), "tool_name"],
    [event("PreToolUse", { tool_use_id: null }), "tool_use_id"],
    [event("PreToolUse", { tool_use_id: "" }), "tool_use_id"],
    [event("PreToolUse", { agent_id: "" }), "agent_id"],
    [event("PreToolUse", { tool_input: { n: Infinity } }), "tool_input"],
    [event("UserPromptSubmit", { prompt: 1 }), "prompt"],
    [event("SubagentStart"), "agent_id"],
    [event("PostToolBatch", { tool_calls: [PRE, 1] }), "tool_calls[1]"],
    [
      event("PostToolBatch", { tool_calls: [{ ...PRE, tool_use_id: "\ud800" }] }),
      "tool_calls[0].tool_use_id",
    ],
  ])("FOREIGN-FIELDS-1: %j is refused at %s", (payload, path) => {
    expect(() => hook(payload)).toThrow(expect.objectContaining({ constructor: RefusedError, path }));
  });

  test("FOREIGN-FIELDS-3: a field nobody asks for changes nothing, whatever it holds", () => {
    for (const payload of allRecordings().flatMap(({ name }) => payloads(name))) {
      const more = { ...(payload as object), tomorrows_field: { session_id: 7, tool_name: null } };
      expect(hook(more)).toEqual(hook(payload));
    }
  });

  const forms = oneOfEachForm(allRecordings().flatMap(({ name }) => payloads(name)));
  test.prop([damaged(forms)], { numRuns: 2000 })(
    "FOREIGN-FIELDS-1: a damaged payload is refused or gives sound inputs",
    (payload) => {
      refusedOrSound(() => hook(payload));
      refusedOrSound(() => translateHookAnswer(payload, `{}`));
    },
  );

  test.prop([fc.jsonValue()])("FOREIGN-FIELDS-1: any JSON is refused or gives sound inputs", (value) => {
    refusedOrSound(() => hook(value));
  });
});
