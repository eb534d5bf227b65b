// Nested calls
// What the command line shows of subagents' calls.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAnswer, changeAnswer } from "../../../../adapters/cli/answers.ts";
import { nested, toolOf } from "../../../../adapters/cli/nested.ts";
import { Board } from "../../../../adapters/cli/watch/board.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
let url: string;

const call = (toolUseId: string, tool: string, input: object, who: object = {}) => ({
  requestId: "r1",
  toolUseId,
  tool,
  input,
  ...who,
});
const A1 = { agentId: "a1", parentToolUseId: "review" };
const DEEP = { parentToolUseId: "try" };

beforeAll(async () => {
  await build();
  desk = new Desk();
  ({ url } = await desk.up());
  const emit = (type: string, data: object) =>
    desk.run(["emit", type, "--subject", "shop/s1", "--body", JSON.stringify(data), "--url", url]);
  await emit("request.created", { requestId: "r1", prompt: "Review it." });
  await emit("request.processing", { requestId: "r1" });
  await emit("tool.started", call("review", "Task", { description: "Review" }));
  await emit("tool.started", call("note", "Write", { file_path: "NOTES.md" }));
  await emit("tool.started", call("read", "Read", { file_path: "cart.ts" }, A1));
  await emit("tool.started", call("try", "Task", { description: "Try it" }, A1));
  await emit("tool.started", call("run", "Bash", { command: "npm test" }, DEEP));
  await emit("tool.started", call("sum", "Write", { file_path: "REVIEW.md" }, A1));
}, 180_000);
afterAll(() => desk.clear());

/** The rows of the table of calls, without what is before it. */
async function calls(...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await desk.run([...args, "--url", url]);
  const lines = out.trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => line.startsWith("CALL ")) + 1);
}

describe("nested calls", () => {
  it("CLI, I-47: show lists a subagent's calls below the call that started it, for sessions and requests", async () => {
    const expected = [
      /^review +Task +processing +Review$/,
      /^read +↳ Read +processing +cart\.ts$/,
      /^try +↳ Task +processing +Try it$/,
      /^run + {2}↳ Bash +processing +npm test$/,
      /^sum +↳ Write +processing +REVIEW\.md$/,
      /^note +Write +processing +NOTES\.md$/,
    ];
    for (const id of ["s1", "r1"]) {
      const rows = await calls("show", id);
      expect(rows).toHaveLength(expected.length);
      for (const [index, row] of rows.entries()) expect(row).toMatch(expected[index] ?? /^$/);
    }
  });

  it("CLI: a list and the watch mark a subagent's calls; the order stays that of arrival", async () => {
    const rows = await calls("ls", "calls", "s1");
    expect(rows.map((row) => row.replaceAll(/ +/g, " ").split(" processing")[0])).toEqual([
      "sum ↳ Write",
      "run ↳ Bash",
      "try ↳ Task",
      "read ↳ Read",
      "note Write",
      "review Task",
    ]);
    const { out } = await desk.run(["export", "s1", "--url", url]);
    const changes = jsonLines(out).flatMap((each) => changeAnswer.safeParse(each).data ?? []);
    const board = new Board();
    const told = changes.flatMap((change) => board.apply(change) ?? []);
    expect(told.filter((line) => / Running +↳ /.test(line))).toHaveLength(4);
    expect(told.filter((line) => / Running +(Task|Write) /.test(line))).toHaveLength(2);
  });

  it("CLI: a call's name is readable at any depth", () => {
    const chain = Array.from({ length: 20_000 }, (_, n) =>
      callAnswer.parse({
        id: `t${n}`,
        sessionId: "s1",
        requestId: "r1",
        batchId: `b${n}`,
        index: 0,
        ordered: false,
        tool: "Task",
        execution: "processing",
        createdAt: n,
        ...(n > 0 && { parentCallId: `t${n - 1}` }),
      }),
    );
    const last = nested(chain).at(-1);
    expect(last?.depth).toBe(19_999);
    expect(last && toolOf(last.call, last.depth).length).toBeLessThan(40);
  });
});
