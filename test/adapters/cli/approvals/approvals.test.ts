// Approvals
// A person lists and answers the pending approvals.

import { describe, expect, it } from "vitest";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";
import { textAt } from "../../../support/engine/json.ts";

const desk = deskWithEngine();

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);

const emit: Desk["emit"] = (...said) => desk.emit(...said);

/** A service's approval, pending in a session of its own. @returns its id. */
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
  it("CLI, CLI-DECIDE-1, URGENCY-1: approvals lists the most urgent first, with input and hash; approve answers what was shown", async () => {
    const second = await ask("a-second", { command: "ls" });
    const first = await ask("a-first", { command: "make \u001b[2K deploy" });
    const short = (await run("approvals", "--short")).out;
    expect(short.indexOf(first)).toBeLessThan(short.indexOf(second));
    const listed = jsonLines((await run("approvals", "--json")).out);
    expect(listed.map((approval) => textAt(approval, "id"))).toEqual([first, second]);
    const { out } = await run("approvals");
    expect(out).toContain(textAt(listed[0], "inputHash") ?? "no hash");
    expect(out).toContain("deny      nothing else is denied with it");
    expect(out).toContain(
      `answer    npx signalbox approve ${first}\n            npx signalbox deny ${first} -m TEXT\n`,
    );
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

  it("READ-1: approvals names the calls that a denial would end, and the denial ends these", async () => {
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
    const told = [2, 3, 4].map((n) => `               ${n}  Bash  c${n}\n`).join("");
    expect(jsonLines((await run("approvals", "--json")).out)).toMatchObject([
      { endsOnDeny: ["b2", "b3", "b4"] },
    ]);
    expect((await run("approvals")).out).toContain(`deny      ends 3 calls:\n${told}`);
    const denied = await run("deny", "a-batch");
    expect([denied.code, denied.out]).toEqual([0, expect.stringContaining(told)]);
    const ended = jsonLines((await run("ls", "calls", "s-batch", "--state", "denied", "--json")).out);
    expect(ended.map((one) => textAt(one, "id")).toSorted()).toEqual(["b2", "b3", "b4"]);
  });

  it("CLI: an approval in the client's own dialog is answered there: no hint to answer here, and an answer is only recorded", async () => {
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
    expect(out).not.toContain("npx signalbox approve");
    expect(out).toContain("answer in that dialog");
    const denied = await run("deny", textAt(asked, "id") ?? "none");
    expect(denied.out).toMatch(
      /The answer was only recorded\. The client still asks in its own dialog: answer in that dialog\.\n$/,
    );
  });

  it("I-14: a second answer fails with exit code 1 and says that the first one counts", async () => {
    const id = await ask("a-twice", { command: "ls -l" });
    expect((await run("deny", id)).code).toBe(0);
    const late = await run("approve", id);
    expect([late.code, late.err]).toEqual([
      1,
      expect.stringMatching(/^a-twice was denied \d+s ago by local:\S+\. Nothing changed\.\n$/),
    ]);
  });

  it.each(["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"])(
    "CLI-DECIDE-2, G51: approve is refused if %s is set, and the approval stays pending",
    async (name) => {
      const id = await ask(`a-${name}`, { command: "rm -rf build" });
      const { code, err } = await desk.run(["approve", id], { env: { [name]: "1" } });
      expect([code, err]).toEqual([1, expect.stringContaining(name)]);
      expect(jsonLines((await run("show", id, "--json")).out)).toMatchObject([{ state: "pending" }]);
      await run("deny", id);
    },
  );

  it("APPROVAL-TEXT-1: a long input is only named in the list, and shown whole with its approval; --short prints a line each", async () => {
    const id = await ask("a-long", { command: "x".repeat(20_000) });
    const named = "input     (20,014 bytes; `npx signalbox approvals a-long` has all of it)\n";
    expect((await run("approvals")).out).toContain(named);
    expect((await run("approvals", id)).out).toContain("x".repeat(20_000));
    const short = (await run("approvals", "--short")).out.split("\n");
    expect(short[0]).toMatch(/^APPROVAL +WAITING +TOOL +RISK +INPUT +SESSION$/);
    expect(short[1]).toMatch(/^a-long +\d+s +Bash +\(20014 bytes\) +s-a-long$/);
    await run("deny", id);
    expect((await run("approvals", id)).out).toMatch(/^a-long {2}Bash {2}denied \d+s ago by local:\S+\n/);
    expect((await run("approvals", "a-nobody")).err).toContain("There is no approval a-nobody.");
  });

  it("CLI: a subagent's approval names the agents from the main one down", async () => {
    const subject = "shop/s-agents";
    const common = {
      session_id: "s-agents",
      cwd: "/home/dev/shop",
      prompt_id: "p-agents",
      transcript_path: "/t",
    };
    const agent = {
      tool_name: "Agent",
      tool_use_id: "toolu_agent",
      tool_input: { subagent_type: "Explore", description: "find the bug", prompt: "find it" },
    };
    const own = {
      agent_id: "a123",
      tool_name: "Bash",
      tool_use_id: "toolu_sub",
      tool_input: { command: "ls" },
    };
    for (const hook of [
      { hook_event_name: "UserPromptSubmit", prompt: "go" },
      { hook_event_name: "PreToolUse", ...agent },
      // A background agent answers at once, and works on.
      { hook_event_name: "PostToolUse", ...agent, tool_response: { agentId: "a123", prompt: "find it" } },
      { hook_event_name: "PreToolUse", ...own },
      { hook_event_name: "PermissionRequest", ...own, tool_use_id: undefined },
    ])
      expect((await emit("claude-code.hook", { ...common, ...hook }, subject)).err).toBe("");
    const [asked] = jsonLines((await run("approvals", "--json")).out);
    const path = "main › Explore: find the bug (a123)";
    expect(textAt(asked, "agentPath")).toBe(path);
    const id = textAt(asked, "id") ?? "none";
    expect((await run("approvals", id)).out).toContain(`  agent     ${path}\n`);
    await run("deny", id);
  });

  it("CLI: approve can give another input, and says so", async () => {
    const id = await ask("a-edit", { command: "rm -r build" });
    for (const wrong of ["[1]", "{"])
      expect([(await run("approve", id, "--input", wrong)).code]).toEqual([2]);
    const { code, out } = await run("approve", id, "--input", '{"command":"ls build"}');
    expect([code, out]).toEqual([0, expect.stringContaining('"command": "ls build"')]);
    expect(out).toMatch(
      /rm -r build[^]*instead[^]*ls build[^]*a-edit is approved\.\nsent, and committed\.\n$/,
    );
    expect(jsonLines((await run("show", id, "--json")).out)).toMatchObject([
      {
        state: "approved",
        input: { command: "rm -r build" },
        updatedInput: { input: { command: "ls build" } },
      },
    ]);
  });

  it("CLI-DECIDE-3: several are answered at once, by id or because they are alike; one that cannot be answered stops no other", async () => {
    const same = { command: "npm test" };
    for (const id of ["a-s1", "a-s2", "a-s3"]) await ask(id, same);
    await ask("a-other", { command: "npm publish" });
    const alike = await run("approve", "a-s1", "--alike");
    expect([alike.code, alike.out.match(/^a-\w+ is approved\.$/gm)]).toEqual([
      0,
      ["a-s1 is approved.", "a-s2 is approved.", "a-s3 is approved."],
    ]);
    expect(jsonLines((await run("approvals", "--json")).out).map((one) => textAt(one, "id"))).toEqual([
      "a-other",
    ]);
    await ask("a-more", same);
    const mixed = await run("deny", "a-s1", "a-other", "a-more", "-m", "no");
    expect([mixed.code, mixed.err]).toEqual([
      1,
      expect.stringMatching(/^a-s1 was approved .*Nothing changed\.\n$/),
    ]);
    expect(mixed.out.match(/^a-\w+ is denied\.$/gm)).toEqual(["a-other is denied.", "a-more is denied."]);
  });

  it("CLI: an unknown approval is exit code 1", async () => {
    for (const command of ["approve", "deny"])
      expect(await run(command, "a-nobody")).toEqual({
        code: 1,
        out: "",
        err: "There is no approval a-nobody.\n`npx signalbox approvals` lists the approvals that wait.\n",
      });
  });
});
