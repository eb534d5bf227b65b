// Further doors, with the real client
// Claude Code itself, asking through its permission tool, and with the hooks beside it.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { at } from "../support/engine/json.ts";

let claude: Claude;

claudeForEach((fresh) => {
  claude = fresh;
});

/** The client's options for the permission tool, with the entry that `signalbox mcp --json` prints. */
async function withTool(): Promise<readonly string[]> {
  const { out } = await claude.desk.run(["mcp", "--json", "--timeout", "120"]);
  return ["--mcp-config", out.trim(), "--permission-prompt-tool", "mcp__signalbox__approve"];
}

describe("I-39: Claude Code's permission tool", { timeout: 180_000 }, () => {
  it("I-39: runs what is approved here, and not what is denied; the reason reaches it; an edited input is what runs", async () => {
    await claude.desk.up();
    const run = await claude.prompt([touch("one"), touch("two"), touch("three")], { args: await withTool() });
    const first = await claude.asked();
    expect(claude.ran("one")).toBe(false);
    await claude.desk.run(["approve", first]);
    const second = await claude.asked([first]);
    await claude.desk.run(["deny", second, "-m", "not this one"]);
    const third = await claude.asked([first, second]);
    await claude.desk.run(["approve", third, "--input", JSON.stringify({ command: "touch other" })]);
    const results = await run.results();
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
    expect(results[1]?.text).toContain("not this one");
    expect(["one", "two", "three", "other"].map((name) => claude.ran(name))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(at(await claude.shown(first), "channels")).toEqual(["gate-mcp"]);
  });

  it("CALL-HOME-1: with the hooks in, it asks about the very call they told of, in its own session", async () => {
    await claude.install("--gate", "none");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")], { args: await withTool() });
    const id = await claude.asked();
    const shown = await claude.shown(id);
    expect(shown).toMatchObject({ callId: "toolu_01" });
    expect(at(shown, "channels")).toContain("gate-mcp");
    await claude.desk.run(["approve", id]);
    expect(await run.ended).toBe(0);
    expect(await claude.calls()).toEqual({ toolu_01: "completed" });
  });

  it("CLAUDE-CODE-GATE-2: asked by the hook and by the tool, one approval is shown, and one answer is enough", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")], { args: await withTool() });
    const id = await claude.asked();
    await claude.desk.run(["approve", id]);
    expect(await run.ended).toBe(0);
    expect(claude.ran("one")).toBe(true);
    expect(await claude.calls()).toEqual({ toolu_01: "completed" });
  });

  it("GATE-CALL-1: without an engine nothing runs", async () => {
    const run = await claude.prompt([touch("one")], { args: await withTool() });
    const [result] = await run.results();
    expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
    expect(result?.text).toContain("Signalbox gave no answer");
  });

  it("MCP-SERVER-1: a client that is killed leaves no approval behind", async () => {
    await claude.desk.up();
    const run = await claude.prompt([touch("one")], { args: await withTool() });
    const id = await claude.asked();
    run.child.kill("SIGKILL");
    await claude.until(id, "withdrawn");
    expect(claude.ran("one")).toBe(false);
  });
});

describe("I-39: the hooks as a plugin of Claude Code", { timeout: 180_000 }, () => {
  it("I-39: what it asks about is answered here; nothing stands in the settings", async () => {
    const folder = join(claude.desk.dir, "plugin");
    const { code } = await claude.desk.run(["install", "--plugin", folder, "--timeout", "120"]);
    expect(code).toBe(0);
    await claude.desk.up();
    const run = await claude.prompt([touch("one"), touch("two")], { args: ["--plugin-dir", folder] });
    const first = await claude.asked();
    await claude.desk.run(["approve", first]);
    await claude.desk.run(["deny", await claude.asked([first]), "-m", "not this one"]);
    expect((await run.results()).map(({ isError }) => isError)).toEqual([false, true]);
    expect([claude.ran("one"), claude.ran("two")]).toEqual([true, false]);
    expect(await claude.calls()).toEqual({ toolu_01: "completed", toolu_02: "denied" });
  });
});
