import { describe, expect, test } from "vitest";
import { translateTranscriptLine } from "../../../adapters/claude-code/index.ts";
import { recording } from "../../support/sessions/recording.ts";
import { callNumber, ofType } from "./recorded.ts";

const transcriptLine = (value: unknown) => translateTranscriptLine(value);

const LINE = { type: "user", sessionId: "s1", isSidechain: false, timestamp: "2026-11-21T20:28:43.727Z" };
const observedAt = Date.UTC(2026, 10, 21, 20, 28, 43, 727);
const result = (fields: object, block: object = {}) => ({
  ...LINE,
  message: {
    content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "no", ...block }],
  },
  ...fields,
});

/** The denials of a recording's transcripts: call, verdict, and the client's word that it never began. */
function verdicts(name: string) {
  const lines = recording(name).transcripts.flatMap((file) => file.lines);
  const denied = ofType(
    lines.flatMap(({ value }) => transcriptLine(value).inputs),
    "tool.denied",
  );
  return denied.map((input) => [callNumber(input), input.verdict, input.beforeRun]);
}

describe("TOOL-RESULT-1, TOOL-RESULT-2: what a transcript says about calls that were not allowed", () => {
  test("TOOL-RESULT-1: a rejection by a hook, a person or a rule is told apart by the client's word", () => {
    expect(verdicts("s2-pre-deny")).toEqual([[6, "hook", undefined]]);
    expect(verdicts("s8-http-hook")).toEqual([[3, "hook", undefined]]);
    expect(verdicts("s3-permreq-deny")).toEqual([[6, "hook", undefined]]);
    expect(verdicts("s3-sdk-deny")).toEqual([[6, "user", undefined]]);
    expect(verdicts("s3-mcp-deny6")).toEqual([[6, "user", undefined]]);
    expect(verdicts("t3-tui-deny-feedback")).toEqual([[6, "user", undefined]]);
    const config = { decision: "reject", source: "config", reasonType: "rule" };
    expect(
      transcriptLine(result({ toolDenialKind: "permission-rule", permissionDecision: config })).inputs,
    ).toEqual([
      {
        type: "tool.permission",
        observedAt,
        call: { toolUseId: "toolu_1" },
        decision: "reject",
        source: "config",
        reason: "rule",
      },
      { type: "tool.denied", observedAt, call: { toolUseId: "toolu_1" }, verdict: "rule", message: "no" },
    ]);
  });

  test("TOOL-RESULT-1: a text that looks like a rejection is a failure when the client does not call it one", () => {
    const text = "The user doesn't want to proceed with this tool use.";
    expect(transcriptLine(result({}, { content: text })).inputs).toMatchObject([
      { type: "tool.failed", error: text },
    ]);
  });

  test("TOOL-RESULT-2: the general rejection is nobody's answer; whether the call had begun is told by the line", () => {
    expect(verdicts("s5-sigint")).toEqual([
      [2, "rejected", false],
      [3, "rejected", true],
    ]);
    const cascade = [6, 7, 8, 9, 10].map((call) => [call, "rejected", true]);
    expect(verdicts("t1-tui-deny-esc")).toEqual(cascade);
    expect(verdicts("s3-permreq-deny-interrupt")).toEqual(cascade);
  });

  test.each([
    ["2.1.200", undefined],
    ["2.1.325", undefined],
    ["2.1.326", false],
    ["2.2.0", false],
    [undefined, false],
  ])("TOLD-3: without its mark, a line of client %s tells of what began: %s", (version, begun) => {
    const told = (mark: object) =>
      ofType(
        transcriptLine(result({ version, toolDenialKind: "user-rejected", ...mark })).inputs,
        "tool.denied",
      ).map(({ beforeRun }) => beforeRun);
    expect(told({})).toEqual([begun]);
    expect(told({ toolDenialBeforeRun: true })).toEqual([true]);
  });

  test("TOOL-RESULT-2: where the line names who denied, that counts: with nobody there it was no person", () => {
    const denied = (source: string) => {
      const permissionDecision = { decision: "reject", source };
      const line = result({ toolDenialKind: "user-rejected", permissionDecision });
      return ofType(transcriptLine(line).inputs, "tool.denied").map(({ verdict }) => verdict);
    };
    expect(denied("config")).toEqual(["rule"]);
    expect(denied("hook")).toEqual(["hook"]);
    expect(denied("user_reject")).toEqual(["user"]);
    expect(denied("user_abort")).toEqual(["user"]);
  });

  test("TOOL-RESULT-1, TOOL-RESULT-2: an old client's only word for a denial is read, but for results that are none", () => {
    const old = { toolUseResult: "User rejected tool use", entrypoint: "cli" };
    expect(transcriptLine(result(old)).inputs).toEqual([
      {
        type: "tool.denied",
        observedAt,
        call: { toolUseId: "toolu_1" },
        verdict: "rejected",
        message: "no",
        terminal: true,
        unmarked: true,
      },
    ]);
    expect(transcriptLine(result(old, { is_error: false })).inputs).toMatchObject([
      { type: "tool.finished" },
    ]);
    expect(transcriptLine(result({ toolUseResult: "Error: no" })).inputs).toMatchObject([
      { type: "tool.failed" },
    ]);
  });

  test("TOOL-RESULT-1: a line with several results makes no remark about any one of them", () => {
    const { message } = result({});
    const two = {
      ...result({ toolDenialKind: "permission-rule" }),
      message: { content: [...message.content, ...message.content] },
    };
    expect(transcriptLine(two).inputs.map((input) => input.type)).toEqual(["tool.failed", "tool.failed"]);
  });
});
