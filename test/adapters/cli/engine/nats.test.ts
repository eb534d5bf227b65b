// On NATS
// The program on NATS as its users run it: which server it takes, and what remains when server, engine or both are
// killed.
//
// One engine, one server and the load are separate processes; afterwards the test looks for everything acknowledged.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { connect } from "nats";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commandOf } from "../../../../adapters/system/index.ts";
import { engineOf, isAlive } from "../../../support/processes/processes.ts";
import { freePort } from "../../../support/http/free-port.ts";
import { createRequests, isReady, metric, requestIds, sendHook } from "../../../support/processes/load.ts";
import { build, Desk, type Started } from "../../../support/processes/program.ts";
import { natsServerBinary } from "../../../support/nats/binary.ts";
import { memberOf } from "../../../support/nats/private.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { personAt } from "../../../support/http/person.ts";

let desk: Desk;
/** A PATH with a nats-server on it. */
let path: string;
let shared: NatsServer;

beforeAll(async () => {
  await build();
  path = [dirname(await natsServerBinary()), process.env["PATH"]].join(delimiter);
  shared = await natsServer(["--auth", "t0ken"]);
}, 180_000);
afterAll(() => shared.dispose());
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

const file = (...names: readonly string[]): string =>
  readFileSync(join(desk.dir, "data", ...names), "utf8").trim();
const sharedUrl = (): string => shared.url.replace("//", "//t0ken@");

async function up(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const engine = desk.start(["up", "--port", "0", ...args], { env });
  const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
  await personAt(join(desk.dir, "data"), url);
  return { engine, door: { url, token: file("tokens", "looker") } };
}

/** The line that names the journal. */
const lineOf = ({ out }: Started): string =>
  out.split("\n").find((line) => line.startsWith("The journal is")) ?? "";
const serverPid = (): number => Number(file("nats", "pid"));

