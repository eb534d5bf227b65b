// How soon, with the real client
// How long it takes, for each evidence alone, until a question is out of the inbox, or a call is shown to be over.
//
// The figures are printed, for docs/reference/gate.md; no test waits for one. TIMES=20 measures each as often.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { byPrompt, type Scripted } from "../support/client/api.ts";
import { type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { howSoonTable, Moments, type Row, type Shown } from "../support/client/moments.ts";

const TIMES = Number(process.env["TIMES"] ?? 10);
/** Each of these needs a client of its own, or a prompt. */
const FEWER = Math.ceil(TIMES / 2);
const ESC = "\u001b";

let claude: Claude;
let moments: Moments;
const rows: Row[] = [];

claudeForEach((fresh) => {
  claude = fresh;
});
afterEach(() => moments.stop());
afterAll(() => console.log(howSoonTable(rows)));

const nth = (n: number): string => String(n).padStart(3, "0");
const idOf = (n: number): string => `toolu_h${nth(n)}`;
const fileOf = (n: number): string => `ended${nth(n)}`;
/** Writes down when it ended, ms. */
const dated = (n: number): Scripted => ({
  name: "Bash",
  input: { command: `sleep 1; date +%s%3N > ${fileOf(n)}`, description: `Step ${n}` },
  id: idOf(n),
});
const endOf = (n: number): number => Number(readFileSync(join(claude.project, fileOf(n)), "utf8"));
const counted = (times: number): readonly number[] => Array.from({ length: times }, (_, n) => n);
const many = (times: number) => counted(times).map(dated);

async function begin(...up: readonly string[]): Promise<string> {
  const { url } = await claude.desk.up(...up);
  moments = await Moments.begin(claude, url);
  return url;
}

/** Every one of these was told first by this kind of message. */
async function note(
  [evidence, from]: readonly [evidence: string, from: string],
  told: RegExp,
  list: readonly (readonly [Shown, number])[],
): Promise<void> {
  const kinds = await Promise.all(list.map(([shown]) => moments.toldBy(shown)));
  expect(kinds.filter((kind) => !told.test(kind))).toEqual([]);
  rows.push({ evidence, from, times: list.map(([{ shownAt }, since]) => Math.round(shownAt - since)) });
}

/** A person who allows one call after another at the client's own terminal. @returns when each key was pressed. */
async function allowAll(times: number): Promise<readonly number[]> {
  const { screen } = await claude.sit(many(times));
  await screen.shows("❯");
  await screen.send("Please do the steps.");
  const pressed: number[] = [];
  for (const n of counted(times)) {
    await moments.asked(n);
    await screen.answer("1");
    pressed.push(Date.now());
  }
  return pressed;
}

/** A person who is asked about a call in each of their prompts, and answers all alike. */
async function* askedOneByOne(
  key: string,
): AsyncGenerator<readonly [n: number, approval: string, pressedAt: number]> {
  const prompts = counted(FEWER).map((n) => [`Do step ${nth(n)}.`, [[dated(n)]]] as const);
  const { screen } = await claude.sit(byPrompt(Object.fromEntries(prompts)));
  await screen.shows("❯");
  for (const [n, [prompt]] of prompts.entries()) {
    await screen.send(prompt);
    const id = await moments.asked(n);
    await screen.answer(key);
    yield [n, id, Date.now()];
    await sleep(1_500);
  }
}

const approvals = (times: number): Promise<readonly Shown[]> =>
  Promise.all(counted(times).map(async (n) => moments.left(await moments.asked(n))));

/** Takes all hooks out but these. */
function keepHooks(...names: readonly string[]): void {
  const path = join(claude.config, "settings.json");
  const { hooks, ...rest } = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, unknown> };
  const kept = Object.entries(hooks).filter(([name]) => names.includes(name));
  writeFileSync(path, JSON.stringify({ ...rest, hooks: Object.fromEntries(kept) }));
}

