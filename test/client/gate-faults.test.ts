// What fails around the gate, with the real client
// The journal's server killed and the engine standing still while a call waits, and what the client itself does with hooks that
// nobody answers at all.

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childrenOf, type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { judge } from "../support/client/judge.ts";
import { isAtLeast } from "../support/client/package.ts";
import { freePort } from "../support/http/free-port.ts";
import { natsServer } from "../support/nats/server.ts";
import { thisMachine } from "../../adapters/system/index.ts";

let claude: Claude;

claudeForEach((fresh) => {
  claude = fresh;
});

const approve = (id: string) => claude.desk.run(["approve", id]);

describe("I-39: Claude Code, while something else fails", { timeout: 180_000 }, () => {
  it("I-39: the NATS server is killed while a call waits: it waits on, and runs on the answer given afterwards", async () => {
    await claude.install("--timeout", "120");
    const nats = await natsServer();
    try {
      await claude.desk.up("--nats", nats.url);
      const run = await claude.prompt([touch("one")]);
      const id = await claude.asked();
      await nats.kill();
      const early = approve(id);
      expect(claude.ran("one")).toBe(false);
      await nats.start();
      await early;
      await approve(id);
      const { client, engine, uncaused } = await judge(claude, run);
      expect([client, engine, uncaused]).toEqual([{ toolu_01: "ran" }, { toolu_01: "ran" }, []]);
      expect(claude.ran("one")).toBe(true);
    } finally {
      await claude.clear();
      await nats.dispose();
    }
  });

  it("I-39: the engine stands still while a call waits: it waits on, and runs on the answer given afterwards", async () => {
    await claude.install("--timeout", "120");
    const { engine } = await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    const id = await claude.asked();
    const pids = [engine.child.pid ?? 0, ...childrenOf(engine.child.pid ?? 0)];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const answered = approve(id);
    expect(claude.ran("one")).toBe(false);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    await answered;
    const { client, engine: here, uncaused } = await judge(claude, run);
    expect([client, here, uncaused]).toEqual([{ toolu_01: "ran" }, { toolu_01: "ran" }, []]);
  });

  it("I-39: an engine's address that nothing listens at: the closed answer; nothing runs", async () => {
    await claude.install("--timeout", "120", "--closed", "deny");
    await claude.desk.up();
    const [socket, aside] = [join(claude.data, "engine.sock"), join(claude.data, "aside")];
    renameSync(socket, aside);
    const nobody = `http://127.0.0.1:${await freePort()}\nstart ${thisMachine()}\n`;
    writeFileSync(join(claude.data, "address"), nobody, { mode: 0o600 });
    const run = await claude.prompt([touch("one")]);
    const [result] = await run.results();
    expect([result?.isError, result?.text, claude.ran("one")]).toEqual([
      true,
      expect.stringContaining("no engine took the approval in time"),
      false,
    ]);
    renameSync(aside, socket);
    const { client, engine } = await judge(claude, run);
    expect(engine).toEqual(client);
  });

  it.each(["PermissionRequest", "PreToolUse"])(
    "I-39: the client takes a refused http hook (%s) for none: headless it denies, in a terminal it asks",
    async (event) => {
      const url = `http://127.0.0.1:${await freePort()}/v1/hooks/claude-code`;
      const hooks = { [event]: [{ hooks: [{ type: "http", url, timeout: 5 }] }] };
      writeFileSync(join(claude.config, "settings.json"), JSON.stringify({ hooks }));
      const headless = await claude.prompt([touch("one")]);
      const [result] = await headless.results();
      expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
      expect(result?.text).toContain("needs approval");
      const { screen } = await claude.sit([touch("two")]);
      await screen.shows("? for shortcuts");
      await screen.send("Please do the steps.");
      await screen.shows("Do you want to proceed?");
      expect(claude.ran("two")).toBe(false);
      await screen.insist("\r", () => claude.ran("two"));
    },
  );

  it("I-39: the client runs what its own rules allow where a PreToolUse hook over http is refused: a gate must be a command", async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1/hooks/claude-code`;
    const hooks = { PreToolUse: [{ hooks: [{ type: "http", url, timeout: 5 }] }] };
    const settings = { hooks, permissions: { allow: ["Bash(touch:*)"] } };
    writeFileSync(join(claude.config, "settings.json"), JSON.stringify(settings));
    const run = await claude.prompt([touch("one")]);
    await run.ended;
    expect(claude.ran("one")).toBe(true);
    // Older clients do not say so.
    expect(run.out.includes("hook_no_verdict")).toBe(isAtLeast("2.1.324"));
  });
});
