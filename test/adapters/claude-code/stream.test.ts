import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { translateStreamLine } from "../../../adapters/claude-code/index.ts";
import type { SourceInput } from "../../../machines/inputs.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { textAt } from "../../support/engine/json.ts";
import { callsInInputs, callsInLine } from "../../support/oracle/named-calls.ts";
import { allRecordings, recording } from "../../support/sessions/recording.ts";
import { callNumber, damaged, expectSound, oneOfEachForm, ofType, refusedOrSound } from "./recorded.ts";
import type { Of } from "./recorded.ts";

const streamLine = (value: unknown) => translateStreamLine(value);
const values = (name: string): readonly unknown[] => recording(name).stream.lines.map((line) => line.value);

/** The inputs of one type that a recording's stream gives. */
const inputsOf = <Type extends SourceInput["type"]>(name: string, type: Type): readonly Of<Type>[] =>
  ofType(
    values(name).flatMap((value) => streamLine(value).inputs),
    type,
  );

const RESULT = {
  type: "user",
  session_id: "s1",
  parent_tool_use_id: null,
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "no" }],
  },
};
const withMeta = (meta: object) => ({ ...RESULT, tool_result_meta: [{ id: "toolu_1", ...meta }] });
const rejected = (source: string) => ({
  permission_decision: { decision: "reject", source, reason_type: "x" },
});

const recorded = allRecordings().filter(({ stream }) => stream.lines.length > 0);

describe("STREAM-1: every recorded stream line", () => {
  test.each(recorded)("STREAM-1: $name: each line gives sound inputs for its session", ({ stream }) => {
    for (const { value } of stream.lines) {
      const translated = streamLine(value);
      expectSound(translated);
      expect(translated.inputs.length).toBeGreaterThan(0);
      expect(translated.sessionId).toBe(textAt(value, "session_id"));
    }
  });

  test.each(recorded)("STREAM-1: $name: the inputs name exactly the stream's calls", ({ stream }) => {
    const lines = stream.lines.map(({ value }) => value);
    const named = new Set(lines.flatMap((value) => [...callsInLine(value)]));
    expect(callsInInputs(lines.flatMap((value) => streamLine(value).inputs))).toEqual(named);
  });
});

