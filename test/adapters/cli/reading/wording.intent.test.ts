// Intents on the command line
// The words about a call, as `show` and `watch` print them: whole or short, and harmless.

import { describe, expect, it } from "vitest";
import { type CallAnswer, callAnswer } from "../../../../adapters/cli/answers.ts";
import { table } from "../../../../adapters/cli/output/table.ts";
import { Board } from "../../../../adapters/cli/watch/board.ts";
import { intentIn, intentWithSource } from "../../../../adapters/cli/wording.ts";

const HOSTILE = "Ship it\nexecution  completed\u001b[2J\u202e done\u0007";
const intent = { text: HOSTILE, source: "message", confidence: "certain", line: "u-1" };
const SHOWN = "Ship it␊execution  completed␛[2J<U+202E> done␇";

const callWith = (more: object): CallAnswer =>
  callAnswer.parse({
    id: "t1",
    workspace: "shop",
    sessionId: "s1",
    requestId: "r1",
    tool: "Bash",
    execution: "processing",
    createdAt: 0,
    batchId: "b1",
    index: 0,
    ordered: true,
    input: { command: "make deploy" },
    ...more,
  });

describe("an intent", () => {
  it("CLI, VISIBLE-1: is one line with its source, how sure it is and its line, and steers no terminal", () => {
    expect(intentWithSource(intent)).toBe(`${SHOWN} (message, certain, line u-1 of the transcript)`);
    const { line: _, ...unplaced } = intent;
    expect(intentWithSource(unplaced)).toBe(`${SHOWN} (message, certain)`);
  });

  it("CLI, VISIBLE-1: is short and harmless in a list, and empty where nobody said why", () => {
    const long = { ...intent, text: `${HOSTILE}${"a".repeat(5_000)}` };
    const shown = table(["CALL", "INTENT", "INPUT"], [["t1", intentIn({ intent: long }), "x"]]);
    expect(shown).toContain(SHOWN);
    expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThan(80);
    expect(intentIn({})).toBe("");
  });

  it("CLI, VISIBLE-1: stands in the line of a call that waits for an answer, shortened, and in no other's", () => {
    const lineOf = (call: CallAnswer): string | undefined =>
      new Board().apply({
        n: 1,
        entity: "toolcall",
        id: "t1",
        workspace: "shop",
        sessionId: "s1",
        from: "queued",
        to: "processing",
        at: 0,
        view: call,
      });
    const waits = { approval: { id: "a1", state: "pending" } };
    expect(lineOf(callWith({ intent, ...waits }))).toContain(`(waits for a1)  ${SHOWN}`);
    const long = { ...intent, text: "b".repeat(5_000) };
    expect(lineOf(callWith({ intent: long, ...waits }))).toMatch(/b{99}…$/);
    expect(lineOf(callWith({ intent }))).not.toContain("Ship it");
  });
});
