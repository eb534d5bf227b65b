// Telemetry, with the real client
// What a person answers at the client's own terminal is known here at once, by the client's own word.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Scripted } from "../support/client/api.ts";
import type { Claude } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { Ends } from "../support/client/ends.ts";
import { heard, soonest, sourcesTable } from "../support/client/sources.ts";
import { at } from "../support/engine/json.ts";

let claude: Claude;
let ends: Ends;
let url: string;
const answers: Readonly<Record<string, number>>[] = [];
const denials: Readonly<Record<string, number>>[] = [];
const results: Readonly<Record<string, number>>[] = [];

claudeForEach(async (fresh) => {
  claude = fresh;
  // The engine first: its address is what `install` writes.
  ({ url } = await claude.desk.up("--transcripts", join(claude.config, "projects")));
  await claude.install("--telemetry", "--timeout", "120");
  ends = new Ends(claude, url);
});
afterEach(async () => {
  await ends.stop();
});
afterAll(() => {
  const rows = {
    "allowed at the terminal": answers,
    "denied at the terminal": denials,
    "a call has ended": results,
  };
  console.log(sourcesTable(rows));
});

const ESC = "\u001b";
/** Runs long enough to be seen running; it writes down when it ended. */
const slow = (name: string): Scripted => ({
  name: "Bash",
  input: { command: `touch ${name} && sleep 4 && date +%s%3N > ${name}`, description: `Make ${name}` },
});
const endOf = (name: string): number => Number(readFileSync(join(claude.project, name), "utf8"));

describe("S3.24: Claude Code's telemetry", { timeout: 180_000 }, () => {
  it("S3.24: tells that a person answered at its terminal, while the command still runs", async () => {
    const names = ["one", "two"];
    const { run, screen } = await claude.sit([...names, "three"].map(slow), {
      args: ["--permission-mode", "default"],
    });
    await screen.shows("❯");
    await screen.send("Please do the steps.");
    const pressed: number[] = [];
    for (const [n] of names.entries()) {
      await screen.answer("1");
      pressed.push(Date.now());
      const approved = await ends.approvals("approved", n + 1);
      expect(approved.at(-1)).toMatchObject({ by: "terminal", observed: true });
    }
    await screen.answer(ESC);
    pressed.push(Date.now());
    const [denied] = await ends.approvals("denied", 1);
    expect(denied).toMatchObject({ by: "terminal", observed: true });
    const here = Object.values(await ends.settled([run]));
    expect(here.sort()).toEqual(["completed", "completed", "denied/direct"]);
    expect(here).toEqual(Object.values(ends.proven([run])).sort());
    await sleep(1_000);
    const told = await heard(claude, url);
    names.forEach((name, n) => {
      const id = `toolu_0${n + 1}`;
      const since = pressed[n] ?? 0;
      const about = told.filter(({ text }) => text.includes(id));
      const first = (word: string): number => about.findIndex(({ text }) => text.includes(word));
      expect([first("accept") >= 0, first("accept") < first('PostToolUse"')]).toEqual([true, true]);
      answers.push(
        soonest(told, since, (text) => text.includes(id) && /accept|PostToolUse"|tool_result"/.test(text)),
      );
      results.push(
        soonest(told, endOf(name), (text) => text.includes(id) && /PostToolUse"|tool_result"/.test(text)),
      );
    });
    const tells = (text: string): boolean => text.includes("toolu_03") && /reject|tool_result"/.test(text);
    denials.push(soonest(told, pressed[2] ?? 0, tells));
  });

  it("S3.24: is told by its events alone what became of calls, and nothing that was said comes with them", async () => {
    const run = await claude.prompt([
      { name: "Bash", input: { command: "ls", description: "List" } },
      { name: "Bash", input: { command: "ls missing", description: "List" } },
    ]);
    await run.ended;
    await ends.settled([run]);
    const events = (await heard(claude, url)).filter(({ source }) => source === "telemetry");
    const names = events.map(({ text }) => at(JSON.parse(text), "event.name"));
    expect(names).toContain("tool_decision");
    expect(names).toContain("tool_result");
    expect(events.map(({ text }) => text).join("\n")).not.toMatch(/Please do|user\.|"ls/);
  });
});
