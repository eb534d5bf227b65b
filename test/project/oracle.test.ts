import { describe, expect, test } from "vitest";
import { at, stringsIn, textAt } from "../support/engine/json.ts";
import { callsInLine } from "../support/oracle/named-calls.ts";
import { KINDS, prove, proveApprovals } from "../support/oracle/oracle.ts";
import type { Kind } from "../support/oracle/oracle.ts";
import { allRecordings, recording } from "../support/sessions/recording.ts";
import type { Recording } from "../support/sessions/recording.ts";
import { CALL_ID, stripIds } from "../support/sessions/strip-ids.ts";

// Written by hand from each recording's timeline.txt, its results, and the last words of its transcript.
// T1's second turn has a call of its own, `f1`; the resumed client of s5-sigkill-resume one with number 21.
const fine = (...numbers: number[]) => numbers.map((number) => `${number} completed`);
const brought = (cause: number, ...numbers: number[]) => numbers.map((n) => `${n} denied cascade ${cause}`);

const BY_HAND: Readonly<Record<string, Readonly<Record<Kind, readonly string[]>>>> = {
  "s2-pre-deny": same([...fine(1, 2, 3, 4, 5, 7, 8, 9, 10), "6 denied hook"]),
  "s3-permreq-deny-interrupt": {
    hooks: [...fine(1, 2, 3, 4, 5), "6 denied hook"],
    stream: [...fine(1, 2, 3, 4, 5), "6 denied hook", ...brought(6, 7, 8, 9, 10)],
    transcript: [...fine(1, 2, 3, 4, 5), "6 denied direct", ...brought(6, 7, 8, 9, 10)],
    all: [...fine(1, 2, 3, 4, 5), "6 denied hook", ...brought(6, 7, 8, 9, 10)],
  },
  "s4-sdk-parallel-ask": {
    ...same([...fine(1, 3, 4), "2 denied direct"]),
    hooks: [...fine(1, 3, 4), "2 denied inferred"],
  },
  "s5-fail": same(["1 failed", "2 failed", "3 failed", "4 failed", "5 completed"]),
  "s5-sigint": {
    ...same(["1 completed", "2 missing-post interrupted", "3 denied cascade 2"]),
    hooks: ["1 completed", "2 missing-post interrupted"],
  },
  "s5-sigkill-resume": {
    ...same(["1 completed", "2 missing-post killed", "3 missing-post killed", "21 completed"]),
    hooks: ["1 completed", "2 missing-post killed", "21 completed"],
    stream: ["1 completed", "2 missing-post unreported", "3 missing-post unreported", "21 completed"],
  },
  "s8-http-hook": {
    ...same(["1 completed", "2 completed", "3 denied hook"]),
    hooks: ["1 completed", "2 completed", "3 denied inferred"],
  },
  "t1-tui-deny-esc": {
    ...same([...fine(1, 2, 3, 4, 5), "6 denied direct", ...brought(6, 7, 8, 9, 10), "f1 completed"]),
    hooks: [...fine(1, 2, 3, 4, 5), "6 missing-post interrupted", "f1 completed"],
    stream: [],
  },
  "t3-tui-deny-feedback": {
    hooks: [...fine(1, 2, 3, 4, 5, 7, 8), "6 missing-post interrupted", "9 missing-post interrupted"],
    stream: [],
    transcript: [...fine(1, 2, 3, 4, 5, 7, 8), "6 denied direct", "9 queued", "10 queued"],
    all: [
      ...fine(1, 2, 3, 4, 5, 7, 8),
      "6 denied direct",
      "9 missing-post interrupted",
      "10 missing-post interrupted",
    ],
  },
};

function same(proven: readonly string[]): Readonly<Record<Kind, readonly string[]>> {
  return { hooks: proven, stream: proven, transcript: proven, all: proven };
}

const label = (toolUseId: string) => {
  const [, follow = "", number] = /(?:T1(f))?call(\d\d)/.exec(toolUseId) ?? [];
  return `${follow}${Number(number)}`;
};

