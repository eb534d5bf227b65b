// Readme
// What the README tells a newcomer to do, done.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deskForAll } from "../support/processes/desk-for-all.ts";
import { Desk, jsonLines } from "../support/processes/program.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import { recording } from "../support/sessions/recording.ts";

const README = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
const desk = deskForAll();

/** @param section its heading; undefined for the first block of all. */
function block(language: string, section = ""): string {
  const behind = README.slice(README.indexOf(section));
  const [, text] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(behind) ?? [];
  if (text === undefined) throw new Error(`The README has no ${language} block.`);
  return text;
}

/** The client's settings, once `npx signalbox install` has been there. */
async function installed(): Promise<unknown> {
  const [, line = ""] = /^npx signalbox (install)$/m.exec(block("sh", "Use it with Claude Code")) ?? [];
  expect((await desk.run(line.split(" "))).code).toBe(0);
  return at(JSON.parse(readFileSync(join(desk.dir, ".claude", "settings.json"), "utf8")), "hooks");
}

/** Does what the client does with a configured hook that only watches. */
async function call(hook: unknown, payload: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const env = { PATH: process.env["PATH"] };
    const shell = execFile("sh", ["-c", textAt(hook, "command") ?? ""], { env }, (error, out) => {
      if (error || out !== "")
        reject(error ?? new Error(`It printed "${out}", which the client would take for an answer.`));
      else resolve();
    });
    shell.stdin?.end(payload);
  });
}

describe("readme", () => {
  it("README: the replay it shows prints what it shows", async () => {
    const [command = "", ...shown] = block("console").split("\n");
    const args = command.replace("$ npx signalbox ", "").split(" ");
    expect((await desk.run(args)).out).toBe(shown.join("\n"));
  });

  it("README: a live session through the hooks that one line puts in is there, call by call", async () => {
    const hooks = await installed();
    await desk.up();
    for (const { value } of recording("s6-subagent").hooks.lines) {
      const payload = at(value, "payload");
      const [hook] = listAt(hooks, textAt(payload, "hook_event_name") ?? "", 0, "hooks");
      if (hook !== undefined) await call(hook, JSON.stringify(payload));
    }
    let session: unknown;
    while (textAt(session, "state") !== "ended")
      [session] = jsonLines((await desk.run(["ls", "--json"])).out);
    expect(session).toMatchObject({ cwd: "/home/dev/shop", startedAt: expect.any(Number) as unknown });
    const calls = jsonLines((await desk.run(["ls", "calls", textAt(session, "id") ?? "", "--json"])).out);
    expect(calls.length).toBeGreaterThan(3);
    expect(new Set(calls.map((one) => textAt(one, "execution")))).toEqual(new Set(["completed"]));
  });

  it("README: the question it sends by hand waits, and the answer it gives counts; `emit --help` has the same", async () => {
    const [, line = "", data = ""] =
      /^(npx signalbox emit approval\.requested .*--body '(.*)')$/m.exec(README) ?? [];
    const asking = new Desk();
    try {
      expect((await asking.run(["emit", "--help"])).out).toContain(line);
      await asking.up();
      const args = line.replace(/^npx signalbox | --body .*$/g, "").split(" ");
      expect((await asking.run([...args, "--body", data])).out).toMatch(/^applied/);
      expect(jsonLines((await asking.run(["approvals", "--json"])).out)).toMatchObject([
        { tool: "send_mail" },
      ]);
      const [, approve = ""] = /^npx signalbox (approve \w+)$/m.exec(README) ?? [];
      expect((await asking.run(approve.split(" "))).out).toMatch(
        /a1 is approved\.\nsent, and committed\.\n$/,
      );
    } finally {
      await asking.clear();
    }
  });

  it("README: every event the recorded client sends, but what it only shows, has its hook", async () => {
    const hooks = (await installed()) as object;
    const sent = new Set(
      ["s6-subagent", "s5-fail", "s3-permreq-deny"].flatMap((name) =>
        recording(name).hooks.lines.map(({ value }) => textAt(value, "payload", "hook_event_name")),
      ),
    );
    sent.delete("MessageDisplay");
    expect([...sent].filter((name) => !Object.hasOwn(hooks, name ?? ""))).toEqual([]);
  });

  it("README: its table names every command the program has", async () => {
    const { out } = await desk.run(["--help"]);
    const commands = [...out.matchAll(/^ {2}([a-z]+) (?:\[|<)/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThanOrEqual(10);
    for (const name of commands.filter((each) => each !== "help"))
      expect(README).toMatch(new RegExp(`^\\| \`npx signalbox ${name}[ \`]`, "m"));
  });

  it("README: a command stands as it is typed, and how to do without `npx` is said once", () => {
    const bare = /`(?:up|ls|show|watch|approvals|approve|deny|emit|replay|export|token) [^`]*`/g;
    expect(README.match(bare)).toBeNull();
    expect(README.match(/`signalbox (?!…)[^`]*`/g)).toBeNull();
    expect(README.match(/npm link/g)).toHaveLength(1);
  });
});
