// Approvals
// The questions that wait, as a person lists and answers them.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Desk, type Ended, jsonLines } from "./support/program.ts";
import { textAt } from "./support/json.ts";

let desk: Desk;

beforeAll(async () => {
  await build();
  desk = new Desk();
  await desk.up();
}, 180_000);
afterAll(() => desk.clear());

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);

/** Emits one event of a service's own session. */
async function emit(
  type: string,
  data: object,
  subject = "shop/chat-7",
  ...args: readonly string[]
): Promise<Ended> {
  return run("emit", type, "--subject", subject, "--data", JSON.stringify(data), ...args);
}

/** A question of a service that waits for an answer, in a session of its own. @returns its id. */
async function ask(id: string, input: unknown): Promise<string> {
  await emit("tool.started", { tool: "Bash", toolUseId: `t-${id}`, input }, `shop/s-${id}`);
  await emit(
    "approval.requested",
    { tool: "Bash", toolUseId: `t-${id}`, input, approvalId: id },
    `shop/s-${id}`,
  );
  return id;
}

describe("approvals", () => {
  it("CLI: approvals lists the oldest first, with input and hash; approve answers what was shown", async () => {
    const first = await ask("a-first", { command: "make \u001b[2K deploy" });
    const second = await ask("a-second", { command: "ls" });
    const listed = jsonLines((await run("approvals", "--json")).out);
    expect(listed.map((approval) => textAt(approval, "id"))).toEqual([first, second]);
    const { out } = await run("approvals");
    expect(out).toContain(textAt(listed[0], "inputHash") ?? "no hash");
    expect(out).toContain("deny      nothing else is denied with it");
    expect(out).toContain("Answer with `npx signalbox approve ID`");
    expect(out).not.toContain("\u001b");
    const approved = await run("approve", first);
    expect(approved).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining(`${first} is approved`) as string,
    });
    expect(approved.out).toContain(textAt(listed[0], "inputHash") ?? "no hash");
    const denied = await run("deny", second, "-m", "not today", "--json");
    expect([denied.code, jsonLines(denied.out)]).toMatchObject([0, [{ state: "denied" }]]);
    expect(jsonLines((await run("show", second, "--json")).out)).toMatchObject([
      { kind: "approval", state: "denied", message: "not today" },
    ]);
    expect((await run("approvals")).out).toBe("Nothing waits for an answer.\n");
  });

  it("Q4: approvals names the calls a denial would end, and it ends these", async () => {
    const call = (n: number) => ({
      requestId: "r-b",
      toolUseId: `b${n}`,
      tool: "Bash",
      input: { command: `c${n}` },
    });
    await emit("request.created", { requestId: "r-b" }, "shop/s-batch");
    await emit("request.processing", { requestId: "r-b" }, "shop/s-batch");
    for (const n of [1, 2, 3, 4])
      await emit("tool.announced", { ...call(n), messageId: "m1" }, "shop/s-batch");
    await emit("approval.requested", { ...call(2), approvalId: "a-batch" }, "shop/s-batch");
    const told = "deny      ends 3 calls: 2 Bash c2, 3 Bash c3, 4 Bash c4\n";
    expect((await run("approvals")).out).toContain(told);
    const denied = await run("deny", "a-batch");
    expect([denied.code, denied.out]).toEqual([0, expect.stringContaining(told)]);
    const ended = jsonLines((await run("ls", "calls", "s-batch", "--state", "denied", "--json")).out);
    expect(ended.map((one) => textAt(one, "id")).toSorted()).toEqual(["b2", "b3", "b4"]);
  });

  it("CLI: a question of the client's own dialog is answered there: no hint to answer here, and an answer is recorded only", async () => {
    const common = {
      session_id: "s-dialog",
      cwd: "/home/dev/shop",
      prompt_id: "p1",
      transcript_path: "/t.jsonl",
    };
    const tool = { tool_name: "Bash", tool_input: { command: "rm -r build" } };
    for (const hook of [
      { hook_event_name: "UserPromptSubmit", prompt: "clean", ...common },
      { hook_event_name: "PreToolUse", tool_use_id: "toolu_dialog", ...tool, ...common },
      { hook_event_name: "PermissionRequest", ...tool, ...common },
    ])
      expect((await emit("claude-code.hook", hook, "shop/s-dialog")).code).toBe(0);
    const [asked] = jsonLines((await run("approvals", "--json")).out);
    const { out } = await run("approvals");
    expect(out).not.toContain("Answer with");
    expect(out).toContain("answer there");
    const denied = await run("deny", textAt(asked, "id") ?? "none");
    expect(denied.out).toMatch(
      /Recorded only\. Claude Code still asks at its own terminal: answer there\.\n$/,
    );
  });

  it("I-14: a second answer is told that the first one counts, with exit code 1", async () => {
    const id = await ask("a-twice", { command: "ls -l" });
    expect((await run("deny", id)).code).toBe(0);
    const late = await run("approve", id);
    expect([late.code, late.err]).toEqual([
      1,
      expect.stringMatching(/^a-twice was denied \d+s ago by local:\S+\. Nothing changed\.\n$/),
    ]);
  });

  it.each(["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"])(
    "Q3: approve is refused where %s is set, and the question stays open",
    async (name) => {
      const id = await ask(`a-${name}`, { command: "rm -rf build" });
      const { code, err } = await desk.run(["approve", id], { env: { [name]: "1" } });
      expect([code, err]).toEqual([1, expect.stringContaining(name)]);
      expect(jsonLines((await run("show", id, "--json")).out)).toMatchObject([{ state: "pending" }]);
      await run("deny", id);
    },
  );

  it("CLI: an unknown approval is exit code 1", async () => {
    for (const command of ["approve", "deny"])
      expect(await run(command, "a-nobody")).toEqual({
        code: 1,
        out: "",
        err: "There is no approval a-nobody.\n`npx signalbox approvals` lists those that wait.\n",
      });
  });
});
