import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { translateHook, translateTranscriptLine } from "../../../adapters/claude-code/index.ts";
import type { SourceInput } from "../../../machines/inputs.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { callsInInputs } from "../../support/oracle/named-calls.ts";
import { allRecordings, recording, sessionOfTranscript } from "../../support/sessions/recording.ts";
import { CALL_ID } from "../../support/sessions/strip-ids.ts";
import { callNumber, damaged, expectSound, oneOfEachForm, ofType, refusedOrSound } from "./recorded.ts";
import type { Of } from "./recorded.ts";

const transcriptLine = (value: unknown) => translateTranscriptLine(value);

/** The inputs of one type that a recording's transcripts give. */
function inputsOf<Type extends SourceInput["type"]>(name: string, type: Type): readonly Of<Type>[] {
  const lines = recording(name).transcripts.flatMap((file) => file.lines);
  return ofType(
    lines.flatMap(({ value }) => transcriptLine(value).inputs),
    type,
  );
}

/** The calls of the lines that tell of calls: messages, results, and what hooks decided. */
function callsNamed(values: readonly unknown[]): ReadonlySet<string> {
  const ids = values.flatMap((value) => {
    const type = textAt(value, "type") ?? "";
    if (type === "attachment") {
      const told = /^hook_(?:permission_decision|deferred_tool)$/.test(
        textAt(value, "attachment", "type") ?? "",
      );
      return told ? [textAt(value, "attachment", "toolUseID")] : [];
    }
    if (type !== "user" && type !== "assistant") return [];
    return listAt(value, "message", "content").flatMap((block) => [
      textAt(block, "id"),
      textAt(block, "tool_use_id"),
    ]);
  });
  return new Set(ids.filter((id) => id !== undefined && CALL_ID.test(id)).map(String));
}

const files = allRecordings().flatMap((each) =>
  [...each.transcripts, ...each.earlierTranscripts].map((file) => ({
    title: `${each.name}/${file.path}`,
    file,
  })),
);

const LINE = { type: "user", sessionId: "s1", isSidechain: false, timestamp: "2026-11-21T20:28:43.727Z" };
const observedAt = Date.UTC(2026, 10, 21, 20, 28, 43, 727);

describe("TRANSCRIPT-1: every recorded transcript line", () => {
  test.each(files)("TRANSCRIPT-1: $title: each line gives sound inputs for its session", ({ file }) => {
    for (const { value } of file.lines) {
      const translated = transcriptLine(value);
      expectSound(translated);
      expect(translated.inputs.length).toBeGreaterThan(0);
      expect([undefined, sessionOfTranscript(file.path)]).toContain(translated.sessionId);
      const telling = translated.inputs.some((input) => input.type !== "unknown");
      if (telling) expect(translated.sessionId).toBeDefined();
    }
  });

  test.each(files)(
    "TRANSCRIPT-1: $title: the inputs name exactly the calls that the file tells of",
    ({ file }) => {
      const values = file.lines.map((line) => line.value);
      expect(callsInInputs(values.flatMap((value) => transcriptLine(value).inputs))).toEqual(
        callsNamed(values),
      );
    },
  );
});