describe("I-39: how soon a question leaves the inbox", { timeout: 600_000 }, () => {
  it("I-39: by the client's hooks: a call that was allowed at the terminal has ended", async () => {
    await claude.install("--timeout", "120");
    await begin("--transcripts", "off");
    await allowAll(TIMES);
    const left = await approvals(TIMES);
    await note(
      ["hook: a result of the call", "the command's end"],
      /^claude-code.hook Post/,
      left.map((shown, n) => [shown, endOf(n)]),
    );
  });

  it("I-39: by its transcript alone: a call that was allowed at the terminal has ended", async () => {
    await claude.install("--timeout", "120");
    keepHooks("SessionStart", "PreToolUse", "PermissionRequest");
    await begin("--transcripts", join(claude.config, "projects"));
    const list: (readonly [Shown, number])[] = [];
    // The next call's own hooks would tell it too.
    for await (const [n, id] of askedOneByOne("1")) list.push([await moments.left(id), endOf(n)]);
    await note(["transcript: a result of the call", "the command's end"], /^claude-code.transcript/, list);
  });

  it("I-39: by its telemetry: a person allows a call at the terminal", async () => {
    await begin("--transcripts", "off");
    await claude.install("--telemetry", "--timeout", "120");
    const pressed = await allowAll(TIMES);
    const left = await approvals(TIMES);
    await note(
      ["telemetry: a decision at the terminal", "the key press"],
      /^claude-code.telemetry/,
      left.map((shown, n) => [shown, pressed[n] ?? 0]),
    );
  });

  it("I-39: by its gate, which it ends: a person denies a call at the terminal", async () => {
    await claude.install("--timeout", "120");
    await begin("--transcripts", "off");
    const list: (readonly [Shown, number])[] = [];
    for await (const [, id, pressed] of askedOneByOne(ESC)) list.push([await moments.left(id), pressed]);
    await note(["the client ended its gate", "the key press"], /^waiter.gone/, list);
  });

  it("I-39: by the gate's closed connection: its process is killed", async () => {
    await claude.install("--timeout", "120");
    keepHooks("PermissionRequest");
    await begin("--transcripts", "off");
    await claude.prompt(counted(FEWER).map((n) => touch(`f${n}`)));
    const list: (readonly [Shown, number])[] = [];
    for (const n of counted(FEWER)) {
      const id = await moments.asked(n);
      await sleep(500);
      const since = Date.now();
      for (const pid of claude.gates()) process.kill(pid, "SIGKILL");
      list.push([await moments.left(id), since]);
    }
    await note(["the gate's process is gone", "the kill"], /^waiter.gone/, list);
  });

  it("I-39: by the client's own process: it is killed", async () => {
    await claude.install("--timeout", "120");
    await begin("--transcripts", "off");
    const list: (readonly [Shown, number])[] = [];
    for (const n of counted(FEWER)) {
      const { child } = await claude.prompt([touch("one")]);
      const id = await moments.asked(n);
      await sleep(500);
      const since = Date.now();
      child.kill("SIGKILL");
      list.push([await moments.left(id), since]);
    }
    // Its gate sees it too, and says so.
    await note(["the client's process is gone", "the kill"], /^(process|waiter).gone/, list);
  });

  it("I-24: by its stream alone: a call is over", async () => {
    writeFileSync(join(claude.config, "settings.json"), JSON.stringify({ permissions: { allow: ["Bash"] } }));
    await begin("--transcripts", "off");
    const run = await claude.prompt(many(TIMES));
    let rest = "";
    let count = 0;
    let sent: Promise<unknown> = Promise.resolve();
    run.child.stdout?.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((each) => each.startsWith("{"))) {
        const id = `line-${count++}`;
        sent = sent.then(() => moments.bring(line, id));
      }
    });
    await run.ended;
    await sent;
    const ended = await Promise.all(counted(TIMES).map((n) => moments.ended(idOf(n))));
    await note(
      ["stream: a result of the call", "the command's end"],
      /^claude-code.stream/,
      ended.map((shown, n) => [shown, endOf(n)]),
    );
  });
});
