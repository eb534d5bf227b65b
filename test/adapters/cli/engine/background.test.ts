// In the background
// An engine that outlives its terminal: started, started twice, killed in the middle, ended, and kept by the system.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BoundedLog } from "../../../../adapters/cli/background/bounded-log.ts";
import { serviceOf } from "../../../../adapters/cli/background/service-text.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { isAlive } from "../../../support/processes/processes.ts";
import { childrenOf } from "../../../support/client/claude.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(async () => {
  await desk.run(["down"]);
  await desk.clear();
});

const data = (...names: string[]): string => join(desk.dir, "data", ...names);
function noted(): number | undefined {
  if (!existsSync(data("up.json"))) return undefined;
  return Number(at(JSON.parse(readFileSync(data("up.json"), "utf8")), "pid"));
}
const up = (...args: string[]): Promise<Ended> =>
  desk.run(["up", "-d", "--nats", "off", "--port", "0", "--json", ...args]);
const ready = ({ out }: Ended): { readonly pid: number; readonly url: string } => {
  const [said] = jsonLines(out);
  return { pid: Number(at(said, "pid")), url: textAt(said, "url") ?? "" };
};
const status = async (): Promise<unknown> => jsonLines((await desk.run(["status", "--json"])).out)[0];
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe("up -d and down", () => {
  it("CLI, BACKGROUND-CLAIM-2: up -d returns once the engine is ready, and says where it is; down ends it in order", async () => {
    const started = await up();
    expect([started.code, started.err]).toEqual([0, ""]);
    const { pid, url } = ready(started);
    expect(isAlive(pid)).toBe(true);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await status()).toMatchObject({ engine: url, pid });
    expect(readFileSync(data("up.log"), "utf8")).toContain(`Signalbox runs at ${url}.`);
    expect(readFileSync(data("up.log"), "utf8")).not.toContain("token");
    expect(statSync(data("up.log")).mode & 0o077).toBe(0);
    const stopped = await desk.run(["down"]);
    expect([stopped.code, stopped.out]).toEqual([0, expect.stringContaining("has stopped in order")]);
    expect([isAlive(pid), existsSync(data("up.json"))]).toEqual([false, false]);
    expect(readFileSync(data("up.log"), "utf8")).toContain("Stopped in order.");
    const none = await desk.run(["down"]);
    expect([none.code, none.out]).toEqual([0, expect.stringContaining("No engine runs on")]);
  });

  it("CLI, BEHIND-2: without --json it says what to do next; what is no screen gets no link, and neither does the log", async () => {
    const { out } = await desk.run(["up", "-d", "--nats", "off", "--port", "0"]);
    expect(out).toMatch(/in the background \(process \d+\)/);
    expect(out).toContain("npx signalbox down --data");
    expect(out).not.toContain(readFileSync(data("line-key"), "utf8").trim());
    expect(out).toContain("npx signalbox open --data");
    const { out: link } = await desk.run(["open", "--no-browser"]);
    const name = new URL(link.split("\n")[0] ?? "").hostname;
    for (const text of [out, readFileSync(data("up.log"), "utf8")])
      expect(text).not.toMatch(/code=|\.localhost/);
    for (const kept of readdirSync(data("."), { recursive: true, encoding: "utf8" }))
      if (statSync(data(kept)).isFile())
        expect([kept, readFileSync(data(kept)).includes(name)]).toEqual([kept, false]);
  });

  it("BEHIND-1: two at once end with one engine; a third says that it is there", async () => {
    const both = await Promise.all([up(), up()]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    const [won] = both.filter(({ code }) => code === 0);
    const [lost] = both.filter(({ code }) => code === 1);
    expect(lost?.err).toMatch(/already runs on|did not start/);
    expect(noted()).toBe(won && ready(won).pid);
    const third = await up();
    const down = `end it with \`npx signalbox down --data '${data()}'\``;
    expect([third.code, third.err]).toEqual([1, expect.stringContaining(down)]);
    const inTerminal = await desk.run(["up", "--nats", "off", "--port", "0"]);
    expect([inTerminal.code, inTerminal.err]).toEqual([1, expect.stringContaining(down)]);
    expect(inTerminal.err).not.toContain("Ctrl-C");
    expect((await desk.run(["down"])).code).toBe(0);
  });

  it("BACKGROUND-CLAIM-1: a note of a process that has ended, of another one, or of none, ends nobody", async () => {
    const { pid } = ready(await up());
    const note = readFileSync(data("up.json"), "utf8");
    process.kill(pid, "SIGKILL");
    await until(() => !isAlive(pid));
    while (at(await status(), "engine") !== undefined) await sleep(50);
    expect(await status()).not.toHaveProperty("pid");
    const mark = String(at(JSON.parse(note), "mark"));
    const forged = [
      note,
      JSON.stringify({ pid: process.pid, mark }),
      JSON.stringify({ pid: 1, mark }),
      JSON.stringify({ pid: -1, mark }),
      "{",
    ];
    for (const text of forged) {
      writeFileSync(data("up.json"), text, { mode: 0o600 });
      const { code, out } = await desk.run(["down"]);
      expect([text, code, out.includes("No engine runs on")]).toEqual([text, 0, true]);
    }
    expect(ready(await up()).pid).not.toBe(pid);
  });

  it("CLI, BACKGROUND-CLAIM-2: after a kill -9, status, the next start and its log say that it ended without closing", async () => {
    const { pid } = ready(await up());
    process.kill(pid, "SIGKILL");
    await until(() => !isAlive(pid));
    while (at(await status(), "engine") !== undefined) await sleep(50);
    expect(await status()).toMatchObject({ endedWithoutClosing: pid });
    const { out } = await desk.run(["status"]);
    expect(out).toContain(
      `process ${pid}, which kept one running in the background, ended without closing it`,
    );
    expect(out).toContain(`Start it again: npx signalbox up -d --data '${data()}'`);
    const again = await up();
    expect([again.code, again.err]).toEqual([0, expect.stringContaining(`process ${pid}`)]);
    expect(readFileSync(data("up.log"), "utf8")).toContain(`ended without closing: process ${pid}`);
    expect(await status()).not.toHaveProperty("endedWithoutClosing");
    expect((await desk.run(["down"])).code).toBe(0);
    expect(await status()).not.toHaveProperty("endedWithoutClosing");
  });

  it("DETACH-1: killed while it waits, the engine comes up all the same, and down ends it", async () => {
    const starting = desk.start(["up", "-d", "--nats", "off", "--port", "0"]);
    await until(() => noted() !== undefined);
    starting.child.kill("SIGKILL");
    await starting.ended;
    while (at(await status(), "engine") === undefined) await sleep(50);
    expect((await desk.run(["down"])).code).toBe(0);
  });

  it("CLI: an engine that dies is started again by the process that stays; what does not start is said", async () => {
    const { pid, url } = ready(await up());
    const [engine = 0] = childrenOf(pid);
    process.kill(engine, "SIGKILL");
    await until(() => readFileSync(data("up.log"), "utf8").includes("runs again at"));
    expect(at(await status(), "engine")).toBe(url);
    const taken = await desk.run(
      ["up", "-d", "--nats", "off", "--port", new URL(url).port, "--data", join(desk.dir, "other")],
      {},
    );
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining("is taken")]);
  });

  it("DOWN-1: an engine in a terminal is not ended by down, which says where to end it", async () => {
    const { engine } = await desk.up();
    const { code, err } = await desk.run(["down"]);
    expect([code, err]).toEqual([1, expect.stringContaining("Ctrl-C")]);
    expect(isAlive(engine.child.pid ?? 0)).toBe(true);
  });
});

