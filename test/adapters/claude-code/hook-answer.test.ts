import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { translateHookAnswer } from "../../../adapters/claude-code/index.ts";
import { at } from "../../support/engine/json.ts";
import { allRecordings, recording } from "../../support/sessions/recording.ts";

const answer = (payload: unknown, text: unknown) => translateHookAnswer(payload, text).inputs;

const PRE = {
  session_id: "s1",
  prompt_id: "p1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
};
const base = { promptId: "p1" };

describe("HOOK-ANSWER-1: what a hook answered", () => {
  test("HOOK-ANSWER-1: the recorded answers are decisions of a hook", () => {
    const decisions = allRecordings().flatMap(({ name, hooks }) =>
      hooks.lines.flatMap(({ value }) => {
        const text = at(value, "answer");
        return text === undefined
          ? []
          : answer(at(value, "payload"), text).map((input) => [name, input] as const);
      }),
    );
    const seen = decisions.map(([name, input]) =>
      [name, input.type, at(input, "decision") ?? at(input, "verdict"), at(input, "interrupt")]
        .join(" ")
        .trim(),
    );
    expect(new Set(seen)).toEqual(
      new Set([
        "s2-defer-resume tool.deferred",
        "s2-defer-resume tool.permission accept",
        "s2-pre-deny tool.denied hook",
        "s2-pre-updated-input tool.permission accept",
        "s3-permreq-deny approval.answered approve",
        "s3-permreq-deny approval.answered deny",
        "s3-permreq-deny-interrupt approval.answered approve",
        "s3-permreq-deny-interrupt approval.answered deny true",
        "s4-ask-parallel-reads approval.answered approve",
      ]),
    );
    expect(seen).toHaveLength(16);
  });

  test("HOOK-ANSWER-1: the body of an HTTP hook's answer is read in the same way", () => {
    const decided = recording("s8-http-hook").httpHooks.lines.flatMap(({ value }) =>
      answer(at(value, "payload"), at(value, "answer", "body")),
    );
    expect(decided).toMatchObject([
      {
        type: "tool.denied",
        verdict: "hook",
        message: "http says no",
        call: { toolUseId: "toolu_01S8acall03xxxxxxxxxxxxx" },
      },
    ]);
  });

  test("HOOK-ANSWER-1: ask allows nothing", () => {
    const text = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`;
    expect(answer(PRE, text)).toEqual([{ ...base, type: "unknown", name: "PreToolUse/ask" }]);
  });

  test.each([
    "",
    "not JSON",
    "null",
    "[]",
    "{}",
    `{"hookSpecificOutput":null}`,
    `{"hookSpecificOutput":{"permissionDecision":"allow"}}`,
    `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ALLOW"}}`,
    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":["allow"]}}`,
  ])("HOOK-ANSWER-1: %s decides nothing about a PreToolUse", (text) => {
    expect(answer(PRE, text)).toEqual([]);
  });

  test.prop([fc.oneof(fc.string(), fc.json(), fc.jsonValue())])(
    "HOOK-ANSWER-1: no answer makes the translation fail",
    (text) => {
      expect(() => answer(PRE, text)).not.toThrow();
    },
  );
});
