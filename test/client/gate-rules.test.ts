// Rules at the gate, with the real client
// What a rule answers nobody is asked about, and what it no longer answers somebody is.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { judge } from "../support/client/judge.ts";
import { textAt } from "../support/engine/json.ts";

let claude: Claude;

claudeForEach(async (fresh) => {
  claude = fresh;
  await claude.install("--timeout", "120", "--workspace", "desk");
  await claude.desk.up();
});

const approve = (id: string) => claude.desk.run(["approve", id]);
async function rule(...args: string[]): Promise<void> {
  const { code, err } = await claude.desk.run(["rules", "add", ...args, "--workspace", "desk"]);
  expect([code, err]).toEqual([0, ""]);
}

describe("I-39: rules and Claude Code", { timeout: 240_000 }, () => {
  it("I-39: a rule allows as often as it may: the call behind is asked about, and each ran on a committed cause", async () => {
    await rule("allow", "Bash", "--prefix", "touch", "--uses", "2");
    const run = await claude.prompt([touch("one"), touch("two"), touch("three")]);
    const id = await claude.asked();
    expect(["one", "two", "three"].map((name) => claude.ran(name))).toEqual([true, true, false]);
    expect(textAt(await claude.shown(id), "input", "command")).toBe("touch three");
    await approve(id);
    const { client, engine, uncaused } = await judge(claude, run);
    expect(Object.values(client)).toEqual(["ran", "ran", "ran"]);
    expect([engine, uncaused]).toEqual([client, []]);
  });

  it("I-39: a rule that expires in the middle answers nothing any more: somebody is asked", async () => {
    await rule("allow", "Bash", "--prefix", "touch", "--for", "25s");
    const over = Date.now() + 25_000;
    const other = { name: "Bash", input: { command: "mkdir held", description: "Hold on" } };
    const run = await claude.prompt([touch("one"), other, touch("two")]);
    const held = await claude.asked();
    expect(claude.ran("one")).toBe(true);
    while (Date.now() <= over) await sleep(500);
    await approve(held);
    const id = await claude.asked([held]);
    expect(claude.ran("two")).toBe(false);
    await claude.desk.run(["deny", id, "-m", "no more"]);
    const { client, engine, uncaused } = await judge(claude, run);
    expect(Object.values(client)).toEqual(["ran", "ran", "not run"]);
    expect([engine, uncaused]).toEqual([client, []]);
  });

  it("I-39: a rule denies: the call does not run, and nobody is asked", async () => {
    await rule("deny", "Bash", "--prefix", "touch", "--note", "not here");
    const run = await claude.prompt([touch("one")]);
    const [result] = await run.results();
    expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
    expect(result?.text).toContain("not here");
    const { client, engine, uncaused } = await judge(claude, run);
    expect([engine, uncaused]).toEqual([client, []]);
  });
});
