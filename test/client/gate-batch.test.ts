// Ten calls at the gate, with the real client
// One message with ten calls, each asked about here: all allowed, one denied, edited, from a subagent, in two
// clients at once, and
// with the client killed in the middle.

import { describe, expect, it } from "vitest";
import { byPrompt, type Scripted } from "../support/client/api.ts";
import { type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { judge } from "../support/client/judge.ts";
import { at, textAt } from "../support/engine/json.ts";

let claude: Claude;

claudeForEach(async (fresh) => {
  claude = fresh;
  await claude.install("--timeout", "120");
  await claude.desk.up();
});

const NAMES = Array.from({ length: 10 }, (_, n) => `step-${n + 1}`);
const TEN = NAMES.map(touch);
const idOf = (n: number): string => `toolu_${String(n).padStart(2, "0")}`;
const approve = (id: string, ...args: string[]) => claude.desk.run(["approve", id, ...args]);

/** Answers what is asked, in the order in which it is, as often as said. */
async function answer(count: number, decide: (nth: number, id: string) => Promise<unknown>): Promise<void> {
  const known: string[] = [];
  for (let nth = 1; nth <= count; nth++) {
    const id = await claude.asked(known);
    known.push(id);
    await decide(nth, id);
  }
}

describe("I-39: a batch of ten calls of Claude Code", { timeout: 240_000 }, () => {
  it("I-39: each of the ten is asked about, allowed and run, by both accounts, on a committed decision", async () => {
    const run = await claude.prompt(TEN);
    await answer(10, (_, id) => approve(id));
    const { client, engine, uncaused } = await judge(claude, run);
    expect(client).toEqual(Object.fromEntries(TEN.map((_, n) => [idOf(n + 1), "ran"])));
    expect(engine).toEqual(client);
    expect(uncaused).toEqual([]);
    expect(NAMES.filter((name) => claude.ran(name))).toEqual(NAMES);
  });

  it("I-39: call 6 denied: it alone does not run", async () => {
    const run = await claude.prompt(TEN);
    await answer(10, (nth, id) =>
      nth === 6 ? claude.desk.run(["deny", id, "-m", "not this one"]) : approve(id),
    );
    const { client, engine, uncaused } = await judge(claude, run);
    const others = NAMES.filter((_, n) => n !== 5);
    expect(NAMES.filter((name) => claude.ran(name))).toEqual(others);
    expect(Object.keys(client).filter((id) => client[id] === "not run")).toEqual([idOf(6)]);
    expect(engine).toEqual(client);
    expect(uncaused).toEqual([]);
  });

  it("I-39: call 6 denied with an interrupt: it and the four behind it do not run", async () => {
    const run = await claude.prompt(TEN);
    await answer(6, (nth, id) => (nth === 6 ? claude.desk.run(["deny", id, "--interrupt"]) : approve(id)));
    expect(await run.ended).toBe(1);
    expect(NAMES.filter((name) => claude.ran(name))).toEqual(NAMES.slice(0, 5));
    const { engine, uncaused } = await judge(claude, run);
    expect(Object.entries(engine).filter(([, fate]) => fate === "ran")).toHaveLength(5);
    expect(uncaused).toEqual([]);
    const { out } = await claude.desk.run(["approvals", "--json"]);
    expect(out).toBe("");
  });

  it("I-39: the client runs the edited input, keeps the old one in its own account, and both stand here", async () => {
    const run = await claude.prompt([touch("one")]);
    const id = await claude.asked();
    await approve(id, "--input", JSON.stringify({ command: "touch other" }));
    const { client, engine, uncaused } = await judge(claude, run);
    expect([client, engine, uncaused]).toEqual([{ toolu_01: "ran" }, { toolu_01: "ran" }, []]);
    expect([claude.ran("one"), claude.ran("other")]).toEqual([false, true]);
    expect(run.out).toContain("touch one");
    expect(textAt(await claude.shown(id), "input", "command")).toBe("touch one");
    expect(textAt(await claude.shown(id), "updatedInput", "input", "command")).toBe("touch other");
  });

  it("I-39: a subagent asks: the approval names it, and its call runs on the answer", async () => {
    const agent: Scripted = {
      name: "Agent",
      input: {
        description: "help",
        prompt: "SUBTASK one",
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    };
    const inside = { ...touch("inside"), id: "toolu_s1" };
    const run = await claude.prompt(
      byPrompt({ "Please do the steps": [[agent]], "SUBTASK one": [[inside]] }),
    );
    const id = await claude.asked();
    expect(at(await claude.shown(id), "agentId")).not.toBe("main");
    expect(claude.ran("inside")).toBe(false);
    await approve(id);
    await run.ended;
    expect(claude.ran("inside")).toBe(true);
    const { out } = await claude.desk.run(["ls", "calls", run.session, "--json"]);
    expect(out).toContain('"toolu_s1"');
    expect(textAt(await claude.shown(id), "callId")).toBe("toolu_s1");
  });

  it("I-39: two clients in one folder: each call has its own answer", async () => {
    const runs = [
      await claude.prompt([touch("of-both"), touch("of-one")]),
      await claude.prompt([touch("of-both"), touch("of-two")]),
    ];
    await answer(4, async (_, id) => {
      const command = textAt(await claude.shown(id), "input", "command");
      return command === "touch of-one" ? claude.desk.run(["deny", id, "-m", "no"]) : approve(id);
    });
    for (const run of runs) {
      const { client, engine, uncaused } = await judge(claude, run);
      expect(engine).toEqual(client);
      expect(uncaused).toEqual([]);
    }
    expect(["of-both", "of-one", "of-two"].map((name) => claude.ran(name))).toEqual([true, false, true]);
  });

  it("I-39: a client that is killed while it asks, and resumed, asks anew; the old approval lets nothing run", async () => {
    const first = await claude.prompt([touch("one")]);
    const old = await claude.asked();
    first.child.kill("SIGKILL");
    await claude.until(old, "withdrawn");
    expect((await approve(old)).code).toBe(1);
    const again = await claude.prompt(byPrompt({ "Once more": [[{ ...touch("one"), id: "toolu_r1" }]] }), {
      text: "Once more, please.",
      args: ["--resume", first.session],
    });
    const id = await claude.asked([old]);
    expect(claude.ran("one")).toBe(false);
    await approve(id);
    await again.ended;
    expect(claude.ran("one")).toBe(true);
    const { engine, client, uncaused } = await judge(claude, again);
    expect([client["toolu_r1"], engine["toolu_r1"], engine["toolu_01"]]).toEqual(["ran", "ran", "not run"]);
    expect(uncaused).toEqual([]);
  });
});
