// Install and the client that is there
// For which version of Claude Code hooks are put in, looked at and advised, and what is said of a version that is not known.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../support/http/free-port.ts";
import { isAlive } from "../../../support/processes/processes.ts";
import { at, listAt } from "../../../support/engine/json.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  mkdirSync(config());
});
afterEach(() => desk.clear());

const config = (): string => join(desk.dir, "config");
const data = (): string => join(desk.dir, "data");
const text = (): string => readFileSync(join(config(), "settings.json"), "utf8");
const events = (): readonly string[] =>
  Object.keys((JSON.parse(text()) as { hooks: Record<string, unknown> }).hooks);

/** What the system's own folders have is no client. */
const SYSTEM = [dirname(process.execPath), "/usr/bin", "/bin"];
const env = (...first: readonly string[]): Record<string, string> => ({
  CLAUDE_CONFIG_DIR: config(),
  PATH: [...first, ...SYSTEM].join(":"),
});
/** Runs where this client is on the PATH. @param says what it does. */
function client(says: string, folder = "bin"): string {
  const dir = join(desk.dir, folder);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "claude"), `#!/bin/sh\n${says}\n`, { mode: 0o755 });
  return dir;
}
const withClient = (version: string, ...args: string[]): Promise<Ended> =>
  desk.run(args, { env: env(client(`echo "${version} (Claude Code)"`)) });
const withNone = (...args: string[]): Promise<Ended> => desk.run(args, { env: env() });
const putRight = (of: Ended): string | undefined => /To put them right: (.*)/.exec(of.out)?.[1];

async function startWith(version: string): Promise<string> {
  const engine = desk.start(["up", "--port", "0", "--nats", "off"], {
    env: env(client(`echo "${version} (Claude Code)"`)),
  });
  await engine.said(/Connect Claude Code|is connected|Put them in again:\n.*\n/);
  engine.child.kill("SIGINT");
  await engine.ended;
  return engine.out;
}

describe("HOOKS-TEXT-2: the hooks and the client that is there", () => {
  it("HOOKS-TEXT-2: a start and status look at them for the client on the PATH", async () => {
    await withClient("2.1.330", "install");
    expect(await startWith("2.1.330")).toContain("Claude Code is connected.");
    const older = await withClient("2.1.100", "status");
    expect(older.out).toContain("Claude Code 2.1.100 does not know PostToolBatch");
    const started = await startWith("2.1.100");
    expect(started).not.toContain("Claude Code is connected.");
    expect(started).toMatch(/Put them in again:\n {2}npx signalbox install --data/);
    await withClient("2.1.100", "install");
    expect(await startWith("2.1.100")).toContain("Claude Code is connected.");
    expect(events()).not.toContain("PostToolBatch");
  });

  it("HOOKS-TEXT-2, CLIENT-INSTALL-1: hooks for a version that a person named are looked at for that one, and advised for it", async () => {
    await withClient("2.1.330", "install", "--client-version", "2.1.100", "--gate", "all");
    expect(events()).not.toContain("PostToolBatch");
    expect((await withClient("2.1.330", "status")).out).not.toContain("is missing");
    expect(await startWith("2.1.330")).toContain("Claude Code is connected.");
    rmSync(join(data(), "hooks", "gate"));
    const again = `npx signalbox install --gate all --client-version 2.1.100 --data '${data()}'`;
    expect(putRight(await withClient("2.1.330", "status"))).toBe(again);
    expect(putRight(await withNone("status"))).toBe(again);
    expect(await startWith("2.1.330")).toContain(`  ${again}\n`);
    const before = text();
    await withNone("install", "--gate", "all", "--client-version", "2.1.100");
    expect(text()).toBe(before);
    expect(putRight(await withNone("status"))).toBeUndefined();
  });

  it("HOOKS-STATUS-1: hooks for a newer version than the client on the PATH knows are told of, and not advised again", async () => {
    await withClient("2.1.100", "install", "--client-version", "2.1.330");
    const { out } = await withClient("2.1.100", "status");
    expect(out).toContain("Claude Code 2.1.100 does not know PostToolBatch: it may run none of its hooks");
    expect(out).not.toContain("was changed");
    expect(out).toContain(`To put them right: npx signalbox install --data '${data()}'\n`);
    await withClient("2.1.100", "install");
    expect(putRight(await withClient("2.1.100", "status"))).toBeUndefined();
  });
});

