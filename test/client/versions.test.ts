// Versions of the client
// What holds with each version of the real client: what is put in is taken, calls end as they ended and by the same cause,
// their words are found, a gate for every call is asked and obeyed. What a version cannot hold, `install` says.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Claude, type Seat, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { Ends } from "../support/client/ends.ts";
import { judge } from "../support/client/judge.ts";
import { isAtLeast, VERSION } from "../support/client/package.ts";
import { at, textAt } from "../support/engine/json.ts";
import { jsonLines } from "../support/processes/program.ts";

let claude: Claude;
let ends: Ends | undefined;

claudeForEach((fresh) => {
  claude = fresh;
});
afterEach(async () => {
  await ends?.stop();
  ends = undefined;
});

const approve = (id: string) => claude.desk.run(["approve", id]);
const deny = (id: string, ...args: string[]) => claude.desk.run(["deny", id, ...args]);
const allowAll = (deny: readonly string[] = []): void =>
  writeFileSync(
    join(claude.config, "settings.json"),
    JSON.stringify({ permissions: { allow: ["Bash"], deny } }),
  );
const bash = (command: string) => ({ name: "Bash", input: { command, description: `Do ${command}` } });

describe(`I-39: Claude Code ${VERSION}`, { timeout: 240_000 }, () => {
  it("CLIENT-VERSIONS-1: it takes the hooks that are put in for it, and they tell of its calls", async () => {
    allowAll();
    await claude.install("--gate", "none");
    await claude.desk.up();
    const watched = await claude.prompt([bash("touch zero")]);
    await watched.ended;
    await expect.poll(() => claude.calls(), { timeout: 30_000 }).toEqual({ toolu_01: "completed" });
  });

  it("I-24: with its transcripts, its calls end here as they ended there, by the same cause, with the words before them", async () => {
    allowAll(["Bash(rm:*)"]);
    const said = await claude.install("--gate", "none");
    await claude.desk.up("--transcripts", join(claude.config, "projects"));
    ends = new Ends(claude);
    const first = { ...bash("touch one"), said: "I make a file first." };
    const script = [first, bash("ls missing"), { name: "NoSuchTool", input: {} }, bash("rm it")];
    const run = await claude.prompt(script);
    await run.ended;
    await ends.settled([run]);
    // Its stream names it: that is not read here.
    const isRead = isAtLeast("2.1.186") || !isAtLeast("2.1.113");
    const refused = isRead ? "denied/rule" : "failed";
    const proven = { ...ends.proven([run]), [`${run.session} toolu_04`]: refused };
    await expect.poll(() => ends?.here(), { timeout: 30_000 }).toEqual(proven);
    expect(proven).toEqual({
      [`${run.session} toolu_01`]: "completed",
      [`${run.session} toolu_02`]: "failed",
      [`${run.session} toolu_03`]: "failed",
      [`${run.session} toolu_04`]: refused,
    });
    expect(said.includes("shown as failed")).toBe(!isAtLeast("2.1.186"));
    const { out } = await claude.desk.run(["ls", "calls", run.session, "--json"]);
    const words = jsonLines(out).map((call) => [textAt(call, "id"), textAt(call, "intent", "text")]);
    expect(Object.fromEntries(words)).toMatchObject({ toolu_01: "I make a file first." });
  });

  it("I-39: a gate for every call is asked headless: what is approved runs, what is denied does not", async () => {
    await claude.install("--timeout", "120", "--gate", "all");
    await claude.desk.up("--transcripts", join(claude.config, "projects"));
    const run = await claude.prompt([touch("one"), touch("two")]);
    const first = await claude.asked();
    expect(claude.ran("one")).toBe(false);
    await approve(first);
    await deny(await claude.asked([first]), "-m", "not this one");
    const { client, engine, uncaused } = await judge(claude, run);
    expect(Object.values(client)).toEqual(["ran", "not run"]);
    expect([engine, uncaused]).toEqual([client, []]);
    expect((await run.results())[1]?.text).toContain("not this one");
    expect([claude.ran("one"), claude.ran("two")]).toEqual([true, false]);
  });

  it("CLAUDE-CODE-INSTALL-1: a gate for what the client asks about is asked headless, or install says that it is not", async () => {
    const said = await claude.install("--timeout", "120");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    if (isAtLeast("2.1.268")) {
      await approve(await claude.asked());
      await run.ended;
      expect(said).not.toContain("runs headless");
    } else {
      await run.ended;
      expect(said).toContain(`Claude Code ${VERSION} calls no hook when it runs headless`);
    }
    expect(claude.ran("one")).toBe(isAtLeast("2.1.268"));
  });

  it.each(["is killed", "is gone"])(
    "SETTINGS-4: a gate for every call whose program %s lets nothing run",
    async (what) => {
      allowAll();
      await claude.install("--timeout", "120", "--gate", "all");
      await claude.desk.up();
      if (what === "is gone") rmSync(join(claude.data, "hooks", "gate"));
      const run = await claude.prompt([touch("one")]);
      if (what === "is killed") {
        await claude.asked();
        for (const pid of claude.gates()) process.kill(pid, "SIGKILL");
      }
      const [result] = await run.results();
      expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
    },
  );

  it("CLAUDE-CODE-INSTALL-1: a gate for every call that is killed with its shells lets nothing run, or install says that it does not hold", async () => {
    allowAll();
    const said = await claude.install("--timeout", "120", "--gate", "all");
    await claude.desk.up();
    const run = await claude.prompt([touch("one")]);
    await claude.asked();
    for (const pid of claude.gatesWithShells()) process.kill(pid, "SIGKILL");
    await run.ended;
    expect(claude.ran("one")).toBe(!isAtLeast("2.1.295"));
    expect(said.includes("follows its own rules")).toBe(claude.ran("one"));
  });

  it("I-39: in a terminal, what the client asks about is answered here, and the person is shown why it is wanted", async () => {
    await claude.install("--timeout", "120");
    await claude.desk.up("--transcripts", join(claude.config, "projects"));
    const { id, screen } = await seated();
    expect(at(await claude.shown(id), "input", "command")).toBe("touch one");
    await expect
      .poll(async () => {
        const { out } = await claude.desk.run(["approvals", "--json"]);
        return jsonLines(out).map((each) => textAt(each, "intent", "text"));
      })
      .toEqual(["I make the first of two files now."]);
    await approve(id);
    const second = await claude.asked([id]);
    await deny(second, "-m", "not this one");
    await screen.shows("Done.");
    expect([claude.ran("one"), claude.ran("two")]).toEqual([true, false]);
    expect(await claude.calls()).toEqual({ toolu_01: "completed", toolu_02: "denied" });
  });
});

async function seated(): Promise<Seat & { readonly id: string }> {
  const script = [{ ...touch("one"), said: "I make the first of two files now." }, touch("two")];
  const seat = await claude.sit(script);
  await seat.screen.shows("? for shortcuts");
  await seat.screen.send("Please do the steps.");
  return { ...seat, id: await claude.asked() };
}