describe("which server", () => {
  it("CLI: auto takes the server that SIGNALBOX_NATS_URL names, prints it without the token, and keeps it at the next start", async () => {
    const env = { SIGNALBOX_NATS_URL: sharedUrl(), PATH: path };
    const { engine, door } = await up(env);
    expect(lineOf(engine)).toMatch(
      new RegExp(`NATS server at nats://127.0.0.1:${shared.port} .SIGNALBOX_NATS_URL`),
    );
    expect(engine.out + engine.err).not.toContain("t0ken");
    // G11: the token gives access to the journal.
    await engine.said(/^The engine has no account of its own on the NATS server.*ops\/nats\/README\.md.*$/m);
    await createRequests(door, "a", 3, 1);
    engine.child.kill("SIGTERM");
    expect((await engine.ended).code).toBe(0);
    const again = await up(env);
    expect(await requestIds(again.door)).toEqual(["a-0", "a-1", "a-2"]);
    again.engine.child.kill("SIGTERM");
    await again.engine.ended;
    // Its journal is only there.
    const off = await desk.run(["up", "--port", "0", "--nats", "off"]);
    expect([off.code, off.err]).toEqual([
      1,
      expect.stringMatching(/has read from the NATS server at.*\n.*--adopt-journal/),
    ]);
    const unnamed = await desk.run(["up", "--port", "0"]);
    expect([unnamed.code, unnamed.err]).toEqual([1, expect.stringMatching(/SIGNALBOX_NATS_URL is not set/)]);
  });

  it("CLI: auto takes a nats-server on the PATH, keeps it private, and tells others how to reach it", async () => {
    const { engine, door } = await up({ PATH: path });
    const port = file("nats", "port");
    expect(lineOf(engine)).toMatch(new RegExp(`private NATS server at 127.0.0.1:${port} .nats-server \\d`));
    await engine.said(/opens the panel in a browser/);
    const data = join(desk.dir, "data");
    expect(engine.out).toContain(
      `export SIGNALBOX_NATS_URL=nats://127.0.0.1:${port} SIGNALBOX_NATS_NKEY='${data}/nats/user.nk'\n`,
    );
    expect(engine.out + engine.err).not.toContain(file("nats", "user.nk"));
    expect(commandOf(engineOf(engine))).toMatch(/--journal private$/);
    await createRequests(door, "a", 2, 1);
    const readme = readFileSync(join(import.meta.dirname, "..", "..", "..", "..", "README.md"), "utf8");
    for (const name of readdirSync(data))
      expect(
        [`\`${name}\``, `\`${name}/\``].some((one) => readme.includes(one)),
        name,
      ).toBe(true);
    const pid = serverPid();
    engine.child.kill("SIGTERM");
    expect((await engine.ended).code).toBe(0);
    expect(engine.out + engine.err).not.toContain("ops/nats");
    expect(isAlive(pid)).toBe(false);
    const again = await up({ PATH: path, SIGNALBOX_NATS_URL: "nats://127.0.0.1:1" });
    expect(lineOf(again.engine)).toMatch(/private.*SIGNALBOX_NATS_URL is ignored/);
    expect(await requestIds(again.door)).toEqual(["a-0", "a-1"]);
  });

  it("CLI, NATS-SERVER-CONFIG-1: an earlier version's token lets nobody in any more, and is gone", async () => {
    const old = join(desk.dir, "data", "nats-token");
    mkdirSync(join(old, ".."), { mode: 0o700 });
    writeFileSync(old, "t0ken-of-before\n", { mode: 0o600 });
    await up({ PATH: path });
    expect(existsSync(old)).toBe(false);
    const port = Number(file("nats", "port"));
    await expect(connect({ port, token: "t0ken-of-before", reconnect: false })).rejects.toThrow(
      /authorization/i,
    );
  });

  it("CLI, G55: with neither, auto takes the built-in journal and stays with it until told to move; nothing is lost then", async () => {
    const { engine, door } = await up({ PATH: desk.dir });
    expect(lineOf(engine)).toMatch(/built-in one \(.*no nats-server.*install nats-server/);
    await createRequests(door, "a", 2, 1);
    engine.child.kill("SIGTERM");
    await engine.ended;
    const same = await up({ PATH: path });
    expect(lineOf(same.engine)).toMatch(/built-in one \(this folder was begun with it\).*--adopt-journal/);
    same.engine.child.kill("SIGTERM");
    await same.engine.ended;
    const moved = await up({ PATH: path }, "--adopt-journal", "--port", String(await freePort()));
    expect(lineOf(moved.engine)).toMatch(/private NATS server/);
    await createRequests(moved.door, "b", 2, 1);
    moved.engine.forget();
    process.kill(engineOf(moved.engine), "SIGKILL");
    await moved.engine.said(/runs again at/);
    expect(await requestIds(moved.door)).toEqual(["a-0", "a-1", "b-0", "b-1"]);
  });

  it("G6: a second start on the folder of a private server is refused, and the first goes on", async () => {
    const { door } = await up({ PATH: path });
    const server = serverPid();
    const second = await desk.run(["up", "--port", "0"], { env: { PATH: path } });
    expect([second.code, second.out, second.err]).toEqual([
      1,
      "",
      expect.stringMatching(/^An engine already runs on [^]*, at http:[^]*--data/),
    ]);
    expect([await isReady(door), isAlive(server)]).toEqual([true, true]);
  });

  it("CLI: while a server does not answer, up waits: it says so, is not ready, answers hooks; then it goes on by itself", async () => {
    const late = await natsServer();
    await late.kill();
    const engine = desk.start(["up", "--port", "0", "--nats", late.url], { env: { SIGNALBOX_LOG: "info" } });
    await engine.said(/NATS server at nats:\/\/127\.0\.0\.1:\d+ does not answer[^]*the engine tries again/);
    expect(engine.out).toBe("");
    await late.start();
    await engine.said(/^The journal is the NATS server at [^]*runs at (http:\S+\d)/);
    await late.dispose();
  });

  it("CLI: a wrong token, or an invalid address, ends the start with what to do", async () => {
    const wrong = await desk.run(["up", "--port", "0"], {
      env: { SIGNALBOX_NATS_URL: shared.url.replace("//", "//wrong@") },
    });
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      1,
      "",
      expect.stringMatching(/does not let this user in[^]*Check the user, password or token/),
    ]);
    const missing = await desk.run(["up", "--port", "0"], { env: { SIGNALBOX_NATS_URL: shared.url } });
    expect(missing.err).toMatch(
      /does not let this user in[^]*The NATS server wants a user, a token or a key/,
    );
    expect(missing.err).not.toContain("password");
    const none = await desk.run(["up", "--nats", "on"]);
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringMatching(/must be the address of a NATS server[^]*auto and off/),
    ]);
  });
});

describe("while the server is away", () => {
  it("WRITING-2: not ready, reported once; hooks are answered {} at once; it goes on when the server is back", async () => {
    const { engine, door } = await up({ PATH: path });
    await createRequests(door, "a", 1, 1);
    // Stays away: the supervisor restarts it, but it cannot listen.
    process.kill(serverPid(), "SIGSTOP");
    const stopped = serverPid();
    const hook = { session_id: "s1", hook_event_name: "Stop", cwd: "/home/dev/shop", prompt_id: "p" };
    expect(await sendHook(door, hook)).toMatchObject({
      status: 200,
      body: {},
      dropped: expect.any(String) as string,
    });
    process.kill(stopped, "SIGKILL");
    await engine.said(/nats is away/);
    await engine.said(/nats is back/);
    await expect.poll(() => isReady(door), { timeout: 20_000 }).toBe(true);
    await createRequests(door, "b", 1, 1);
    expect(await requestIds(door)).toEqual(["a-0", "b-0"]);
  });
});

