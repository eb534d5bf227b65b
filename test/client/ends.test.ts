// Ends, with the real client
// What became of each call is here what the client's own results say, exactly, in every way in which a call can end.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { byPrompt, type Scripted } from "../support/client/api.ts";
import { type Claude, type Run, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { isAtLeast } from "../support/client/package.ts";
import { type Delay, type EndList, Ends } from "../support/client/ends.ts";

let claude: Claude;
let ends: Ends;
const delays: (Delay & { readonly test: string })[] = [];

claudeForEach((fresh) => {
  claude = fresh;
});
afterEach(async ({ task }) => {
  for (const delay of await ends.stop()) delays.push({ ...delay, test: task.name.replace("I-24: ", "") });
});
afterAll(() => {
  const rows = delays.map(({ test, call, end, ms }) => [test, call.split(" ")[1] ?? "", end, ms ?? "–"]);
  console.log(["test | call | end | ms after its line", ...rows.map((row) => row.join(" | "))].join("\n"));
});

const STEPS = "Please do the steps.";
const MORE = "Please do more.";
const ESC = "\u001b";
/** In a terminal this version would else decide by itself. */

const bash = (command: string, id?: string, more: object = {}): Scripted => ({
  name: "Bash",
  input: { command, description: `Do ${command}`, ...more },
  ...(id !== undefined && { id }),
});

/** Hooks as `install` puts them in, transcripts followed; all commands allowed but those denied. */
async function begin({ allow = ["Bash"], deny = [] as readonly string[] } = {}): Promise<void> {
  writeFileSync(join(claude.config, "settings.json"), JSON.stringify({ permissions: { allow, deny } }));
  await claude.install("--timeout", "120");
  await claude.desk.up("--transcripts", join(claude.config, "projects"));
  ends = new Ends(claude);
}

/**
 * Compares what the engine has, once nothing is open, with what the client proves.
 * @param ours the calls denied here, of which the client proves less: a hook told it so, or its version does not write down
 *   whether the call had begun.
 */
async function ended(
  runs: readonly Run[],
  wanted: readonly string[],
  ours: readonly string[] = [],
): Promise<void> {
  await ends.settled(runs);
  const proven = (): EndList =>
    Object.fromEntries(
      Object.entries(ends.proven(runs)).map(([key, end]) => {
        const isLess = end === "denied/hook" || end === "missing-post/interrupted";
        const isOurs = isLess && ours.some((id) => key.endsWith(` ${id}`));
        return [key, isOurs ? "denied/direct" : end];
      }),
    );
  // An end without a result is corrected by what the transcript says a moment later.
  await expect
    .poll(async () => ({ here: await ends.here() }), { timeout: 30_000 })
    .toEqual({ here: proven() });
  const here = await ends.here();
  const short = Object.entries(here).map(([key, end]) => `${key.split(" ")[1] ?? ""} ${end}`);
  expect(short.sort()).toEqual(wanted);
}

const sessionOf = ({ out }: Run): string => /"session_id":"([^"]+)"/.exec(out)?.[1] ?? "";

