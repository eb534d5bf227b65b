// Up
// The engine as its users run it: started, killed, started twice, out of space, stopped.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../support/http/free-port.ts";
import { textAt } from "../../../support/engine/json.ts";
import { engineOf, isAlive } from "../../../support/processes/processes.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { recordingPath } from "../../../support/sessions/recording.ts";
import { thisMachine } from "../../../../adapters/system/index.ts";
import { bySocket } from "../../../support/http/by-socket.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

/** A PATH with a nats-server that tells when it is run. */
function trap(): string {
  const path = join(desk.dir, "bin");
  mkdirSync(path);
  const script = `#!/bin/sh\n: > '${join(desk.dir, "asked")}'\necho nats-server: v2.10.0\n`;
  writeFileSync(join(path, "nats-server"), script, { mode: 0o755 });
  return [path, process.env["PATH"]].join(delimiter);
}

const callsOf = (out: string) =>
  jsonLines(out).map((line) => [textAt(line, "id"), textAt(line, "execution")].join(" "));
const SESSION = "08ae6fb8-f708-4d38-b0f1-079c391bd7f6";

describe("up", () => {
  it("CLI, ENTRANCE-1, BEHIND-2: it says where it runs and what to do next, on a screen with a link; its key opens nothing", async () => {
    const { engine, url } = await desk.up();
    await engine.said(/opens the panel in a browser/);
    expect(engine.out).toContain("npx signalbox watch");
    expect(engine.out).not.toMatch(/code=|\.localhost/);
    const data = join(desk.dir, "data");
    const lineKey = readFileSync(join(data, "line-key"), "utf8").trim();
    const headers = { Authorization: `Bearer ${lineKey}` };
    expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(401);
    expect((await fetch(`${url}/v1/sessions`)).status).toBe(401);
    expect((await bySocket(data)("/v1/sessions")).status).toBe(200);
    expect(engine.out).not.toContain(lineKey);
  });

  it("CLI: each command that it prints reaches this engine, from a fresh shell", async () => {
    const { engine } = await desk.up();
    await engine.said(/opens the panel in a browser/);
    const printed = [...engine.out.matchAll(/^ {2}npx signalbox (.*)$/gm)].map(([, line = ""]) => line);
    const typed = (line: string) => line.split(" ").map((word) => word.replace(/^'(.*)'$/, "$1"));
    const [replay = ""] = printed;
    expect((await desk.run(typed(replay), { env: { SIGNALBOX_DATA: "" } })).code).toBe(0);
    const { out } = await desk.run(["ls", "calls", SESSION, "--json"]);
    expect(callsOf(out)).toHaveLength(10);
    for (const line of printed) expect(line).toContain(`--data '${join(desk.dir, "data")}'`);
  });

  it("CLI, SOCKET-1: only its user can reach into the data folder, its key and its socket; a second start keeps the key", async () => {
    const [folder, path] = [join(desk.dir, "data"), join(desk.dir, "data", "line-key")];
    const { engine } = await desk.up();
    const lineKey = readFileSync(path, "utf8");
    const modes = [folder, path, join(folder, "engine.sock")].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    engine.child.kill("SIGTERM");
    await engine.ended;
    await desk.up();
    expect(readFileSync(path, "utf8")).toBe(lineKey);
  });

  it("LINE-KEY-1: the token of an earlier version opens nothing, and goes at the first start", async () => {
    const path = join(desk.dir, "data", "token");
    mkdirSync(join(desk.dir, "data"), { mode: 0o700 });
    writeFileSync(path, "a-token-that-others-may-know\n", { mode: 0o600 });
    const { url } = await desk.up();
    expect(existsSync(path)).toBe(false);
    const headers = { Authorization: "Bearer a-token-that-others-may-know" };
    expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(401);
  });

  it("G3, G56: after kill -9 the engine restarts, and everything acknowledged is there", async () => {
    const { engine, url } = await desk.up();
    expect(
      (await desk.run(["replay", "--url", url, recordingPath("s1-ten-allowed", "hooks.jsonl")])).code,
    ).toBe(0);
    const before = callsOf((await desk.run(["ls", "calls", SESSION, "--json"])).out);
    expect(before).toHaveLength(10);
    engine.forget();
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/stopped: it was ended by SIGKILL/);
    // It took any free port, and can be found there again.
    const [, again] = await engine.said(/runs again at (http:\/\/[\d.]+:\d+)/);
    expect(again).toBe(url);
    expect(callsOf((await desk.run(["ls", "calls", SESSION, "--json"])).out)).toEqual(before);
  });

  it("CLI, POLICY-FILE-1: a policy answers, as it was read at the start, also after kill -9; a replay agrees", async () => {
    const policy = join(desk.dir, "p.cedar");
    const write = (kind: string): void =>
      writeFileSync(policy, `@id("all") ${kind} (principal, action, resource);`);
    const by = async (id: string): Promise<unknown> => {
      await desk.emit("approval.requested", { approvalId: id, tool: "Bash", input: { command: "ls" } });
      const shown = async () => jsonLines((await desk.run(["show", id, "--json"])).out)[0];
      await expect.poll(async () => textAt(await shown(), "by")).toBeDefined();
      return textAt(await shown(), "message");
    };
    write("permit");
    const { engine } = await desk.up("--cedar", policy);
    expect(await by("a1")).toMatch(/^Allowed by all of policy [0-9a-f]{12}, read by cedar /);
    write("forbid");
    engine.forget();
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/runs again at/);
    expect(await by("a2")).toMatch(/^Allowed by all /);
    engine.child.kill("SIGTERM");
    await engine.ended;
    expect((await desk.run(["verify"])).out).toMatch(/ compared, 0 differ/);
  });

  it("SUPERVISOR-1: an engine whose supervisor was killed ends by itself and releases its folder", async () => {
    const { engine } = await desk.up();
    const child = engineOf(engine);
    engine.child.kill("SIGKILL");
    await engine.ended;
    await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
    await desk.up();
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "SUPERVISOR-2: %s, twice at once as npm passes it on, ends it in order, with exit code 0",
    async (signal) => {
      const { engine } = await desk.up();
      engine.child.kill(signal);
      engine.child.kill(signal);
      const { code, out } = await engine.ended;
      expect([code, out]).toEqual([0, expect.stringMatching(/\nStopped in order\.\n$/)]);
    },
  );

  it("CLI: the first line names the journal, once the engine has read from it", async () => {
    const { engine, url } = await desk.up();
    expect(engine.out).toMatch(/^The journal is the built-in one .*\nSignalbox runs at /);
    const { port } = new URL(url);
    const refused = await desk.run(["up", "--port", port, "--data", join(desk.dir, "other")]);
    expect([refused.code, refused.out]).toEqual([1, ""]);
  });

  it("G6: it recognises that another folder's engine has its old address", async () => {
    const { url } = await desk.up();
    const other = join(desk.dir, "other");
    mkdirSync(other, { mode: 0o700 });
    writeFileSync(join(other, "line-key"), "another\n", { mode: 0o600 });
    writeFileSync(join(other, "address"), `${url}\nstart ${thisMachine()}\n`, { mode: 0o600 });
    const { engine } = await desk.up("--data", other);
    await engine.said(/runs at/);
  });

  it("G6: a second engine on one data folder is refused, and the first goes on", async () => {
    const { url } = await desk.up();
    const filesOf = () => readdirSync(join(desk.dir, "data"), { recursive: true }).toSorted();
    const before = filesOf();
    const second = await desk.run(["up", "--port", "0"], { env: { PATH: trap() } });
    expect(second).toEqual({
      code: 1,
      out: "",
      err: `An engine already runs on ${join(desk.dir, "data")}, at ${url}.\nEnd the engine where it was started: press Ctrl-C there, or stop the service that keeps it running; or give the new engine another folder with --data.\n`,
    });
    expect([filesOf(), existsSync(join(desk.dir, "asked"))]).toEqual([before, false]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it("CLI, COMPOSE-1: a port in use is refused by its number", async () => {
    const { url } = await desk.up();
    const { port } = new URL(url);
    const second = await desk.run(["up", "--port", port, "--data", join(desk.dir, "other")]);
    expect(second.code).toBe(1);
    expect(second.err).toMatch(new RegExp(`Port ${port} .* taken`));
    expect(second.err).toMatch(/--port/);
  });

  it("CLI, LAUNCH-2: commands find an engine on another port by its data folder", async () => {
    await desk.up();
    expect(await desk.run(["ls"])).toEqual({ code: 0, out: "No sessions yet.\n", err: "" });
  });

  it("CLI, SERVE-1: a data folder that cannot be made is reported, and not tried again", async () => {
    writeFileSync(join(desk.dir, "file"), "");
    const { code, err } = await desk.run(["up", "--port", "0", "--data", join(desk.dir, "file", "data")]);
    expect(code).toBe(1);
    expect(err).toMatch(/ENOTDIR/);
  });

  it.runIf(existsSync("/proc/self"))(
    "CLI, SERVE-1: a data folder where nothing can be made is refused in plain words, in a terminal and in the background",
    async () => {
      for (const detach of [[], ["-d"]]) {
        const { code, out, err } = await desk.run(["up", ...detach, "--port", "0", "--data", "/proc/foo"]);
        expect([code, out]).toEqual([1, ""]);
        expect(err).toMatch(/^The folder \/proc\/foo cannot be used: /);
        expect(err).toContain("Choose another folder with --data");
        expect(err).not.toMatch(/^ +at /m);
      }
    },
  );

  const MOUNT = ["unshare", "-rm"];
  const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

  it.runIf(canMount)(
    "G3: on a full disk it stays up, not ready, and goes on once there is room",
    async () => {
      const script = [
        'mkdir -p "$SIGNALBOX_DATA"; mount -t tmpfs -o size=4m,mode=700 none "$SIGNALBOX_DATA"',
        'head -c 3800000 /dev/zero > "$SIGNALBOX_DATA/fill"',
        '"$@" & engine=$!',
        'read go; echo room made; rm "$SIGNALBOX_DATA/fill"; wait $engine',
      ].join("\n");
      const port = await freePort();
      const engine = desk.start(["up", "--nats", "off", "--port", String(port)], {
        before: [...MOUNT, "sh", "-c", script, "sh"],
        keepInput: true,
      });
      await engine.said(/disk under .* is full/);
      const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      expect([await status("/livez"), await status("/readyz")]).toEqual([200, 503]);
      engine.child.stdin?.end("go\n");
      await engine.said(/runs at/);
      expect(await status("/readyz")).toBe(200);
      spawnSync("kill", ["-TERM", String(engineOf(engine))]);
    },
  );
});