/** The stream of changes: each session's versions, in stream order. */
async function publishedVersions(): Promise<ReadonlyMap<string, readonly number[]>> {
  const connection = await memberOf(join(desk.dir, "data", "nats"), Number(file("nats", "port")));
  try {
    const { streams } = await connection.jetstreamManager();
    const { last_seq: last } = (await streams.info("SIGNALBOX_STATE")).state;
    const found = new Map<string, number[]>();
    for (let seq = 1; seq <= last; seq += 1) {
      const { sessionId, version } = (await streams.getMessage("SIGNALBOX_STATE", { seq })).json<{
        sessionId: string;
        version: number;
      }>();
      found.set(sessionId, [...(found.get(sessionId) ?? []), version]);
    }
    return found;
  } finally {
    await connection.close();
  }
}

const counted = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `r-${i}`).sort();

describe("under load", () => {
  it("S1.6: of 1,000 requests at once over 50 sessions none is missing, and each change is published once and in order", async () => {
    const { door } = await up({ PATH: path });
    const outcomes = await createRequests(door, "r", 1_000, 50);
    expect(new Set(outcomes)).toEqual(new Set(["applied"]));
    expect(await requestIds(door)).toEqual(counted(1_000));
    await expect.poll(() => metric(door, "signalbox_outlet_lag"), { timeout: 30_000 }).toBe(0);
    const sessions = [...(await publishedVersions()).values()];
    expect(sessions).toHaveLength(50);
    for (const versions of sessions) expect(versions).toEqual(versions.map((_, i) => i + 1));
    expect(sessions.flat()).toHaveLength(await metric(door, "signalbox_changes_total"));
  });

  const kills: Readonly<Record<string, (engine: Started) => void>> = {
    "the server": () => process.kill(serverPid(), "SIGKILL"),
    "the engine": (engine) => process.kill(engineOf(engine), "SIGKILL"),
    both: (engine) => {
      process.kill(serverPid(), "SIGKILL");
      process.kill(engineOf(engine), "SIGKILL");
    },
  };

  it.each(Object.entries(kills))(
    "G1, G3, PRIVATE-SERVER-1: kill -9 of %s, twice: everything accepted is there once, and is published in order",
    async (_, kill) => {
      const { engine, door } = await up({ PATH: path }, "--port", String(await freePort()));
      const sent = createRequests(door, "r", 400, 20);
      for (const share of [0.2, 0.5]) {
        const count = async () => metric(door, "signalbox_journal_position").catch(() => 0);
        await expect.poll(count, { timeout: 40_000, interval: 5 }).toBeGreaterThan(400 * share);
        kill(engine);
        await expect.poll(() => isReady(door), { timeout: 40_000 }).toBe(false);
        await expect.poll(() => isReady(door), { timeout: 40_000 }).toBe(true);
      }
      for (const outcome of await sent) expect(["applied", "duplicate"]).toContain(outcome);
      expect(await requestIds(door)).toEqual(counted(400));
      expect(await metric(door, "signalbox_dead_letters_total")).toBe(0);
      await expect.poll(() => metric(door, "signalbox_outlet_lag"), { timeout: 30_000 }).toBe(0);
      const sessions = [...(await publishedVersions()).values()];
      for (const versions of sessions) {
        // What a consumer that keeps the last version sees: each change once.
        const seen = versions.filter((version, i) => version > Math.max(0, ...versions.slice(0, i)));
        expect(seen).toEqual(seen.map((_, i) => i + 1));
      }
      expect(new Set(sessions.flat()).size).toBeGreaterThan(1);
    },
  );

  it("NATS-SERVER-CLAIM-1: after kill -9 of the supervisor, the next start ends the old engine and server, and all goes on", async () => {
    const { engine, door } = await up({ PATH: path });
    await createRequests(door, "r", 20, 2);
    const [server, child] = [serverPid(), engineOf(engine)];
    engine.child.kill("SIGKILL");
    await engine.ended;
    await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
    const again = await up({ PATH: path });
    expect(serverPid()).not.toBe(server);
    expect(isAlive(server)).toBe(false);
    expect(await requestIds(again.door)).toEqual(counted(20));
  });

  it("DOOR-2: the same key before and after a restart of both is one input with one answer", async () => {
    const { engine, door } = await up({ PATH: path }, "--port", String(await freePort()));
    const first = await createRequests(door, "r", 1, 1);
    const position = await metric(door, "signalbox_journal_position");
    engine.forget();
    process.kill(serverPid(), "SIGKILL");
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/runs again at/);
    expect(await createRequests(door, "r", 1, 1)).toEqual(first);
    expect(await metric(door, "signalbox_journal_position")).toBe(position);
  });
});
