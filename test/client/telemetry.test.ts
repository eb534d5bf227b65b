// Telemetry, with the real client
// What a person answers at the client's own terminal is known here at once, by the client's own word.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Scripted } from "../support/client/api.ts";
import type { Claude } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { isAtLeast } from "../support/client/package.ts";
import { Ends } from "../support/client/ends.ts";
import { heard } from "../support/client/sources.ts";
import { at } from "../support/engine/json.ts";

let claude: Claude;
let ends: Ends;

claudeForEach(async (fresh) => {
  claude = fresh;
  // The engine first: its address is what `install` writes.
  await claude.desk.up("--transcripts", join(claude.config, "projects"));
  await claude.install("--telemetry", "--timeout", "120");
  ends = new Ends(claude);
});
afterEach(async () => {
  await ends.stop();
});

const ESC = "\u001b";
/** Runs long enough to be seen running. */
const slow = (name: string): Scripted => ({
  name: "Bash",
  input: { command: `touch ${name} && sleep 4`, description: `Make ${name}` },
});

describe("S3.24: Claude Code's telemetry", { timeout: 180_000 }, () => {
  it("S3.24: tells that a person answered at its terminal, while the command still runs", async () => {
    const names = ["one", "two"];
    const { run, screen } = await claude.sit([...names, "three"].map(slow));
    await screen.shows("❯");
    await screen.send("Please do the steps.");
    for (const [n, name] of names.entries()) {
      // A person reads the question, which is here by then.
      await ends.approvals("pending", 1);
      await screen.shows("Do you want to proceed?");
      await screen.insist("1", () => claude.ran(name));
      const approved = await ends.approvals("approved", n + 1);
      expect(approved.at(-1)).toMatchObject({ by: "terminal", observed: true });
    }
    const [{ id: asked } = { id: "" }] = (await ends.approvals("pending", 1)) as { id: string }[];
    await screen.answer(ESC);
    // The client ends its gate as well; which of the two is heard first decides the state alone.
    const denied = await ends.approval(asked, (one) => at(one, "observed") === true);
    expect(denied).toMatchObject({ by: "terminal" });
    expect(["denied", "withdrawn, denied"]).toContain(
      [at(denied, "state"), at(denied, "outcome")].filter(Boolean).join(", "),
    );
    const here = Object.values(await ends.settled([run]));
    expect(here.sort()).toEqual(["completed", "completed", "denied/direct"]);
    // Older clients do not write down whether the refused call had begun.
    // The engine may hear of an end before its line is on the disk.
    if (isAtLeast("2.1.326")) await expect.poll(() => Object.values(ends.proven([run])).sort()).toEqual(here);
    await sleep(1_000);
    const told = await heard(claude);
    for (const n of names.keys()) {
      const about = told.filter(({ text }) => text.includes(`toolu_0${n + 1}`));
      const first = (word: string): number => about.findIndex(({ text }) => text.includes(word));
      expect([first("accept") >= 0, first("accept") < first('PostToolUse"')]).toEqual([true, true]);
    }
  });

  it("S3.24: is told by its events alone what became of calls, and nothing that was said comes with them", async () => {
    const run = await claude.prompt([
      { name: "Bash", input: { command: "ls", description: "List" } },
      { name: "Bash", input: { command: "ls missing", description: "List" } },
    ]);
    await run.ended;
    await ends.settled([run]);
    const events = (await heard(claude)).filter(({ source }) => source === "telemetry");
    const names = events.map(({ text }) => at(JSON.parse(text), "event.name"));
    expect(names).toContain("tool_decision");
    expect(names).toContain("tool_result");
    expect(events.map(({ text }) => text).join("\n")).not.toMatch(/Please do|user\.|"ls/);
  });
});
