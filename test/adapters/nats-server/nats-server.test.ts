// NATS server
// The private server of a data folder: how it is found, what it lets in, who may end it, that it comes back.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { connect, type NatsConnection, nkeyAuthenticator } from "nats";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Binary,
  findNatsServer,
  type PrivateServer,
  runPrivateServer,
  type ServerNews,
} from "../../../adapters/nats-server/index.ts";
import { configText } from "../../../adapters/nats-server/config.ts";
import { commandOf } from "../../../adapters/system/index.ts";
import { natsServerBinary } from "../../support/nats/binary.ts";
import { keys } from "../../support/nats/keys.ts";
import { memberOf, privateOptions, serverPidIn } from "../../support/nats/private.ts";
import { isAlive } from "../../support/processes/processes.ts";

const CHILD = new URL("../../support/nats/private-server-child.ts", import.meta.url).pathname;

let binary: Binary;
let base: string;
let dir: string;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const found = await findNatsServer(dirname(await natsServerBinary()));
  if (!found) throw new Error("The nats-server of the tests does not run.");
  binary = found;
});
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-nats-server-"));
  dir = join(base, "nats");
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(base, { recursive: true, force: true });
});

const pidOf = (): number => serverPidIn(dir);

async function run(onNews: (news: ServerNews) => void = () => undefined): Promise<PrivateServer> {
  const server = await runPrivateServer(await privateOptions(dir, { onNews }));
  closing.push(() => server.stop());
  return server;
}

async function member(port: number): Promise<NatsConnection> {
  const connection = await memberOf(dir, port);
  closing.push(() => connection.close());
  return connection;
}

async function listening(port: number): Promise<Server> {
  const server = createServer((socket) => socket.end("hello\r\n")).listen(port, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return server;
}

/** A port of its own: the default one may be taken by another file's server. */
async function ownPort(): Promise<void> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "port"), `${typeof address === "object" ? address?.port : ""}\n`);
  server.close();
  await once(server, "close");
}

/** Another process that has the folder's server. */
async function owner(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const { publicKey } = await privateOptions(dir);
  const child = spawn(process.execPath, ["--import", "tsx", CHILD, dir, publicKey], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PATH: [dirname(binary.path), process.env["PATH"]].join(delimiter) },
  });
  closing.push(() => child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, port: Number(said.toString()) };
}

describe("finding one", () => {
  test("BINARY-1: the first on the PATH that runs, or in the sbin beside a bin of it; none without a PATH", async () => {
    const folders = ["broken", "foreign", "usr/bin", "usr/sbin"].map((name) => join(base, name));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const [broken = "", foreign = "", bin = "", sbin = ""] = folders;
    writeFileSync(join(broken, "nats-server"), "");
    writeFileSync(join(foreign, "nats-server"), "not for this machine");
    chmodSync(join(foreign, "nats-server"), 0o755);
    expect(await findNatsServer([broken, foreign, bin].join(delimiter))).toBeUndefined();
    symlinkSync(binary.path, join(sbin, "nats-server"));
    expect(await findNatsServer([broken, foreign, bin].join(delimiter))).toEqual({
      path: join(sbin, "nats-server"),
      version: binary.version,
    });
    expect(await findNatsServer("")).toBeUndefined();
    expect(await findNatsServer(undefined)).toBeUndefined();
  });
});