function proven(recorded: Recording, kind: Kind): readonly string[] {
  return prove(recorded, kind).map(({ toolUseId, execution, cause, causedBy }) =>
    [label(toolUseId), execution, cause, causedBy && label(causedBy)].filter(Boolean).join(" "),
  );
}

/** A recording of hooks only. */
function madeOf(lines: readonly object[]): Recording {
  const none = { path: "", lines: [] };
  const values = lines.map((payload, index) => ({ number: index + 1, text: "", value: payload }));
  const hooks = { path: "hooks.jsonl", lines: values };
  return {
    name: "made",
    hooks,
    stream: none,
    transcripts: [],
    earlierTranscripts: [],
    canUseTool: none,
    mcp: none,
    httpHooks: none,
  };
}

const hook = (hook_event_name: string, fields: object = {}, answer?: object) => ({
  payload: { session_id: "s1", prompt_id: "p1", hook_event_name, tool_name: "Bash", ...fields },
  ...(answer && { answer: JSON.stringify({ hookSpecificOutput: answer }) }),
});

describe("C1–C4: what a recording proves", () => {
  test.each(Object.keys(BY_HAND))("C4: %s proves what its timeline shows, by each kind of file", (name) => {
    for (const kind of KINDS) {
      expect([...proven(recording(name), kind)].sort(), kind).toEqual(
        [...(BY_HAND[name]?.[kind] ?? [])].sort(),
      );
    }
  });

  test.each(allRecordings())(
    "C1, ORACLE-1: $name: every call that a kind of file names has one proof",
    (recorded) => {
      const lines = {
        hooks: recorded.hooks.lines.map(({ value }) => at(value, "payload")),
        stream: recorded.stream.lines.map(({ value }) => value),
        transcript: recorded.transcripts
          .flatMap((file) => file.lines)
          .map(({ value }) => (textAt(value, "type") === "api-request-blob" ? undefined : value)),
      };
      for (const kind of ["hooks", "stream", "transcript"] as const) {
        const proofs = prove(recorded, kind);
        const named = new Set(lines[kind].flatMap((value) => [...callsInLine(value)]));
        expect(new Set(proofs.map((proof) => proof.toolUseId)), kind).toEqual(named);
        expect(new Set(proofs.map((proof) => `${proof.sessionId} ${proof.toolUseId}`)).size).toBe(
          proofs.length,
        );
      }
      for (const { tool, input } of prove(recorded, "all")) {
        expect(tool).not.toBe("");
        expect(input).toBeTypeOf("object");
      }
    },
  );

  test("C2, ORACLE-2: no kind of file contradicts a result that another one holds", () => {
    for (const recorded of allRecordings()) {
      const all = new Map(
        prove(recorded, "all").map((proof) => [`${proof.sessionId} ${proof.toolUseId}`, proof]),
      );
      for (const kind of KINDS) {
        for (const { sessionId, toolUseId, execution } of prove(recorded, kind)) {
          const closed = execution === "completed" || execution === "failed";
          if (closed) expect(all.get(`${sessionId} ${toolUseId}`)?.execution, recorded.name).toBe(execution);
        }
      }
    }
  });

  test("C4: a hook's interrupting denial brings down what else is open, and only that", () => {
    const made = madeOf([
      hook("PreToolUse", { tool_use_id: "toolu_1", tool_input: { n: 1 } }),
      hook("PostToolUse", { tool_use_id: "toolu_1", tool_input: { n: 1 } }),
      hook("PreToolUse", { tool_use_id: "toolu_2", tool_input: { n: 2 } }),
      hook("PreToolUse", { tool_use_id: "toolu_3", tool_input: { n: 3 } }),
      hook(
        "PermissionRequest",
        { tool_input: { n: 3 } },
        { hookEventName: "PermissionRequest", decision: { behavior: "deny", interrupt: true } },
      ),
      hook("PreToolUse", { tool_use_id: "toolu_4", tool_input: { n: 4 } }),
    ]);
    expect(
      prove(made, "hooks").map(({ toolUseId, execution, cause, causedBy }) => [
        toolUseId,
        execution,
        cause,
        causedBy,
      ]),
    ).toEqual([
      ["toolu_1", "completed", undefined, undefined],
      ["toolu_2", "denied", "cascade", "toolu_3"],
      ["toolu_3", "denied", "hook", undefined],
      ["toolu_4", "processing", undefined, undefined],
    ]);
  });

  test("C2: a call that a hook put off stays queued, through the end of its process, until it is taken up", () => {
    const pre = { tool_use_id: "toolu_1", tool_input: {} };
    const deferral = { hookEventName: "PreToolUse", permissionDecision: "defer" };
    const first = [
      hook("PreToolUse", pre, deferral),
      hook("SessionEnd"),
      hook("SessionStart", { source: "resume" }),
    ];
    expect(prove(madeOf(first), "hooks")).toMatchObject([{ execution: "queued", deferred: true }]);
    const again = [...first, hook("PreToolUse", pre), hook("SessionEnd")];
    expect(prove(madeOf(again), "hooks")).toMatchObject([
      { execution: "missing-post", cause: "interrupted" },
    ]);
  });
});

