// Impostor
// Another account of the machine takes the private server's port while it is down: what an engine and a service send it.
//
//   Owns:          the attacks, on a real server, with the engine's link and the service's client.
//   Does not own:  what each part checks (child.test.ts, handshake.test.ts).

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, connect } from "../../../adapters/client.ts";
import { natsKeyAt } from "../../../adapters/composition/nats-key.ts";
import {
  keyFileOf,
  type PrivateServer,
  runPrivateServer,
  type ServerNews,
} from "../../../adapters/nats-server/index.ts";
import { connectNats, type NatsLink } from "../../../adapters/nats/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { type OtherAccount, otherAccount } from "../../support/nats/other-account.ts";
import { memberOf, privateOptions, serverPidIn } from "../../support/nats/private.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const CHILD = new URL("../../support/nats/private-server-child.ts", import.meta.url).pathname;
const WAIT = { timeout: 20_000 };

let base: string;
let dir: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-impostor-"));
  dir = join(base, "nats");
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(base, { recursive: true, force: true });
});

async function run(onNews: (news: ServerNews) => void = () => undefined): Promise<PrivateServer> {
  const server = await runPrivateServer(await privateOptions(dir, { onNews }));
  closing.push(() => server.stop());
  return server;
}

function attacker(port: number, real?: number): OtherAccount {
  const other = otherAccount(port, real);
  closing.push(() => other.end());
  return other;
}

/** What the engine's process does with its journal's server. */
async function engineAt(url: string): Promise<NatsLink> {
  const key = await natsKeyAt(keyFileOf(dir));
  const onFatal = (error: Error): never => {
    throw error;
  };
  const link = await connectNats({
    url,
    key,
    clients,
    sealKey: new Uint8Array(32),
    clock: systemClock(),
    onFatal,
  });
  closing.push(() => link.close());
  return link;
}

async function serviceAt(url: string, deadlineMs = 20_000): Promise<Client> {
  const client = await connect({
    url,
    nkey: keyFileOf(dir),
    workspace: "chat",
    source: "/s",
    deadlineMs,
  });
  closing.push(() => client.close());
  return client;
}

/** Neither an engine nor a service that starts now says anything to whoever listens there. */
async function refusedAt(url: string): Promise<void> {
  await expect(engineAt(url)).rejects.toMatchObject({
    code: "NATS_UNAVAILABLE",
    message: expect.stringMatching(
      /private NATS server does not run on port \d+; Signalbox sends nothing to whatever else listens there/,
    ) as string,
  });
  await expect(serviceAt(url, 1_000)).rejects.toMatchObject({
    code: "NOT_CONNECTED",
    message: expect.stringContaining("sends nothing to whatever else") as string,
  });
}

describe("while the server is down", () => {
  test("NATS-HANDSHAKE-1, NATS-HANDSHAKE-2: killed with -9, its port taken: those connected stay silent and go on when it is back", async () => {
    const news: string[] = [];
    const { url, port } = await run((each) => news.push(each.type === "down" ? each.why : each.type));
    const [engine, service] = [await engineAt(url), await serviceAt(url)];
    const other = attacker(port);
    process.kill(serverPidIn(dir), "SIGKILL");
    await other.taken;
    const sent = service.session("s1").publish("session.started", { title: "s3cret" });
    await expect(sent).rejects.toMatchObject({ obligation: "retry" });
    await refusedAt(url);
    await expect.poll(() => news.join("\n"), WAIT).toContain("address already in use");
    expect([other.lines, engine.connection.isClosed()]).toEqual([[], false]);
    await other.end();
    await expect.poll(() => news.at(-1), WAIT).toBe("up");
    await expect
      .poll(
        () =>
          engine.connection.flush().then(
            () => "there",
            () => "away",
          ),
        WAIT,
      )
      .toBe("there");
    await expect
      .poll(
        () =>
          service
            .session("s1")
            .publish("session.started", {})
            .then(
              () => "taken",
              () => "not",
            ),
        WAIT,
      )
      .toBe("taken");
  });

  test("NATS-HANDSHAKE-1: stopped in order, its port taken: nobody who starts says anything there", async () => {
    const server = await run();
    await server.stop();
    const { url, port } = server;
    const other = attacker(port);
    await other.taken;
    await refusedAt(url);
    expect(other.lines).toEqual([]);
    // A library that does not look is let in, and says all: so the silence before means something.
    await (await memberOf(dir, port)).close();
    await expect.poll(() => other.lines.join("\n")).toContain("CONNECT");
  });

  test("NATS-HANDSHAKE-1: its supervisor and it killed, with all their files left: these prove nothing, nor with a number that lives again", async () => {
    const { owner, port } = await owned();
    const pid = serverPidIn(dir);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await serviceAt(`nats://127.0.0.1:${port}`);
    process.kill(pid, "SIGKILL");
    const other = attacker(port);
    await other.taken;
    expect(readdirSync(dir)).toEqual(expect.arrayContaining(["child", `nats-server_${pid}.ports`]));
    await refusedAt(`nats://127.0.0.1:${port}`);
    // As if this test's own process had been given the dead one's number.
    const mark = markOf(process.pid) ?? "";
    renameSync(join(dir, `nats-server_${pid}.ports`), join(dir, `nats-server_${process.pid}.ports`));
    writeFileSync(join(dir, "child"), `${process.pid} ${mark.replace(/\d+$/, "1")}\n`);
    await refusedAt(`nats://127.0.0.1:${port}`);
    expect(other.lines).toEqual([]);
  });
});

describe("a relay", () => {
  test("NATS-HANDSHAKE-1: on another port, before the live server, it is not believed", async () => {
    const { port } = await run();
    const other = attacker(0, port);
    await refusedAt(`nats://127.0.0.1:${await other.taken}`);
    expect(other.lines).toEqual([]);
  });

  test("NATS-HANDSHAKE-1: on the old port, before the server that had to take another one, it is not believed", async () => {
    const first = await run();
    await first.stop();
    const waiting = attacker(first.port);
    await waiting.taken;
    const second = await run();
    expect(second.port).not.toBe(first.port);
    await waiting.end();
    const relay = attacker(first.port, second.port);
    await relay.taken;
    await refusedAt(first.url);
    expect(relay.lines).toEqual([]);
    await serviceAt(second.url);
  });
});

/** The server of another supervisor. */
async function owned(): Promise<{ readonly owner: ChildProcess; readonly port: number }> {
  const { publicKey, binary } = await privateOptions(dir);
  const owner = spawn(process.execPath, ["--import", "tsx", CHILD, dir, publicKey], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PATH: [dirname(binary.path), process.env["PATH"]].join(delimiter) },
  });
  closing.push(() => owner.kill("SIGKILL"));
  const [said] = (await once(owner.stdout, "data")) as [Buffer];
  return { owner, port: Number(said.toString()) };
}