describe("what it lets in", () => {
  test("NATS-SERVER-CONFIG-1: its key and nothing else; on the loopback address alone; its files are their user's", async () => {
    mkdirSync(dir, { mode: 0o755 });
    const { port, url } = await run();
    expect(url).toBe(`nats://127.0.0.1:${port}`);
    const authenticator = nkeyAuthenticator(keys.createUser().getSeed());
    await expect(connect({ port, authenticator, reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(connect({ port, token: "t", reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(connect({ port, reconnect: false })).rejects.toThrow(/authorization/i);
    const { info } = await member(port);
    expect(info).toMatchObject({ jetstream: true, version: binary.version });
    expect(info?.max_payload).toBeGreaterThan(8 * 1024 * 1024);
    const outside = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4");
    if (outside)
      await expect(connect({ servers: `${outside.address}:${port}`, reconnect: false })).rejects.toThrow();
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of ["server.conf", "user.nk", "child"])
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test("NATS-SERVER-CONFIG-1: its key's seed stands in one file alone, and on no command line", async () => {
    await run();
    expect(commandOf(pidOf())).toBe(`${binary.path} -c ${join(dir, "server.conf")}`);
    const seed = readFileSync(join(dir, "user.nk"), "utf8").trim();
    const holding = readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isFile() && readFileSync(join(dir, entry.name), "utf8").includes(seed))
      .map(({ name }) => name);
    expect(holding).toEqual(["user.nk"]);
  });

  test("G3: a server that can, syncs each message; one that would not know the word is not told", () => {
    const of = (version: string): string =>
      configText({ port: 1, publicKey: "U", storeDir: "/s", pidFile: "/p", portsDir: "/d", version });
    for (const version of ["2.9.10", "2.2.0", "1.99.0"]) expect(of(version)).not.toContain("sync_interval");
    for (const version of ["2.10.0", "2.10.29-RC.1", "2.14.1", "3.0.0"])
      expect(of(version)).toContain("sync_interval: always");
  });
});

describe("its port", () => {
  test("CLI: the same at every start, while it is free; else another, which is kept from then on", async () => {
    const first = await run();
    await first.stop();
    const second = await run();
    expect(second.port).toBe(first.port);
    await second.stop();
    await listening(first.port);
    const third = await run();
    expect(third.port).not.toBe(first.port);
    expect(readFileSync(join(dir, "port"), "utf8")).toBe(`${third.port}\n`);
  });

  test("CLI: is waited for a moment, as the threads of a killed server may still have it", async () => {
    await ownPort();
    const kept = Number(readFileSync(join(dir, "port"), "utf8"));
    const other = await listening(kept);
    setTimeout(() => other.close(), 200);
    expect((await run()).port).toBe(kept);
  });
});

describe("who has it", () => {
  test("NATS-SERVER-CLAIM-2: while a live process has the folder another one is refused, and the server goes on", async () => {
    const { child, port } = await owner();
    const server = pidOf();
    await expect(run()).rejects.toMatchObject({
      code: "STORE_BUSY",
      message: expect.stringContaining(base) as string,
    });
    expect([isAlive(server), pidOf()]).toEqual([true, server]);
    await member(port);
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await run()).stop();
    expect(isAlive(server)).toBe(false);
  });

  test("NATS-SERVER-CLAIM-1: what a killed owner left running is ended, and its store is gone on with", async () => {
    await ownPort();
    const { child, port } = await owner();
    const orphan = pidOf();
    const manager = await (await member(port)).jetstreamManager();
    await manager.streams.add({ name: "KEPT", subjects: ["kept"] });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(orphan)).toBe(true);
    const server = await run();
    expect(isAlive(orphan)).toBe(false);
    expect(server.port).toBe(port);
    const after = await (await member(server.port)).jetstreamManager();
    expect((await after.streams.info("KEPT")).config.subjects).toEqual(["kept"]);
  });

  test("NATS-SERVER-CLAIM-1: a process that only has the noted id is left alone, another folder's server too", async () => {
    mkdirSync(dir);
    writeFileSync(join(base, "other.conf"), "");
    const other = spawn(binary.path, ["-a", "127.0.0.1", "-p", "-1", "-c", join(base, "other.conf")], {
      stdio: "ignore",
    });
    const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
    closing.push(
      () => other.kill("SIGKILL"),
      () => stranger.kill("SIGKILL"),
    );
    for (const { pid } of [stranger, other]) {
      // An owner that is long gone: the id may be in use again, the mark is not its own.
      writeFileSync(join(dir, "owner"), `${stranger.pid} another mark\n`);
      writeFileSync(join(dir, "pid"), `${pid}`);
      await (await run()).stop();
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    }
    expect(other.signalCode).toBeNull();
  });
});

describe("its life", () => {
  test("PRIVATE-SERVER-3: killed with -9 it comes back on the same port, with what was stored", async () => {
    const news: string[] = [];
    const { port } = await run(({ type }) => news.push(type));
    const before = await member(port);
    await (await before.jetstreamManager()).streams.add({ name: "KEPT", subjects: ["kept"] });
    await before.jetstream().publish("kept", "one");
    for (const times of [1, 2]) {
      process.kill(pidOf(), "SIGKILL");
      await expect.poll(() => news, { timeout: 20_000 }).toHaveLength(2 * times);
    }
    expect(news).toEqual(["down", "up", "down", "up"]);
    const manager = await (await member(port)).jetstreamManager();
    expect((await manager.streams.info("KEPT")).state.messages).toBe(1);
  });

  test("PRIVATE-SERVER-2: it ends when it is told to, and leaves no process", async () => {
    const news: string[] = [];
    const server = await run(({ type }) => news.push(type));
    const pid = pidOf();
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(news).toEqual([]);
  });

  test("PRIVATE-SERVER-2: told to end while it is down, it does not come back", async () => {
    const news: string[] = [];
    const server = await run(({ type }) => news.push(type));
    const pid = pidOf();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => news).toEqual(["down"]);
    await server.stop();
    expect([isAlive(pidOf()), news]).toEqual([false, ["down"]]);
  });

  test("PRIVATE-SERVER-3: one that does not come up is told, with its own last words and what else can be done", async () => {
    const path = join(base, "nats-server");
    writeFileSync(path, "#!/bin/sh\necho '[1] 2026/01/01 00:00:00 [FTL] the reason' >&2\nexit 1\n", {
      mode: 0o755,
    });
    await expect(
      runPrivateServer(await privateOptions(dir, { binary: { path, version: "2.9.10" } })),
    ).rejects.toMatchObject({
      code: "NATS_NOT_UP",
      message: expect.stringMatching(/the reason/) as string,
      next: expect.stringMatching(/SIGNALBOX_NATS_URL.*--nats off/) as string,
    });
    // It let go of the folder.
    await run();
  });
});