describe("WELCOME-1: a client that does not answer", () => {
  const DEAF = `trap "" TERM INT HUP; echo $$ > "$(dirname "$0")/../pid"; exec sleep 1000`;
  const asked = (): number => Number(readFileSync(join(desk.dir, "pid"), "utf8"));

  it("WELCOME-1: keeps nobody from being told where the engine runs, nor how the hooks stand", async () => {
    await withClient("2.1.100", "install");
    const engine = desk.start(["up", "--port", "0", "--nats", "off"], { env: env(client(DEAF)) });
    await engine.said(/runs at[^]*Claude Code is connected\./);
    expect(isAlive(asked())).toBe(false);
  });

  it("WELCOME-1, FOUND-CLIENT-3: ends with the start that asked it, whether that fails or is ended", async () => {
    const port = await freePort();
    const args = ["up", "--port", String(port), "--nats", "off"];
    const first = desk.start(args, { env: env(client(DEAF)) });
    await first.said(/runs at/);
    const second = await desk.run([...args, "--data", join(desk.dir, "other")], { env: env(client(DEAF)) });
    expect(second.code).toBe(1);
    expect(isAlive(asked())).toBe(false);
    first.child.kill("SIGINT");
    expect((await first.ended).code).toBe(0);
    expect(isAlive(asked())).toBe(false);
  });
});

describe("CLIENT-INSTALL-2: what the gate does not hold with the client", () => {
  const LIMITS = [
    ["permission", "calls no hook when it runs headless"],
    ["all", "follows its own rules"],
  ] as const;
  it.each(LIMITS)(
    "CLIENT-INSTALL-2: is said in words and as JSON, before and after, also of a plugin (--gate %s)",
    async (gate, words) => {
      const plugin = ["--plugin", join(desk.dir, "plugin")];
      for (const more of [["--dry-run"], [], [...plugin, "--dry-run"], plugin]) {
        const args = ["install", "--gate", gate, ...more];
        expect((await withClient("2.1.200", ...args)).out).toContain(words);
        const [told] = jsonLines((await withClient("2.1.200", ...args, "--json")).out);
        expect(listAt(told, "limits")).toEqual([expect.stringContaining(words)]);
      }
      const [none] = jsonLines((await withClient("2.1.330", "install", "--gate", gate, "--json")).out);
      expect(at(none, "limits")).toEqual([]);
      expect((await withClient("2.1.330", "install", "--gate", gate)).out).not.toContain(words);
    },
  );

  it("FOUND-CLIENT-2: why its version is not known is said as it is, in words and as JSON", async () => {
    const silent = client("echo hello");
    const unasked = client("echo 1.0.0", join("project", "node_modules", ".bin"));
    for (const [path, why] of [
      [[], "No `claude` is on the PATH"],
      [[silent], `\`${silent}/claude --version\` told no version`],
      [[unasked], `${unasked}/claude may be a project's, so it was not asked for its version`],
    ] as const) {
      const surroundings = { env: env(...path) };
      expect((await desk.run(["install", "--dry-run"], surroundings)).out).toContain(
        `${why}: these hooks are for its newest version. For another: --client-version\n`,
      );
      const [told] = jsonLines((await desk.run(["install", "--json"], surroundings)).out);
      expect(at(told, "unknownClient")).toContain(why);
    }
    const named = await withNone("install", "--client-version", "2.1.330");
    expect(named.out).not.toContain("newest version");
  });
});