describe("STREAM-1: what a stream line means", () => {
  test("STREAM-1: init notes the folder and the model and starts nothing", () => {
    expect(inputsOf("s5-timeout", "session.noted")).toEqual([
      { type: "session.noted", cwd: "/home/dev/shop", model: "claude-opus-5-5" },
      { type: "session.noted", cwd: "/home/dev/shop", model: "claude-opus-5-5" },
    ]);
    expect(inputsOf("s5-sigkill-resume", "session.started")).toEqual([]);
  });

  test("STREAM-1: a tool_use block announces a call, with its message, its canonical input and its time", () => {
    const announced = inputsOf("s1-ten-allowed", "tool.announced");
    expect(announced.map(callNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(announced.map((input) => input.messageId)).size).toBe(1);
    expect(announced[1]).toMatchObject({
      call: { tool: "Bash", input: { text: `{"command":"sh step.sh 2 0.15 0","description":"call 2"}` } },
    });
    const slow = inputsOf("s1-slow-stream", "tool.announced")[0];
    expect(slow?.observedAt).toBe(Date.UTC(2026, 10, 21, 20, 28, 43, 727));
  });

  test("STREAM-1: the nearest text before a call in one line is its intent, else its own description", () => {
    const line = (...content: object[]) => ({
      type: "assistant",
      session_id: "s1",
      message: { id: "m1", content },
    });
    const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
    const intents = (...content: object[]) =>
      streamLine(line(...content)).inputs.map((input) =>
        input.type === "tool.announced" ? input.intent : input.type,
      );
    const look = { type: "text", text: "look" };
    const certain = { text: "look", source: "message", confidence: "certain" };
    expect(intents(look, use, use)).toEqual([certain, certain, "agent.said"]);
    expect(intents({ type: "thinking", thinking: "look" }, use)).toEqual([undefined]);
    expect([...intents(use, look), ...intents(look)]).toEqual([undefined, "agent.said", "agent.said"]);
    expect(intents({ ...use, input: { description: " List " } })).toMatchObject([{ text: "List" }]);
  });

  test("STREAM-1: lines of a subagent name it, and the call it was started by", () => {
    const inside = inputsOf("s6-subagent", "tool.announced").filter(
      (input) => input.parentToolUseId !== undefined,
    );
    expect(inside).toHaveLength(6);
    expect(new Set(inside.map((input) => `${input.agentId} ${input.parentToolUseId}`))).toEqual(
      new Set([
        "a84766ca5a46b4837 toolu_01S6acall01xxxxxxxxxxxxx",
        "a5682c89c3a461021 toolu_01S6acall02xxxxxxxxxxxxx",
      ]),
    );
  });

  test("STREAM-1: a started agent is linked to its call, a background command is none", () => {
    const links = new Set(
      inputsOf("s6-subagent", "agent.linked").map((link) => `${link.agentId} ${link.toolUseId}`),
    );
    expect(links).toEqual(
      new Set([
        "a84766ca5a46b4837 toolu_01S6acall01xxxxxxxxxxxxx",
        "a5682c89c3a461021 toolu_01S6acall02xxxxxxxxxxxxx",
      ]),
    );
    expect(inputsOf("s5-timeout", "agent.linked")).toEqual([]);
    const linked = (tool_use_result: object) =>
      ofType(streamLine({ ...RESULT, tool_use_result }).inputs, "agent.linked");
    expect(linked({ agentId: "a1", prompt: "go" })).toHaveLength(1);
    expect(linked({ agentId: "a1" })).toEqual([]);
  });

  test("STREAM-1: results finish or fail their calls, in the order of the lines, and say who permitted them", () => {
    expect(inputsOf("s4-parallel-reads", "tool.finished").map(callNumber)).toEqual([8, 6, 4, 7, 2, 5, 3, 1]);
    expect(inputsOf("s5-fail", "tool.failed").map(callNumber)).toEqual([1, 3, 2, 4]);
    expect(inputsOf("s5-fail", "tool.failed")[1]?.error).toMatch(/^<tool_use_error>Error: No such tool/);
    expect(
      inputsOf("s3-sdk-deny", "tool.permission").map(({ decision, source }) => `${decision} ${source}`),
    ).toEqual([
      "accept user_permanent",
      "accept user_temporary",
      "accept user_temporary",
      "accept user_permanent",
      "accept user_permanent",
      "reject user_reject",
      "accept user_temporary",
      "accept user_permanent",
      "accept user_temporary",
      "accept user_permanent",
    ]);
  });

  test("TOOL-RESULT-1: a rejection by a hook, a person or a rule is told apart by the client's word", () => {
    const verdict = (name: string) =>
      inputsOf(name, "tool.denied").map((input) => [callNumber(input), input.verdict]);
    const listed = (call: number) => [call, "listed"];
    expect(verdict("s2-pre-deny")).toEqual([[6, "hook"], listed(6)]);
    expect(verdict("s3-mcp-deny6")).toEqual([[6, "user"], listed(6)]);
    expect(verdict("s4-sdk-parallel-ask")).toEqual([[2, "user"], listed(2)]);
    expect(verdict("s3-permreq-deny")).toEqual([[6, "hook"], [6, "hook"], listed(6)]);
    expect(verdict("s5-sigint").filter(([, how]) => how === "listed")).toEqual([]);
    const made = streamLine(
      withMeta({ non_execution_kind: "permission-rule", ...rejected("config") }),
    ).inputs;
    expect(made).toMatchObject([{ type: "tool.permission" }, { type: "tool.denied", verdict: "rule" }]);
  });

  test("TOOL-RESULT-1: of several results in a line each has its own remarks", () => {
    const [block] = RESULT.message.content;
    const two = { ...RESULT, message: { content: [block, { ...block, tool_use_id: "toolu_2" }] } };
    const meta = [
      { id: "toolu_2", non_execution_kind: "permission-rule", ...rejected("hook") },
      { id: "toolu_1", non_execution_kind: "user-rejected" },
    ];
    const denied = ofType(streamLine({ ...two, tool_result_meta: meta }).inputs, "tool.denied");
    expect(denied.map((input) => [input.call.toolUseId, input.verdict])).toEqual([
      ["toolu_1", "rejected"],
      ["toolu_2", "hook"],
    ]);
  });

  test("TOOL-RESULT-1: a text that looks like a rejection is a failure when the client does not call it one", () => {
    expect(streamLine(RESULT).inputs).toEqual([
      { type: "tool.failed", call: { toolUseId: "toolu_1" }, error: "no" },
    ]);
  });

  test("TOOL-RESULT-2: the general rejection is nobody's answer, and the stream cannot say whether the call had begun", () => {
    const denied = inputsOf("s5-sigint", "tool.denied");
    expect(denied.map((input) => [callNumber(input), input.verdict, input.beforeRun])).toEqual([
      [2, "rejected", undefined],
      [3, "rejected", undefined],
    ]);
    expect(
      streamLine(withMeta({ non_execution_kind: "user-rejected", ...rejected("user_reject") })).inputs,
    ).toMatchObject([{ type: "tool.permission" }, { type: "tool.denied", verdict: "user" }]);
  });

  test("STREAM-1: permission_denied is the hook's denial when the client says so", () => {
    expect(inputsOf("s3-permreq-deny-interrupt", "tool.denied")[0]).toEqual({
      type: "tool.denied",
      call: { toolUseId: "toolu_01S3icall06xxxxxxxxxxxxx", tool: "Bash" },
      verdict: "hook",
      message: "permission hook says no to six",
    });
  });

  test("STREAM-1: a lost result is lost, not denied", () => {
    expect(streamLine(withMeta({ non_execution_kind: "interrupted" })).inputs).toMatchObject([
      { type: "tool.lost", cause: "killed" },
    ]);
  });

  test("STREAM-1: the result line says how the turn ended, with its model and its tokens", () => {
    expect(inputsOf("s1-ten-allowed", "turn.stopped")).toEqual([
      {
        type: "turn.stopped",
        outcome: "completed",
        output: "FINAL s1-ten-allowed turn 1",
        model: "claude-opus-5-5",
        tokens: 120,
      },
    ]);
    expect(inputsOf("s5-timeout", "turn.stopped").map((input) => input.outcome)).toEqual([
      "completed",
      "completed",
    ]);
    expect(inputsOf("s5-sigint", "turn.stopped").map((input) => input.outcome)).toEqual([
      "interrupted",
      "interrupted",
    ]);
    const failed = {
      type: "result",
      session_id: "s1",
      subtype: "error_max_turns",
      is_error: true,
      errors: ["too many"],
    };
    expect(streamLine(failed).inputs).toEqual([
      { type: "turn.stopped", outcome: "failed", error: "too many" },
    ]);
  });

  test("STREAM-1: a turn that ends with a call put off names the call", () => {
    expect(inputsOf("s2-defer-resume", "tool.deferred").map(callNumber)).toEqual([1]);
    expect(inputsOf("s2-defer-resume", "turn.stopped").map((input) => input.outcome)).toEqual([
      "deferred",
      "completed",
    ]);
  });

  test("STREAM-1: without a call's id a result is kept, and said about no call", () => {
    const bare = { ...RESULT, message: { content: [{ type: "tool_result", content: "x" }] } };
    expect(streamLine(bare).inputs).toEqual([{ type: "unknown", name: "tool_result without an id" }]);
  });

  test("STREAM-2: types without a meaning here keep their name", () => {
    for (const type of ["command_lifecycle", "no_such_type", "constructor", "__proto__"]) {
      expect(streamLine({ type })).toEqual({ inputs: [{ type: "unknown", name: type }] });
    }
    expect(streamLine({ type: "system", subtype: "status" }).inputs).toEqual([
      { type: "unknown", name: "system/status" },
    ]);
    expect(streamLine({ type: "x".repeat(5000) }).inputs).toEqual([
      { type: "unknown", name: "x".repeat(80) },
    ]);
  });
});

describe("FOREIGN-FIELDS-1: stream lines of a wrong shape", () => {
  test.each([
    [1, ""],
    [{}, "type"],
    [{ type: "assistant", message: { content: [] } }, "session_id"],
    [{ type: "assistant", session_id: "s1" }, "message"],
    [{ type: "assistant", session_id: "s1", message: { content: "x" } }, "message.content"],
    [{ type: "assistant", session_id: "s1", message: { content: [null] } }, "message.content[0]"],
    [
      {
        type: "assistant",
        session_id: "s1",
        message: { content: [{ type: "tool_use", id: 1, name: "Bash" }] },
      },
      "message.content[0].id",
    ],
    [
      { type: "assistant", session_id: "s1", message: { content: [{ type: "tool_use", id: "t1" }] } },
      "message.content[0].name",
    ],
    [{ ...RESULT, parent_tool_use_id: "" }, "parent_tool_use_id"],
    [{ ...RESULT, tool_result_meta: [7] }, "tool_result_meta[0]"],
  ])("FOREIGN-FIELDS-1: %j is refused at %s", (value, path) => {
    expect(() => streamLine(value)).toThrow(expect.objectContaining({ constructor: RefusedError, path }));
  });

  const forms = oneOfEachForm(recorded.flatMap(({ stream }) => stream.lines.map((line) => line.value)));
  test.prop([damaged(forms)], { numRuns: 2000 })(
    "FOREIGN-FIELDS-1: a damaged line is refused or gives sound inputs",
    (value) => {
      refusedOrSound(() => streamLine(value));
    },
  );

  test.prop([fc.jsonValue()])("FOREIGN-FIELDS-1: any JSON is refused or gives sound inputs", (value) => {
    refusedOrSound(() => streamLine(value));
  });
});
