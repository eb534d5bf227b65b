// Transcript turns
// Turns that only a transcript tells of: which of its lines begin one, and which end it.

import { describe, expect, test } from "vitest";
import { translateTranscriptLine } from "../../../adapters/claude-code/index.ts";
import { shrink } from "../../../runtime/door/inputs/shrink.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const LINE = { sessionId: "s1", isSidechain: false, gitBranch: "topic", cwd: "/home/dev/shop" };
const person = (promptId: string, content: unknown) => ({
  ...LINE,
  type: "user",
  promptId,
  message: { role: "user", content },
});
const model = (content: readonly object[], stop_reason: string, more: object = {}) => ({
  ...LINE,
  type: "assistant",
  message: { id: "m1", role: "assistant", content, stop_reason },
  ...more,
});
const TEXT = { type: "text", text: "done" };
const USE = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } };

/** What became of a session of these lines, each as it is journalled. */
function told(...lines: readonly object[]): SessionRun {
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  for (const line of lines)
    for (const input of translateTranscriptLine(shrink(line)).inputs)
      run.hear(input, "claude-code.transcript");
  return run;
}
const requests = (run: SessionRun): readonly string[] =>
  run.requests.map(({ id, state }) => `${id} ${state}`);

describe("a transcript alone", () => {
  test("R1, TRANSCRIPT-1: a turn is over when the model has nothing more to do", () => {
    const run = told(person("p1", "go"), model([USE], "tool_use"));
    expect(requests(run)).toEqual(["p1 processing"]);
    const after = told(person("p1", "go"), model([USE], "tool_use"), model([TEXT], "end_turn"));
    expect([requests(after), after.ends]).toEqual([["p1 completed"], ["toolu_1 missing-post unreported"]]);
  });

  test("R1, TRANSCRIPT-1: it is not over where the model asks for a tool, was cut off, or is still writing", () => {
    for (const reason of ["tool_use", "max_tokens", "stop_sequence", "pause_turn"])
      expect(requests(told(person("p1", "go"), model([TEXT], reason))), reason).toEqual(["p1 processing"]);
  });

  test("R1, TRANSCRIPT-3: a subagent that has nothing more to do ends no turn of the main agent's", () => {
    const aside = { isSidechain: true, agentId: "a1" };
    const run = told(person("p1", "go"), model([USE], "tool_use", aside), model([TEXT], "end_turn", aside));
    expect([requests(run), run.ends]).toEqual([["p1 processing"], ["toolu_1 missing-post unreported"]]);
    const nobody = told(person("p1", "go"), model([TEXT], "end_turn", { isSidechain: true }));
    expect(requests(nobody)).toEqual(["p1 processing"]);
  });

  test("R1, TRANSCRIPT-1: a command of the client's own is no prompt, what it was given and what it printed neither", () => {
    for (const content of [
      "<command-name>/compact</command-name>\n<command-message>compact</command-message>",
      "<command-message>review is running</command-message>\n<command-name>/review</command-name>",
      "\n  <command-name>/clear</command-name>",
      "<command-args></command-args>",
      "<local-command-stdout>Compacted</local-command-stdout>",
      "<bash-input>ls</bash-input>",
      "<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>",
    ])
      expect(requests(told(person("p1", content))), content).toEqual([]);
    expect(requests(told(person("p1", "what does <command-name> mean?")))).toEqual(["p1 processing"]);
  });

  test("FOREIGN-FIELDS-2: a prompt that is too long to be kept whole is a prompt, with its branch", () => {
    const long = "please ".repeat(4_000);
    const run = told(person("p1", long));
    expect(requests(run)).toEqual(["p1 processing"]);
    expect(run.session?.context).toMatchObject({ branch: "topic" });
    expect(requests(told(person("p1", [{ type: "text", text: long }])))).toEqual(["p1 processing"]);
    expect(requests(told(person("p1", `[Request interrupted by user]${long}`)))).toEqual([]);
  });
});
