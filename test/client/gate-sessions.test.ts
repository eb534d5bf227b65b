// Whole sessions at the gate, with the real client
// A session that is resumed, one whose calls are all allowed, and one that is interrupted: what is asked, what runs, what each
// call came to, and that no alarm is raised.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { byPrompt, type Scripted } from "../support/client/api.ts";
import { type Claude, type Run, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { Ends } from "../support/client/ends.ts";
import { judge } from "../support/client/judge.ts";
import { jsonLines } from "../support/processes/program.ts";

let claude: Claude;
let ends: Ends;

claudeForEach((fresh) => {
  claude = fresh;
});
afterEach(() => ends.stop());

const MORE = "Please do more.";
const STILL = "Please go on still.";

/** A gate for every call: every version of the client asks it, headless too. */
async function begin(gate: "permission" | "all" = "all"): Promise<void> {
  await claude.install("--timeout", "120", "--gate", gate);
  await claude.desk.up("--transcripts", join(claude.config, "projects"));
  ends = new Ends(claude);
}
const approve = (id: string) => claude.desk.run(["approve", id]);
const call = (name: string, id: string): Scripted => ({ ...touch(name), id });
const resumed = (run: Run, prompt: string, calls: readonly Scripted[]): Promise<Run> =>
  claude.prompt(byPrompt({ [prompt]: [calls] }), { text: prompt, args: ["--resume", run.session] });
const lines = async (...args: string[]): Promise<readonly unknown[]> =>
  jsonLines((await claude.desk.run([...args, "--json"])).out);
const nothingLeft = async (): Promise<void> => {
  expect([await lines("alarms"), await lines("approvals")]).toEqual([[], []]);
};
async function until(name: string): Promise<void> {
  while (!claude.ran(name)) await sleep(50);
}

describe("I-39: a session with the gate on", { timeout: 240_000 }, () => {
  it("I-39: that is resumed twice asks about each new call alone; its earlier calls stay as they ended", async () => {
    await begin();
    const first = await claude.prompt([call("one", "toolu_01")]);
    const one = await claude.asked();
    await approve(one);
    await first.ended;
    const second = await resumed(first, MORE, [call("one", "toolu_11"), call("two", "toolu_12")]);
    const same = await claude.asked([one]);
    await approve(same);
    await claude.desk.run(["deny", await claude.asked([one, same]), "-m", "not this one"]);
    await second.ended;
    const third = await resumed(second, STILL, [call("two", "toolu_21")]);
    await approve(await claude.asked());
    const { client, engine, uncaused } = await judge(claude, third);
    expect([engine, uncaused]).toEqual([client, []]);
    expect(third.session).toBe(first.session);
    expect(claude.ran("two")).toBe(true);
    expect(engine).toEqual({ toolu_01: "ran", toolu_11: "ran", toolu_12: "not run", toolu_21: "ran" });
    await nothingLeft();
  });

  it.each(["permission", "all"] as const)(
    "I-39: whose calls are all allowed raises no alarm (--gate %s)",
    async (gate) => {
      const allow = gate === "permission" ? ["Bash"] : [];
      writeFileSync(join(claude.config, "settings.json"), JSON.stringify({ permissions: { allow } }));
      await begin(gate);
      const names = ["one", "two", "three", "four"];
      const run = await claude.prompt(names.map(touch));
      const known: string[] = [];
      for (const _ of gate === "all" ? names : []) {
        const id = await claude.asked(known);
        known.push(id);
        await approve(id);
      }
      await run.ended;
      const here = await ends.settled([run]);
      expect(Object.values(here)).toEqual(names.map(() => "completed"));
      expect(here).toEqual(ends.proven([run]));
      expect(names.filter((name) => claude.ran(name))).toEqual(names);
      await nothingLeft();
    },
  );

  it("I-39: that is interrupted while it asks takes its question back, and runs nothing; resumed it asks anew", async () => {
    await begin();
    const run = await claude.prompt([call("one", "toolu_01")]);
    const asked = await claude.asked();
    run.child.kill("SIGINT");
    await run.ended;
    await claude.until(asked, "withdrawn");
    expect((await approve(asked)).code).toBe(1);
    const next = await resumed(run, MORE, [call("one", "toolu_11")]);
    const again = await claude.asked([asked]);
    expect(claude.ran("one")).toBe(false);
    await approve(again);
    const { engine } = await judge(claude, next);
    expect(engine).toMatchObject({ toolu_01: "not run", toolu_11: "ran" });
    await nothingLeft();
  });

  it("I-39: that is interrupted while an allowed call runs lets none behind it run, and raises no alarm", async () => {
    await begin();
    const begun = { name: "Bash", input: { command: "touch begun && sleep 20", description: "Begin" } };
    const run = await claude.prompt([begun, touch("two")]);
    await approve(await claude.asked());
    await until("begun");
    run.child.kill("SIGINT");
    await run.ended;
    const here = await ends.settled([run]);
    expect(claude.ran("two")).toBe(false);
    expect(here[`${run.session} toolu_01`]).toBe("missing-post/interrupted");
    expect(here[`${run.session} toolu_02`]).not.toBe("completed");
    await nothingLeft();
  });
});