describe("C4: whose question it was", () => {
  test("C4: every recorded question is proven to be about one call", () => {
    const questions = allRecordings().flatMap(proveApprovals);
    expect(questions).toHaveLength(49);
    expect(questions.filter((question) => question.toolUseId === undefined)).toEqual([]);
  });

  test("C4: where the SDK or the MCP tool was asked too, its ids are those proven for the hook's questions", () => {
    for (const name of ["s3-sdk-deny", "s4-sdk-parallel-ask", "s3-mcp-deny6"]) {
      const questions = proveApprovals(recording(name));
      const ids = (hooks: boolean) =>
        questions.filter(({ channel }) => (channel === "hook") === hooks).map(({ toolUseId }) => toolUseId);
      expect(new Set(ids(true)), name).toEqual(new Set(ids(false)));
    }
  });

  test("C4: hooks that answered without interrupting are those the transcript names", () => {
    for (const recorded of allRecordings()) {
      const answered = proveApprovals(recorded).filter(
        ({ channel, answer, interrupt }) => channel === "hook" && answer && !interrupt,
      );
      const attachments = recorded.transcripts
        .flatMap((file) => file.lines)
        .filter(({ value }) => textAt(value, "attachment", "type") === "hook_permission_decision");
      const told = attachments.map(({ value }) => [
        textAt(value, "attachment", "toolUseID"),
        textAt(value, "attachment", "decision"),
      ]);
      expect(new Map(answered.map(({ toolUseId, answer }) => [toolUseId, answer])), recorded.name).toEqual(
        new Map(told as [string, string][]),
      );
    }
  });

  test("C4, ORACLE-APPROVALS-1: two equal calls that are both open leave a question open", () => {
    const pre = (tool_use_id: string) => hook("PreToolUse", { tool_use_id, tool_input: { n: 1 } });
    const made = madeOf([
      pre("toolu_1"),
      pre("toolu_2"),
      hook("PermissionRequest", { tool_input: { n: 1 } }),
    ]);
    expect(proveApprovals(made)).toMatchObject([{ candidates: ["toolu_1", "toolu_2"] }]);
    expect(proveApprovals(made)[0]?.toolUseId).toBeUndefined();
  });
});

describe("C1: a recording without the ids of its calls", () => {
  test.each(allRecordings())("C1: $name: nothing but the ids is gone", (recorded) => {
    const stripped = stripIds(recorded);
    const files = (of: Recording) => [of.hooks, of.stream, ...of.transcripts, ...of.earlierTranscripts];
    const strings = (of: Recording) =>
      files(of)
        .flatMap((file) => file.lines)
        .flatMap((line) => [...stringsIn(line.value)].map(([, text]) => text));
    expect(strings(stripped)).toEqual(strings(recorded).filter((text) => !CALL_ID.test(text)));
    expect(files(stripped).map((file) => file.lines.length)).toEqual(
      files(recorded).map((file) => file.lines.length),
    );
    for (const line of files(stripped).flatMap((file) => file.lines))
      expect(JSON.parse(line.text)).toEqual(line.value);
  });
});