describe("TRANSCRIPT-1: what a transcript line means", () => {
  test("TRANSCRIPT-1: a tool_use line announces a call, with its message, its place there and its time", () => {
    const announced = inputsOf("s7-intent", "tool.announced");
    const lines = recording("s7-intent").transcripts[0]?.lines ?? [];
    const uses = lines.filter(({ value }) => at(value, "message", "content", 0, "type") === "tool_use");
    expect(announced.map((input) => input.blockIndex)).toEqual(
      uses.map(({ value }) => at(value, "apiBlockIndex")),
    );
    expect(announced.map((input) => input.messageId)).toEqual(
      uses.map(({ value }) => at(value, "message", "id")),
    );
    expect(announced[0]?.observedAt).toBe(Date.parse(textAt(uses[0]?.value, "timestamp") ?? ""));
  });

  test("TRANSCRIPT-1: calls in a subagent's file are that agent's", () => {
    const calls = inputsOf("s6-subagent", "tool.announced");
    const inside = calls.filter((input) => input.agentId !== undefined);
    expect(calls).toHaveLength(9);
    expect(new Set(inside.map((input) => input.agentId))).toEqual(
      new Set(["a84766ca5a46b4837", "a5682c89c3a461021"]),
    );
    expect(inside).toHaveLength(6);
  });

  test("TRANSCRIPT-1: the result of an Agent call links its subagent", () => {
    expect(inputsOf("s6-subagent", "agent.linked").map((link) => [link.agentId, link.toolUseId])).toEqual([
      ["a84766ca5a46b4837", "toolu_01S6acall01xxxxxxxxxxxxx"],
      ["a5682c89c3a461021", "toolu_01S6acall02xxxxxxxxxxxxx"],
    ]);
  });

  test("TRANSCRIPT-1: prompts are those of the main agent, under the ids their hooks gave", () => {
    for (const { name, hooks } of allRecordings()) {
      const submitted = hooks.lines.filter(
        ({ value }) => textAt(value, "payload", "hook_event_name") === "UserPromptSubmit",
      );
      const byHook = submitted.flatMap(({ value }) => translateHook(at(value, "payload")).inputs);
      const ids = new Set(inputsOf(name, "prompt.submitted").map((prompt) => prompt.promptId));
      expect(ids, name).toEqual(new Set(byHook.map((prompt) => prompt.promptId)));
    }
  });

  test("TRANSCRIPT-1: a fork's file repeats the old prompts under the id of its own first one", () => {
    const prompts = inputsOf("s9-resume-fork", "prompt.submitted").map((input) => [
      input.promptId.slice(0, 4),
      input.text,
    ]);
    expect(prompts).toEqual([
      ["01e1", "[[s9-p1]] go"],
      ["9fb9", "[[s9-p2]] go"],
      ["9e31", "[[s9-p1]] go"],
      ["9e31", "[[s9-p2]] go"],
      ["9e31", "[[s9-p3]] go"],
      ["fe41", "[[s9-p4]] go"],
    ]);
  });

  test("TRANSCRIPT-1: what the client wrote itself is synthetic or no prompt at all", () => {
    expect(inputsOf("s2-defer-resume", "prompt.submitted").map((input) => input.synthetic)).toEqual([
      undefined,
      true,
    ]);
    expect(inputsOf("s5-timeout", "prompt.submitted").map((input) => input.synthetic)).toEqual([
      undefined,
      true,
    ]);
    const text = (content: string, fields: object = {}) =>
      transcriptLine({ ...LINE, promptId: "p1", message: { content }, ...fields }).inputs[0];
    expect(text("go", { isMeta: true })).toMatchObject({ type: "prompt.submitted", synthetic: true });
    expect(text("<local-command-stdout>ok</local-command-stdout>")).toMatchObject({ type: "unknown" });
    expect(text("the story so far", { isCompactSummary: true })).toMatchObject({ type: "unknown" });
    expect(text("go", { isSidechain: true, agentId: "a1" })).toMatchObject({
      type: "unknown",
      agentId: "a1",
    });
  });

  test("TRANSCRIPT-1: a prompt made of blocks is a prompt, and tells the folder and the branch", () => {
    const content = [
      { type: "text", text: "what is this?" },
      { type: "image", source: {} },
    ];
    const where = { cwd: "/home/dev/shop", gitBranch: "main", version: "2.1.330" };
    const noted = { cwd: "/home/dev/shop", branch: "main", client: "Claude Code 2.1.330" };
    expect(transcriptLine({ ...LINE, promptId: "p1", ...where, message: { content } })).toEqual({
      sessionId: "s1",
      cwd: "/home/dev/shop",
      inputs: [
        { type: "prompt.submitted", promptId: "p1", observedAt, text: "what is this?" },
        { type: "session.noted", promptId: "p1", observedAt, ...noted },
      ],
    });
    expect(inputsOf("s1-ten-allowed", "session.noted")[0]).not.toHaveProperty("branch");
  });

  test("TRANSCRIPT-1: a prompt without an id gets the same one from its hook and from its line", () => {
    const line = transcriptLine({ ...LINE, message: { content: "go" } }).inputs[0];
    const hook = translateHook({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "go" });
    expect(line?.promptId).toBe(hook.inputs[0]?.promptId);
  });

  test("TRANSCRIPT-1: results finish or fail their calls, and say who permitted them", () => {
    expect(inputsOf("s5-fail", "tool.failed").map(callNumber)).toEqual([1, 3, 2, 4]);
    expect(
      inputsOf("t3-tui-deny-feedback", "tool.permission").map((input) => [callNumber(input), input.source]),
    ).toEqual([
      [1, "config"],
      [2, "user_temporary"],
      [3, "user_temporary"],
      [5, "config"],
      [4, "config"],
      [6, "user_reject"],
      [7, "user_temporary"],
      [8, "config"],
    ]);
  });

  test("TRANSCRIPT-1: a result lost with its process is lost, not denied", () => {
    expect(
      inputsOf("s5-sigkill-resume", "tool.lost").map((input) => [callNumber(input), input.cause]),
    ).toEqual([
      [2, "killed"],
      [3, "killed"],
    ]);
  });

  test("TRANSCRIPT-1: a turn ends when the model has nothing more to do, by its summary, or by an interruption", () => {
    const outcomes = (name: string) => inputsOf(name, "turn.stopped").map((input) => input.outcome);
    const twice = ["completed", "completed"];
    expect(outcomes("s5-timeout")).toEqual([...twice, ...twice]);
    expect(outcomes("s5-sigint")).toEqual(["interrupted"]);
    expect(outcomes("t1-tui-deny-esc")).toEqual(["interrupted", "completed", ...twice]);
  });

  test("TRANSCRIPT-3: a subagent's line ends no turn of the main agent's", () => {
    const stopped = (fields: object) =>
      transcriptLine({ ...LINE, type: "system", subtype: "stop_hook_summary", ...fields }).inputs[0];
    expect(stopped({ isSidechain: true })).toMatchObject({ type: "unknown" });
    expect(stopped({ isSidechain: true, agentId: "a1" })).toMatchObject({
      type: "turn.stopped",
      agentId: "a1",
    });
    const interrupted = { ...LINE, isSidechain: true, message: { content: "[Request interrupted by user]" } };
    expect(transcriptLine(interrupted).inputs).toMatchObject([{ type: "unknown" }]);
  });

  test("TRANSCRIPT-1: what a hook decided or put off stands in attachments", () => {
    const decided = recording("s3-permreq-deny").transcripts.flatMap((file) =>
      file.lines.filter(({ value }) => textAt(value, "attachment", "type") === "hook_permission_decision"),
    );
    expect(decided.flatMap(({ value }) => transcriptLine(value).inputs)).toMatchObject(
      [2, 3, 6, 7, 9].map((call) => ({
        type: "tool.permission",
        call: { toolUseId: `toolu_01S3dcall0${call}xxxxxxxxxxxxx` },
        decision: call === 6 ? "reject" : "accept",
        source: "hook",
      })),
    );
    expect(inputsOf("s2-defer-resume", "tool.deferred")).toMatchObject([
      { call: { toolUseId: "toolu_01S2gcall01xxxxxxxxxxxxx", tool: "Bash" } },
    ]);
  });

  test("TRANSCRIPT-2: lines without a meaning here keep their name; the API's own copy of results is one of them", () => {
    const blobs = files
      .flatMap(({ file }) => file.lines)
      .filter(({ value }) => textAt(value, "type") === "api-request-blob");
    expect(blobs.filter(({ text }) => text.includes("tool_result"))).not.toEqual([]);
    for (const { value } of blobs) {
      expect(transcriptLine(value).inputs).toEqual([{ type: "unknown", name: "api-request-blob" }]);
    }
    for (const type of ["summary", "constructor", "__proto__"]) {
      expect(transcriptLine({ type })).toEqual({ inputs: [{ type: "unknown", name: type }] });
    }
  });
});

