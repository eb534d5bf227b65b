// Install, status and uninstall on the command line
// What they say and do to settings that somebody else has written in.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

const THEIRS = `{
    "model": "opus",
    "hooks": {
        "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
    }
}
`;

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  mkdirSync(config());
  writeFileSync(settings(), THEIRS);
});
afterEach(() => desk.clear());

const config = (): string => join(desk.dir, "config");
const settings = (): string => join(config(), "settings.json");
const text = (): string => readFileSync(settings(), "utf8");
/** Of the hooks that are in, ours. */
const commands = (): readonly string[] =>
  [...text().matchAll(/"command": "(.* # signalbox)"/g)].map(([, command = ""]) => command);
const run = (...args: string[]): Promise<Ended> => desk.run(args, { env: { CLAUDE_CONFIG_DIR: config() } });

describe("I-39: install", () => {
  it("I-39: shows what would change, and changes nothing, until it is meant; then it keeps what was there, and is done once", async () => {
    const dry = await run("install", "--dry-run");
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining("would change: ")]);
    expect(dry.out).toContain("PermissionRequest");
    expect([text(), readdirSync(config()), existsSync(join(desk.dir, "data", "hooks"))]).toEqual([
      THEIRS,
      ["settings.json"],
      false,
    ]);
    const { out } = await run("install");
    expect(out).toContain("was changed: ");
    expect(out).toMatch(/added hooks: .*SessionStart, /);
    expect(out.trim().split("\n").length).toBeLessThanOrEqual(10);
    const [, copy = ""] = /As it was before: (.*)/.exec(out) ?? [];
    expect(readFileSync(copy, "utf8")).toBe(THEIRS);
    expect(text().startsWith(THEIRS.slice(0, THEIRS.indexOf('"Stop"')))).toBe(true);
    expect(text()).toContain("say done");
    const [again] = jsonLines((await run("install", "--json")).out);
    expect(again).toMatchObject({ changes: [], dryRun: false });
    expect((await run("uninstall")).code).toBe(0);
    expect(text()).toBe(THEIRS);
  });

  it("I-39: status says what is in, what somebody changed, what is gone, and how each is mended", async () => {
    const without = await run("status");
    expect([without.code, without.out]).toEqual([1, expect.stringContaining("npx signalbox install")]);
    await run("install", "--gate", "all");
    const { url } = await desk.up();
    const right = await run("status");
    expect([right.code, right.out]).toEqual([
      0,
      expect.stringContaining("every call waits for an answer here"),
    ]);
    expect(right.out).toContain(`The engine runs at ${url}`);
    writeFileSync(settings(), text().replace(/"timeout": 3600/, '"timeout": 7'));
    rmSync(join(desk.dir, "data", "hooks", "gate"));
    const wrong = await run("status");
    expect([wrong.code, wrong.out]).toEqual([
      1,
      expect.stringContaining("To put them right: npx signalbox install"),
    ]);
    const [told] = jsonLines((await run("status", "--json")).out);
    expect(listAt(told, "programs").length).toBeGreaterThan(0);
    expect(JSON.stringify(at(told, "scopes"))).toContain("faults");
    await run("install", "--gate", "all");
    expect((await run("status")).code).toBe(0);
  });

  it("CLIENT-INSTALL-1: the workspace is written into the commands: as it is named, else as the shell has it now, which is said", async () => {
    const said = (): ReadonlySet<unknown> =>
      new Set(commands().map((each) => / ([\w-]+) (?:2>|\|\| exit 2 #)/.exec(each)?.[1]));
    const shell = { CLAUDE_CONFIG_DIR: config(), SIGNALBOX_WORKSPACE: "desk" };
    const install = (...args: string[]): Promise<Ended> => desk.run(["install", ...args], { env: shell });
    const dry = await install("--dry-run", "--verbose");
    expect(dry.out).toMatch(/^\+.*\/hooks\/observe' permission desk 2>/m);
    expect(dry.out).toContain("use the workspace desk, as SIGNALBOX_WORKSPACE says now");
    expect((await install()).out).toContain("desk, as SIGNALBOX_WORKSPACE says now");
    expect(said()).toEqual(new Set(["desk"]));
    const named = await install("--workspace", "mine", "--closed", "deny");
    expect([named.out, said()]).toEqual([
      expect.stringContaining("use the workspace mine."),
      new Set(["mine"]),
    ]);
    expect(commands().filter((each) => each.includes("--closed deny --workspace mine"))).toHaveLength(1);
    const plugin = join(desk.dir, "plugin");
    expect((await install("--plugin", plugin)).out).toContain("desk, as SIGNALBOX_WORKSPACE says now");
    expect(readFileSync(join(plugin, "hooks", "hooks.json"), "utf8")).toContain(
      "--workspace desk || exit 2 #",
    );
    for (const bad of ["a b", "'; touch x; '", ""])
      expect(await install("--workspace", bad)).toMatchObject({ code: 2, out: "" });
    expect(said()).toEqual(new Set(["mine"]));
  });

  it("CLIENT-INSTALL-1: status says which workspace the hooks say, what the shell says otherwise, and how to put in the same anew", async () => {
    await run("install", "--gate", "all", "--workspace", "mine", "--closed", "deny");
    expect((await run("status")).out).toContain("waits for an answer here, under the workspace mine");
    const other = { CLAUDE_CONFIG_DIR: config(), SIGNALBOX_WORKSPACE: "desk" };
    const told = await desk.run(["status"], { env: other });
    expect(told.out).toContain("this shell's SIGNALBOX_WORKSPACE is desk, but the hooks use mine");
    const same = await desk.run(["status"], { env: { ...other, SIGNALBOX_WORKSPACE: "mine" } });
    expect(same.out).not.toContain("SIGNALBOX_WORKSPACE");
    rmSync(join(desk.dir, "data", "hooks", "gate"));
    const data = join(desk.dir, "data");
    expect((await run("status")).out).toContain(
      `To put them right: npx signalbox install --gate all --closed deny --workspace mine --data '${data}'\n`,
    );
  });

  it("HOOKS-TEXT-1: install and uninstall say in ten lines what comes and goes, with --verbose each line; an empty file comes back", async () => {
    writeFileSync(settings(), "");
    const brief = await run("install");
    const lines = (of: Ended): readonly string[] => of.out.trim().split("\n");
    expect(lines(brief).length).toBeLessThanOrEqual(10);
    expect(brief.out).toContain("--verbose shows each added and removed line.");
    const gone = await run("uninstall", "--dry-run", "--verbose");
    expect(lines(gone).filter((line) => line.startsWith("- ")).length).toBeGreaterThan(100);
    const out = await run("uninstall");
    expect([lines(out).length <= 10, /removed hooks: .*SessionStart, /.test(out.out)]).toEqual([true, true]);
    expect(text()).toBe("");
  });

  it("CLOSED-1: a data folder and a key that were open to others are closed in so many words", async () => {
    await run("install");
    const data = join(desk.dir, "data");
    writeFileSync(join(data, "line-key"), "k".repeat(43), { mode: 0o600 });
    chmodSync(data, 0o777);
    chmodSync(join(data, "line-key"), 0o644);
    const { code, err } = await run("install");
    expect([code, statSync(data).mode & 0o777]).toEqual([0, 0o700]);
    expect(err).toContain(`${data} was open to others (mode 777)`);
    expect(err).toContain("line-key (mode 644)");
    expect((await run("install")).err).toBe("");
  });

  it("I-39: settings that are no JSON, and a link, are refused in words with the next step; they stay as they are", async () => {
    writeFileSync(settings(), "// mine\n{}");
    const bad = await run("install");
    expect([bad.code, text()]).toEqual([1, "// mine\n{}"]);
    expect(bad.err.trim().split("\n").length).toBeGreaterThan(1);
    const other = join(desk.dir, "elsewhere.json");
    writeFileSync(other, THEIRS);
    rmSync(settings());
    symlinkSync(other, settings());
    const link = await run("install");
    expect([link.code, readFileSync(other, "utf8")]).toEqual([1, THEIRS]);
    expect(link.err).toContain("link");
  });

  it("GATE-MAIN-4, HOOKS-TEXT-3: a start says how to connect agents, that hooks of an earlier version let nothing run, and how to put in the same anew", async () => {
    const start = async (): Promise<string> => {
      const engine = desk.start(["up", "--port", "0"], { env: { CLAUDE_CONFIG_DIR: config() } });
      await engine.said(/Connect Claude Code|is connected|Put them in again:\n.*\n/);
      engine.child.kill("SIGINT");
      await engine.ended;
      return engine.out;
    };
    const first = await start();
    expect(first).toContain("Connect Claude Code, once:\n  npx signalbox install");
    for (const door of ["install --agent codex", "acp", "codex"])
      expect(first).toContain(`npx signalbox ${door} `);
    expect(first).toMatch(/signalbox acp .*-- COMMAND/);
    await run("install", "--workspace", "mine");
    expect(await start()).toContain("Claude Code is connected.");
    writeFileSync(settings(), text().replaceAll(/ --proof \d+/g, ""));
    expect(await start()).toMatch(/may let nothing run.*\n {2}npx signalbox install --workspace mine/);
  });
});
