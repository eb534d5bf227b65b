// The gate, with the real client
// Claude Code itself, on a scripted model, with the hooks that `signalbox install` puts in: what is answered here is what
// it does, and no call runs without a committed cause.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at } from "../support/engine/json.ts";
import { childrenOf, type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";

let claude: Claude;

claudeForEach((fresh) => {
  claude = fresh;
});

const approve = (id: string, ...args: string[]) => claude.desk.run(["approve", id, ...args]);
const deny = (id: string, ...args: string[]) => claude.desk.run(["deny", id, ...args]);

describe("I-39: Claude Code", { timeout: 180_000 }, () => {
  it("I-39: runs what is approved on the command line, and not what is denied; the reason reaches it", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one"), touch("two"), touch("three")]);
    const first = await claude.asked();
    expect(claude.ran("one")).toBe(false);
    await approve(first);
    const second = await claude.asked([first]);
    await deny(second, "-m", "not this one");
    await approve(await claude.asked([first, second]));
    const results = await run.results();
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
    expect(results[1]?.text).toContain("not this one");
    expect(["one", "two", "three"].map((name) => claude.ran(name))).toEqual([true, false, true]);
    expect(await claude.calls()).toEqual({
      toolu_01: "completed",
      toolu_02: "denied",
      toolu_03: "completed",
    });
  });

  it("I-39: a denial with an interrupt ends the turn: nothing behind it runs, here and there", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one"), touch("two")]);
    await deny(await claude.asked(), "--interrupt");
    expect(await run.ended).toBe(1);
    expect([claude.ran("one"), claude.ran("two")]).toEqual([false, false]);
    expect((await claude.calls())["toolu_01"]).toBe("denied");
  });

  it("I-39: an edited input is what runs", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    await approve(await claude.asked(), "--input", JSON.stringify({ command: "touch other" }));
    expect(await run.ended).toBe(0);
    expect([claude.ran("one"), claude.ran("other")]).toEqual([false, true]);
  });

  it("I-39: four approvals at once are answered in another order than they were asked in", async () => {
    await claude.install("--timeout", "120", "--gate", "all");
    await claude.desk.up();
    const reads = [1, 2, 3, 4].map((n) => ({
      name: "Read",
      input: { file_path: `${claude.project}/missing-${n}` },
    }));
    const run = await claude.prompt(reads);
    const asked = await claude.askedAll(4);
    for (const [n, { id }] of asked.toReversed().entries())
      await (n === 1 ? deny(id, "-m", "no") : approve(id));
    const results = await run.results();
    const denied = String(at(asked.at(-2)?.input, "file_path")).slice(-1);
    expect(results.map(({ text }, n) => [n + 1, text.includes("no") && !text.includes("not exist")])).toEqual(
      [1, 2, 3, 4].map((n) => [n, String(n) === denied]),
    );
  });

  it("I-39: with no engine nothing runs unasked; the engine learns of it when it starts", async () => {
    await claude.install("--timeout", "120", "--closed", "deny");
    const run = await claude.prompt([touch("one")]);
    const [result] = await run.results();
    expect([result?.isError, result?.text, claude.ran("one")]).toEqual([
      true,
      expect.stringContaining("Signalbox gave no answer"),
      false,
    ]);
    await claude.desk.up();
    expect(await claude.calls()).toEqual({ toolu_01: "denied" });
  });

  it("I-39: an approval survives an engine that is killed and started again while it waits", async () => {
    await claude.install("--timeout", "120");
    const { engine } = await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    const id = await claude.asked();
    for (const pid of childrenOf(engine.child.pid ?? 0)) process.kill(pid, "SIGKILL");
    await claude.until(id, "pending");
    expect(claude.ran("one")).toBe(false);
    await approve(id);
    expect(await run.ended).toBe(0);
    expect(claude.ran("one")).toBe(true);
    expect(await claude.calls()).toEqual({ toolu_01: "completed" });
  });

  it("I-39: while the engine stands still nothing runs; the hooks do not hold the client up for ever", async () => {
    await claude.install("--timeout", "120");
    const { engine } = await claude.desk.up();
    const pids = [engine.child.pid ?? 0, ...childrenOf(engine.child.pid ?? 0)];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      const run = await claude.prompt([touch("one")]);
      const [result] = await run.results();
      expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
  });

  it.each(["permission", "all"])("I-39: a gate that is killed lets nothing run (--gate %s)", async (gate) => {
    await claude.install("--timeout", "120", "--gate", gate);
    await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    const id = await claude.asked();
    const gates = claude.gates();
    expect(gates.length).toBeGreaterThan(0);
    for (const pid of gates) process.kill(pid, "SIGKILL");
    const [result] = await run.results();
    expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
    expect(["withdrawn", "denied"]).toContain(at(await settled(id), "state"));
  });

  it("I-39: a client that is killed leaves no approval behind", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    const id = await claude.asked();
    run.child.kill("SIGKILL");
    await claude.until(id, "withdrawn");
    expect(claude.ran("one")).toBe(false);
  });

  it("I-39: a clone that is deleted after it installed the hooks changes nothing", async () => {
    await claude.installFromClone("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one"), touch("two")]);
    const first = await claude.asked();
    await approve(first);
    await deny(await claude.asked([first]));
    expect((await run.results()).map(({ isError }) => isError)).toEqual([false, true]);
    expect([claude.ran("one"), claude.ran("two")]).toEqual([true, false]);
  });

  it("I-39: where the gate's program is gone, nothing runs (--gate all)", async () => {
    await claude.install("--timeout", "120", "--gate", "all");
    await claude.desk.up();
    rmSync(join(claude.data, "hooks", "gate.cjs"));
    const run = await claude.prompt([touch("one")]);
    const [result] = await run.results();
    expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
  });
});

async function settled(id: string): Promise<unknown> {
  for (;;) {
    const shown = await claude.shown(id);
    if (at(shown, "state") !== "pending") return shown;
  }
}
