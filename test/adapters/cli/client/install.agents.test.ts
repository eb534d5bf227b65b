// Install, status and uninstall for other agents
// What they say and do to the settings of Codex and Copilot, and with OpenCode's plugin.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  mkdirSync(home());
});
afterEach(() => desk.clear());

const home = (...names: string[]): string => join(desk.dir, "home", ...names);
const run = (...args: string[]): Promise<Ended> =>
  desk.run(args, {
    env: { CODEX_HOME: home("codex"), COPILOT_HOME: home("copilot"), XDG_CONFIG_HOME: home() },
  });
const read = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const FILES = {
  codex: () => home("codex", "hooks.json"),
  copilot: () => home("copilot", "hooks", "signalbox.json"),
  opencode: () => home("opencode", "plugins", "signalbox.js"),
} as const;
type Agent = keyof typeof FILES;
const AGENTS = Object.keys(FILES) as readonly Agent[];
const OPEN: Readonly<Record<Agent, string>> = {
  codex: "Codex runs none of these hooks until you trust them",
  copilot: "Its hooks send no call ids",
  opencode: "started without plugins",
};
/** Odd, and as their owners left them. */
const THEIRS =
  '{ "hooks":{"Stop" :[ { "hooks": [{"type":"command","command":"say done"}]}] ,"PreToolUse":[ ]}\t}';

describe("CLIENT-INSTALL-3: hooks of other agents", () => {
  it.each(AGENTS)(
    "SETTINGS-2, PLUGIN-FILE-SIDE-1: %s's are put in once, and what was there comes back",
    async (agent) => {
      const path = FILES[agent]();
      const before = agent === "opencode" ? undefined : THEIRS;
      if (before !== undefined) write(path, before);
      const dry = await run("install", "--agent", agent, "--dry-run");
      expect([dry.code, read(path), existsSync(join(desk.dir, "data", "hooks"))]).toEqual([0, before, false]);
      expect(dry.out).toContain("would change");
      expect((await run("install", "--agent", agent)).code).toBe(0);
      const there = read(path);
      expect(there).toContain("hooks/gate");
      const [again] = jsonLines((await run("install", "--agent", agent, "--json")).out);
      expect(again).toMatchObject({
        changes: [],
        choice: "all",
        limits: [expect.stringContaining(OPEN[agent])],
      });
      expect(read(path)).toBe(there);
      await run("install", "--agent", agent, "--gate", "none", "--workspace", "mine");
      expect(read(path)).not.toBe(there);
      const { out } = await run("uninstall", "--agent", agent);
      expect([out.includes("removed hooks:"), read(path)]).toEqual([true, before]);
    },
  );

  it.each(AGENTS)(
    "AGENT-HOOKS-CODEX-1, AGENT-HOOKS-COPILOT-1, AGENT-HOOKS-OPENCODE-1, CLIENT-INSTALL-2: what %s does not hold is said in one line by install and by status",
    async (agent) => {
      const lines = (text: string): readonly string[] =>
        text.split("\n").filter((line) => line.includes(OPEN[agent]));
      expect(lines((await run("install", "--agent", agent)).out)).toHaveLength(1);
      const { out } = await run("status");
      expect(lines(out)).toHaveLength(1);
      expect(out).toContain(`${FILES[agent]()}: `);
      expect(out).toContain("every call waits for an answer here");
      const [told] = jsonLines((await run("status", "--json")).out);
      const own = listAt(told, "agents").find((each) => at(each, "agent") === agent);
      expect(own).toMatchObject({ open: [expect.stringContaining(OPEN[agent])] });
      await run("uninstall", "--agent", agent);
      expect(lines((await run("status")).out)).toHaveLength(0);
    },
  );

  it.each(AGENTS)(
    "I-39: status says what of %s's somebody changed, and the command that puts it right does",
    async (agent) => {
      await run("install", "--agent", agent, "--workspace", "mine");
      const path = FILES[agent]();
      const right = read(path) ?? "";
      writeFileSync(path, right.replace("3600", "7"));
      const wrong = await run("status");
      expect(wrong.code).toBe(1);
      const [, command = ""] = /To put them right: npx signalbox (install .*)/.exec(wrong.out) ?? [];
      const data = join(desk.dir, "data");
      expect(command).toBe(`install --agent ${agent} --workspace mine --data '${data}'`);
      await run("install", "--agent", agent, "--workspace", "mine");
      const now = read(path) ?? "";
      // What was put right stands behind the others.
      if (agent === "opencode") expect(now).toBe(right);
      else expect(JSON.parse(now)).toEqual(JSON.parse(right));
    },
  );

  it("CLIENT-INSTALL-3: what an agent has not is refused before anything is written", async () => {
    for (const [agent, ...more] of [
      ["codex", "--gate", "permission"],
      ["codex", "--closed", "ask"],
      ["opencode", "--closed", "ask"],
      ["copilot", "--telemetry"],
      ["codex", "--plugin", join(desk.dir, "plugin")],
      ["opencode", "--client-version", "1.2.3"],
      ["gemini"],
    ] as const)
      expect(await run("install", "--agent", agent, ...more)).toMatchObject({ code: 2, out: "" });
    for (const agent of AGENTS)
      expect(await run("install", "--agent", agent, "--scope", "local")).toMatchObject({ code: 1, out: "" });
    expect([readdirSync(home()), existsSync(join(desk.dir, "data"))]).toEqual([[], false]);
  });

  it.each(["codex", "copilot"] as const)(
    "SETTINGS-2: %s's settings that are no JSON stay as they are",
    async (agent) => {
      const path = FILES[agent]();
      for (const text of ['{"hooks": {}} // mine\n', "\uFEFF{}", '{"hooks": []}', "{"]) {
        write(path, text);
        for (const command of ["install", "uninstall"])
          expect(await run(command, "--agent", agent)).toMatchObject({ code: 1, out: "" });
        expect(readFileSync(path, "utf8")).toBe(text);
      }
    },
  );

  it("PLUGIN-FILE-1: another plugin of that name stays, put in or taken out", async () => {
    const path = FILES.opencode();
    write(path, "export const Mine = async () => ({});\n");
    const { code, err } = await run("install", "--agent", "opencode");
    expect([code, err]).toEqual([1, expect.stringContaining("is not Signalbox's plugin")]);
    expect((await run("uninstall", "--agent", "opencode")).out).toContain("needs no change");
    expect(read(path)).toBe("export const Mine = async () => ({});\n");
  });

  it("PLUGIN-FILE-SIDE-1: a plugin that somebody changed is kept in the data folder before it is taken out", async () => {
    await run("install", "--agent", "opencode");
    const changed = `${read(FILES.opencode()) ?? ""}// mine\n`;
    writeFileSync(FILES.opencode(), changed);
    const { out } = await run("uninstall", "--agent", "opencode");
    const [, copy = ""] = /As it was before: (.*)/.exec(out) ?? [];
    expect([read(FILES.opencode()), read(copy)]).toEqual([undefined, changed]);
    expect(readdirSync(dirname(FILES.opencode()))).toEqual([]);
  });
});