describe("FOREIGN-FIELDS-1: transcript lines of a wrong shape", () => {
  test.each([
    ["user", ""],
    [{ sessionId: "s1" }, "type"],
    [{ ...LINE, sessionId: undefined, message: { content: "go" } }, "sessionId"],
    [{ ...LINE }, "message"],
    [{ ...LINE, message: { content: null } }, "message.content"],
    [{ ...LINE, promptId: "", message: { content: "go" } }, "promptId"],
    [{ type: "attachment", sessionId: "s1" }, "attachment"],
    [
      { type: "attachment", sessionId: "s1", attachment: { type: "hook_deferred_tool", toolUseID: 4 } },
      "attachment.toolUseID",
    ],
    [
      { ...LINE, message: { content: [{ type: "tool_result", tool_use_id: null }] } },
      "message.content[0].tool_use_id",
    ],
  ])("FOREIGN-FIELDS-1: %j is refused at %s", (value, path) => {
    expect(() => transcriptLine(value)).toThrow(expect.objectContaining({ constructor: RefusedError, path }));
  });

  const forms = oneOfEachForm(files.flatMap(({ file }) => file.lines.map((line) => line.value)));
  test.prop([damaged(forms)], { numRuns: 2000 })(
    "FOREIGN-FIELDS-1: a damaged line is refused or gives sound inputs",
    (value) => {
      refusedOrSound(() => transcriptLine(value));
    },
  );

  test.prop([fc.jsonValue()])("FOREIGN-FIELDS-1: any JSON is refused or gives sound inputs", (value) => {
    refusedOrSound(() => transcriptLine(value));
  });
});