describe("the log of an engine in the background", () => {
  it("BOUNDED-LOG-1: is two files of bounded size, with the newest lines", () => {
    mkdirSync(desk.dir, { recursive: true });
    const log = new BoundedLog(join(desk.dir, "up.log"), 1_000);
    for (let n = 0; n < 200; n += 1) log.append(`line ${n} ${"x".repeat(40)}\n`);
    const sizes = ["up.log", "up.log.old"].map((name) => statSync(join(desk.dir, name)).size);
    expect(Math.max(...sizes)).toBeLessThan(1_100);
    expect(readFileSync(log.path, "utf8")).toContain("line 199 ");
    expect(() => new BoundedLog(join(desk.dir, "none", "up.log")).append("x")).not.toThrow();
  });
});

describe("service", () => {
  const run = (...args: string[]): Promise<Ended> =>
    desk.run(["service", ...args, "--for", "systemd"], {
      env: { XDG_CONFIG_HOME: join(desk.dir, "config") },
    });
  const unit = (): string => join(desk.dir, "config", "systemd", "user", "signalbox.service");

  it("CLI: install writes a unit that runs this program on this folder, once; uninstall takes it away", async () => {
    expect((await run("install", "--dry-run")).out).toContain("Would write");
    expect(existsSync(unit())).toBe(false);
    const { out } = await run("install");
    expect(out).toContain("systemctl --user enable --now signalbox");
    expect(out).toContain("if that program moves, run `service install` again");
    const text = readFileSync(unit(), "utf8");
    expect(text).toContain(`ExecStart="${process.execPath}" `);
    expect(text).toMatch(new RegExp(`"up" "--data" "${data()}"$`, "m"));
    expect((await run("print", "--port", "4281", "--nats", "off")).out).toMatch(
      /"--port" "4281" "--nats" "off"$/m,
    );
    expect((await run("print")).out.trimEnd()).toBe(text.trimEnd());
    expect((await run("install")).out).toContain("needs no change");
    expect((await run("uninstall")).code).toBe(0);
    expect(existsSync(unit())).toBe(false);
    expect((await run("uninstall")).out).toContain("There is no");
  });

  it("SERVICE-1: another's file stays", async () => {
    mkdirSync(join(unit(), ".."), { recursive: true });
    writeFileSync(unit(), "[Service]\nExecStart=/bin/true\n");
    for (const action of ["install", "uninstall"]) {
      const { code, err } = await run(action);
      expect([code, err]).toEqual([1, expect.stringContaining("not written by Signalbox")]);
    }
    expect(readFileSync(unit(), "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
  });

  it("SERVICE-TEXT-1: what stands in a path ends no line and no element", () => {
    const odd = '/a "b"/%h $HOME\n[x]</string><&';
    const { text } = serviceOf("systemd", ["/n", odd], "/home/ada", {});
    expect(text.split("\n").find((line) => line.startsWith("ExecStart="))).toBe(
      'ExecStart="/n" "/a \\"b\\"/%%h $$HOME\\n[x]</string><&"',
    );
    const agent = serviceOf("launchd", ["/n", odd], "/Users/ada", {});
    expect(agent.path).toBe("/Users/ada/Library/LaunchAgents/signalbox.plist");
    expect(agent.text.match(/<string>/g)).toHaveLength(3);
    expect(agent.text).toContain("&lt;/string&gt;&lt;&amp;");
  });
});