describe("I-24: live, a call", { timeout: 120_000 }, () => {
  it("I-24: that succeeds, one that fails, and one the client cannot even start", async () => {
    await begin();
    const run = await claude.prompt([
      bash("ls"),
      bash("ls missing"),
      { name: "Read", input: { wrong: 1 } },
      { name: "NoSuchTool", input: {} },
    ]);
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 failed", "toolu_03 failed", "toolu_04 failed"]);
  });

  it("I-24: that the client's own rules deny, nobody being asked", async () => {
    await begin({ deny: ["Bash(rm:*)"] });
    const run = await claude.prompt([bash("ls"), bash("rm it"), bash("ls")]);
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 denied/rule", "toolu_03 completed"]);
  });

  it("I-24: that is denied at the gate; those behind it run", async () => {
    await begin({ allow: [] });
    const run = await claude.prompt([touch("one"), touch("two")]);
    const first = await claude.asked();
    await claude.desk.run(["deny", first, "-m", "not this one"]);
    await claude.desk.run(["approve", await claude.asked([first])]);
    await run.ended;
    await ended([run], ["toolu_01 denied/direct", "toolu_02 completed"], ["toolu_01"]);
  });

  it("I-24: that is denied with an interrupt, and those behind it", async () => {
    await begin({ allow: [] });
    const run = await claude.prompt([touch("one"), touch("two"), touch("three")]);
    await claude.desk.run(["deny", await claude.asked(), "--interrupt"]);
    await run.ended;
    await ended(
      [run],
      ["toolu_01 denied/direct", "toolu_02 denied/cascade", "toolu_03 denied/cascade"],
      ["toolu_01"],
    );
  });

  it("I-24: that is interrupted while it runs (SIGINT), and one behind it", async () => {
    await begin();
    const run = await claude.prompt([bash("touch begun && sleep 5"), bash("ls")]);
    while (!claude.ran("begun")) await sleep(50);
    run.child.kill("SIGINT");
    await run.ended;
    await ended([run], ["toolu_01 missing-post/interrupted", "toolu_02 denied/cascade"]);
  });

  it("I-24: that is interrupted while it runs (Esc in a terminal), and one behind it", async () => {
    await begin();
    const { run, screen } = await claude.sit([bash("touch begun && sleep 5"), bash("ls")]);
    await screen.shows("❯");
    await screen.send(STEPS);
    while (!claude.ran("begun")) await sleep(50);
    screen.type(ESC);
    await ended([run], ["toolu_01 missing-post/interrupted", "toolu_02 denied/cascade"]);
  });

  it("I-24: that a person allows, and one that a person denies, at the client's own terminal", async () => {
    await begin({ allow: [] });
    // Between two questions the client draws other things, so that the next is drawn whole.
    const script = [bash("touch one && sleep 2"), touch("two"), touch("three")];
    const { run, screen } = await claude.sit(script);
    await screen.shows("❯");
    await screen.send(STEPS);
    await screen.answer("1");
    while (!claude.ran("one")) await sleep(50);
    await screen.answer(ESC);
    const denied = isAtLeast("2.1.326") ? [] : ["toolu_02"];
    await ended([run], ["toolu_01 completed", "toolu_02 denied/direct", "toolu_03 denied/cascade"], denied);
  });

  it("I-24: that goes on in the background", async () => {
    await begin();
    const run = await claude.prompt([bash("sleep 1", "toolu_01", { run_in_background: true }), bash("ls")]);
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 completed"]);
  });

  it.each([false, true])("I-24: of a subagent (in the background: %s)", async (run_in_background) => {
    await begin();
    const input = { description: "Look", prompt: MORE, subagent_type: "general-purpose", run_in_background };
    const scripts = {
      [STEPS]: [[{ name: "Agent", input }, bash("ls")]],
      [MORE]: [[bash("ls", "toolu_11"), bash("ls missing", "toolu_12")]],
    };
    const run = await claude.prompt(byPrompt(scripts));
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 completed", "toolu_11 completed", "toolu_12 failed"]);
  });

  it("I-24: of a client that is killed in it, and of one that goes on with the session", async () => {
    await begin();
    const run = await claude.prompt([bash("touch begun && sleep 3"), bash("ls")]);
    while (!claude.ran("begun")) await sleep(50);
    run.child.kill("SIGKILL");
    await run.ended;
    const session = sessionOf(run);
    const next = await claude.prompt(byPrompt({ [MORE]: [[bash("ls", "toolu_11")]] }), {
      text: MORE,
      args: ["--resume", session],
    });
    await next.ended;
    await ended(
      [run, next],
      ["toolu_01 missing-post/killed", "toolu_02 missing-post/killed", "toolu_11 completed"],
    );
  });

  it.each([500, 529])("I-24: of a turn that an API error ends (%i)", async (status) => {
    await begin();
    const run = await claude.prompt(byPrompt({ [STEPS]: [[bash("ls"), bash("ls missing")], { status }] }), {
      env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    });
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 failed"]);
  });

  it("I-24: of a slash command", async () => {
    await begin();
    mkdirSync(join(claude.project, ".claude", "commands"), { recursive: true });
    writeFileSync(join(claude.project, ".claude", "commands", "steps.md"), MORE);
    const run = await claude.prompt(byPrompt({ [MORE]: [[bash("ls"), bash("ls missing")]] }), {
      text: "/steps",
    });
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 failed"]);
  });

  it("I-24: among four in parallel", async () => {
    await begin();
    writeFileSync(join(claude.project, "there"), "It is there.");
    const run = await claude.prompt(
      ["there", "missing", "there", "gone"].map((name) => ({
        name: "Read",
        input: { file_path: join(claude.project, name) },
      })),
    );
    await run.ended;
    await ended([run], ["toolu_01 completed", "toolu_02 failed", "toolu_03 completed", "toolu_04 failed"]);
  });

  it("I-24: before and after a compaction", async () => {
    await begin();
    const run = await claude.prompt([bash("ls"), bash("ls missing")]);
    await run.ended;
    const resumed = ["--resume", sessionOf(run)];
    const compaction = await claude.prompt([], { text: "/compact", args: resumed });
    await compaction.ended;
    expect(compaction.out).toContain("compact_boundary");
    const next = await claude.prompt(byPrompt({ [MORE]: [[bash("ls", "toolu_11")]] }), {
      text: MORE,
      args: resumed,
    });
    await next.ended;
    await ended([run, compaction, next], ["toolu_01 completed", "toolu_02 failed", "toolu_11 completed"]);
  });

  it("I-24: of a session that is forked: each stands in both, once", async () => {
    await begin();
    const run = await claude.prompt([bash("ls"), bash("ls missing")]);
    await run.ended;
    const fork = await claude.prompt(byPrompt({ [MORE]: [[bash("ls", "toolu_11")]] }), {
      text: MORE,
      args: ["--resume", sessionOf(run), "--fork-session"],
    });
    await fork.ended;
    await ended(
      [run, fork],
      [
        "toolu_01 completed",
        "toolu_01 completed",
        "toolu_02 failed",
        "toolu_02 failed",
        "toolu_11 completed",
      ],
    );
  });
});
