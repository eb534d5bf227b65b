// The gate in forks, with the real client
// A fork's transcript begins as a copy of its parent's: its questions stay until somebody answers them.

import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textAt } from "../support/engine/json.ts";
import { type Answer, byPrompt, type Scripted } from "../support/client/api.ts";
import { type Claude, type Run, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";

let claude: Claude;

claudeForEach((fresh) => {
  claude = fresh;
});

const STEPS = "Please do the steps.";
const MORE = "Please do more.";
const STILL = "Please go on still.";
const AGENTS = "Please touch it for me.";

/** Longer than a transcript's lines take to come in. */
const SETTLES_MS = 1_500;

const call = (name: string, id: string): Scripted => ({ ...touch(name), id });

async function begin(): Promise<void> {
  await claude.install("--timeout", "120");
  await claude.desk.up("--transcripts", join(claude.config, "projects"));
}

/** Forks a run's session, and waits for the fork's question. */
async function forked(
  parent: Run,
  text: string,
  scripts: Readonly<Record<string, readonly Answer[]>>,
  known: readonly string[],
): Promise<{ readonly fork: Run; readonly question: string }> {
  const fork = await claude.prompt(byPrompt(scripts), {
    text,
    args: ["--resume", parent.session, "--fork-session"],
  });
  return { fork, question: await claude.asked(known) };
}

/** The question waits for a person: the history that is read meanwhile does not answer it. */
async function staysUntilApproved(question: string, name: string): Promise<void> {
  await sleep(SETTLES_MS);
  expect(textAt(await claude.shown(question), "state")).toBe("pending");
  expect(claude.ran(name)).toBe(false);
  expect((await claude.desk.run(["approve", question])).code).toBe(0);
}

async function parent(name: string, answer: "approve" | "deny"): Promise<{ run: Run; known: string }> {
  const run = await claude.prompt(byPrompt({ [STEPS]: [[call(name, "toolu_01")]] }), { text: STEPS });
  const known = await claude.asked();
  await claude.desk.run([answer, known]);
  await run.ended;
  return { run, known };
}

/** What the fork asks about: what its parent was denied, or something else. */
const COMMANDS = [
  ["the same command", "one"],
  ["another command", "two"],
] as const;

describe("PAST-1: a fork's question", { timeout: 180_000 }, () => {
  it("PAST-1: about another command stays, and what is approved runs", async () => {
    await begin();
    const { run, known } = await parent("one", "approve");
    const { fork, question } = await forked(run, MORE, { [MORE]: [[call("two", "toolu_11")]] }, [known]);
    await staysUntilApproved(question, "two");
    expect([await fork.ended, claude.ran("two")]).toEqual([0, true]);
  });

  it("PAST-2: about the command that its parent was denied stays", async () => {
    await begin();
    const { run, known } = await parent("one", "deny");
    const { fork, question } = await forked(run, MORE, { [MORE]: [[call("one", "toolu_11")]] }, [known]);
    await staysUntilApproved(question, "one");
    expect([await fork.ended, claude.ran("one")]).toEqual([0, true]);
  });

  it.each(COMMANDS)("PAST-1: stays in a fork's fork (%s)", async (_, name) => {
    await begin();
    const { run, known } = await parent("one", "deny");
    const first = await forked(run, MORE, { [MORE]: [[call("one", "toolu_11")]] }, [known]);
    await claude.desk.run(["deny", first.question]);
    await first.fork.ended;
    const script = { [STILL]: [[call(name, "toolu_21")]] };
    const second = await forked(first.fork, STILL, script, [known, first.question]);
    await staysUntilApproved(second.question, name);
    expect([await second.fork.ended, claude.ran(name)]).toEqual([0, true]);
  });

  it.each(COMMANDS)(
    "PAST-1: of a subagent stays, where the parent had subagents too (%s)",
    async (_, name) => {
      await begin();
      const agent = (id: string): Scripted => ({
        name: "Agent",
        id,
        input: {
          description: "touch",
          prompt: AGENTS,
          subagent_type: "general-purpose",
          run_in_background: false,
        },
      });
      const run = await claude.prompt(
        byPrompt({ [STEPS]: [[agent("toolu_01")]], [AGENTS]: [[call("one", "toolu_02")]] }),
        { text: STEPS },
      );
      const known = await claude.asked();
      await claude.desk.run(["deny", known]);
      await run.ended;
      const scripts = { [MORE]: [[agent("toolu_11")]], [AGENTS]: [[call(name, "toolu_12")]] };
      const { fork, question } = await forked(run, MORE, scripts, [known]);
      await staysUntilApproved(question, name);
      expect([await fork.ended, claude.ran(name)]).toEqual([0, true]);
    },
  );
});
