// Transcript: wording
// What older clients write of a call that was not allowed: the words of their programs 2.0.26 to 2.1.112.

import { describe, expect, test } from "vitest";
import { translateTranscriptLine } from "../../../adapters/claude-code/index.ts";
import type { Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const NOT_WRITTEN =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). ";
const STOP = `${NOT_WRITTEN}STOP what you are doing and wait for the user to tell you how to proceed.`;
const SAID = `${NOT_WRITTEN}To tell you how to proceed, the user said:\nuse make instead`;
const REASON = `${NOT_WRITTEN}The user provided the following reason for the rejection: keep the plan short`;
const HOOK = "PreToolUse:Bash hook error: [guard.sh]: BLOCKED: not on a Friday";
const RULE = "Permission to use Bash with command rm -rf / has been denied.";

const line = (text: string, more: object = {}) => ({
  type: "user",
  sessionId: "s1",
  version: "2.1.50",
  toolUseResult: `Error: ${text}`,
  message: { content: [{ type: "tool_result", tool_use_id: "a", is_error: true, content: text }] },
  ...more,
});
const read = (value: unknown) => translateTranscriptLine(value).inputs;

const ref = (tool = "Bash") => ({ toolUseId: "a", tool, input: toolInput({ command: "make" }) });
const begun = (tool?: string): readonly Input[] => [
  { type: "prompt.submitted", promptId: "p1", text: "go" },
  { type: "tool.announced", call: ref(tool) },
];
const told = (value: unknown, tool?: string, more: readonly Input[] = []) =>
  new SessionRun({ policy: { cascade: "interrupt" } }).tell(
    ...begun(tool),
    ...(read(value) as Input[]),
    ...more,
  );

describe("a refusal that is written down like an error", () => {
  test.each([
    [SAID, "Bash", "direct"],
    [REASON, "ExitPlanMode", "direct"],
    [STOP, "Edit", "direct"],
    [HOOK, "Bash", "hook"],
    [RULE, "Bash", "hook"],
    [
      "Claude requested permissions to write to /home/dev/a, but you haven't granted it yet.",
      "Write",
      "hook",
    ],
  ])("TOLD-2, C4: is a denial: %s", (text, tool, cause) => {
    for (const version of ["2.0.26", "2.1.20", "2.1.96", "2.1.112"]) {
      const run = told(line(text, { version }), tool);
      expect(run.ends).toEqual([`a denied ${cause}`]);
      expect(run.calls[0]?.context.denial?.message).toBe(text);
    }
  });

  test("TOLD-2: counts only in the whole form that such a client gives it", () => {
    const others = [
      line(SAID, { version: "2.1.330" }),
      line(SAID, { version: "2.1.113" }),
      line(SAID, { version: "3.0.1" }),
      line(SAID, { version: undefined }),
      line(SAID, { toolUseResult: SAID }),
      line(SAID, { toolUseResult: { stdout: SAID } }),
      line(`It said: ${SAID}`),
      line(`Exit code 1\n${SAID}`),
      line("The user doesn't want to proceed with this tool use."),
    ];
    for (const other of others) expect(told(other).ends, JSON.stringify(other)).toEqual(["a failed"]);
  });

  test("TOLD-2, C4: is no denial of a tool that words its errors itself", () => {
    for (const tool of ["mcp__shop__order", "WebFetch", "Task", "Agent", "anything"])
      for (const text of [SAID, STOP, HOOK, RULE]) expect(told(line(text), tool).ends).toEqual(["a failed"]);
  });

  test("C2, C4, I-24: gives way to whatever shows that the call ran, in either order", () => {
    const ran: readonly Input[] = [
      { type: "tool.finished", call: ref(), output: "done" },
      { type: "tool.failed", call: ref(), error: "Exit code 2" },
      { type: "tool.failed", call: { toolUseId: "a" }, error: "ShellError", bare: true },
    ];
    for (const text of [SAID, HOOK])
      for (const result of ran) {
        const after = told(line(text), "Bash", [result]);
        const before = new SessionRun().tell(...begun(), result, ...(read(line(text)) as Input[]));
        expect([text, after.ends]).toEqual([text, before.ends]);
        expect(after.ends).toEqual([result.type === "tool.finished" ? "a completed" : "a failed"]);
        expect(after.calls[0]?.context.executedAfterDenial).toBeUndefined();
      }
  });

  test("C5, ALARM-1: takes no alarm away from a call that was denied here and ran", () => {
    const gate: Input = {
      type: "approval.requested",
      call: ref(),
      channel: "gate",
      approvalId: "g1",
      onDeadline: "deny",
    } as Input;
    const no: Input = { type: "decision", approvalId: "g1", decision: "deny", by: "local:ann" } as Input;
    const ran: Input = { type: "tool.finished", call: ref(), output: "done" };
    const words = read(line(SAID)) as Input[];
    for (const order of [
      [gate, no, ...words, ran],
      [gate, no, ran, ...words],
      [...words, gate, no, ran],
    ]) {
      const run = new SessionRun().tell(...begun());
      for (const input of order) run.hear(input);
      const [call] = run.calls;
      const isAsked = order[0] === gate;
      expect([call?.state, call?.context.executedAfterDenial]).toEqual(
        isAsked ? ["denied", true] : ["completed", undefined],
      );
    }
    expect(
      new SessionRun().tell(...begun(), gate, no, ...words).calls[0]?.context.executedAfterDenial,
    ).toBeUndefined();
  });

  test("C2, C4: is heard after the end of the turn as well", () => {
    const stop: Input = { type: "turn.stopped", outcome: "completed" };
    const run = new SessionRun().tell(...begun(), stop, ...(read(line(HOOK)) as Input[]));
    expect(run.ends).toEqual(["a denied hook"]);
  });
});
