// Trust in a NATS server
// The program as its users run it, and a server that is not the one it should be.

import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { natsServerBinary } from "../../../support/nats/binary.ts";
import { type EncryptedServer, encryptedServer, TOKEN } from "../../../support/nats/encrypted.ts";
import { impostor } from "../../../support/nats/impostor.ts";
import { otherAccount } from "../../../support/nats/other-account.ts";
import { serverPidIn } from "../../../support/nats/private.ts";
import { createRequests, isReady, requestIds } from "../../../support/processes/load.ts";
import { build, Desk } from "../../../support/processes/program.ts";
import { personAt } from "../../../support/http/person.ts";

/** Leads to this machine, and is not its loopback. */
const REMOTE = "0.0.0.0";
let desk: Desk;
let secure: EncryptedServer;
beforeAll(async () => {
  await build();
  secure = await encryptedServer(REMOTE);
}, 180_000);
afterAll(() => secure.server.dispose());
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

const file = (...names: readonly string[]): string =>
  readFileSync(join(desk.dir, "data", ...names), "utf8").trim();

describe("a server on another machine", () => {
  it("NATS-SERVERS-1: without TLS it ends the start with the way out, and hears nothing", async () => {
    const plain = await impostor({ host: REMOTE });
    const url = `nats://engine:passw0rd@${REMOTE}:${plain.port}`;
    const { code, out, err } = await desk.run(["up", "--port", "0"], { env: { SIGNALBOX_NATS_URL: url } });
    expect([code, out, err]).toEqual([
      1,
      "",
      expect.stringMatching(/offers no TLS[^]*certificate[^]*ssh -L/),
    ]);
    expect([plain.heard, err.includes("passw0rd")]).toEqual(["", false]);
    await plain.close();
  });

  it("NATS-SERVERS-1: with a certificate for its host, of an authority that the machine trusts, it is used", async () => {
    const env = { SIGNALBOX_NATS_URL: `nats://${TOKEN}@${REMOTE}:${secure.server.port}` };
    const distrusted = await desk.run(["up", "--port", "0"], { env });
    expect([distrusted.code, distrusted.err]).toEqual([
      1,
      expect.stringMatching(/does not prove who it is[^]*NODE_EXTRA_CA_CERTS/),
    ]);
    const elsewhere = { SIGNALBOX_NATS_URL: `tls://${TOKEN}@localhost:${secure.server.port}` };
    const other = await desk.run(["up", "--port", "0"], {
      env: { ...elsewhere, NODE_EXTRA_CA_CERTS: secure.caFile },
    });
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringMatching(/does not prove who it is: Hostname\/IP does not match/),
    ]);
    const engine = desk.start(["up", "--port", "0"], { env: { ...env, NODE_EXTRA_CA_CERTS: secure.caFile } });
    await engine.said(/^The journal is the NATS server at [^]*runs at http/);
  });
});

describe("the private server", () => {
  it("NATS-HANDSHAKE-1, NATS-HANDSHAKE-2: killed, its port taken by another account: the engine waits, says nothing there, and goes on", async () => {
    const path = [dirname(await natsServerBinary()), process.env["PATH"]].join(delimiter);
    const engine = desk.start(["up", "--port", "0"], { env: { PATH: path } });
    const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
    await personAt(join(desk.dir, "data"), url);
    const door = { url, token: file("tokens", "looker") };
    await createRequests(door, "a", 2, 1);
    const other = otherAccount(Number(file("nats", "port")));
    process.kill(serverPidIn(join(desk.dir, "data", "nats")), "SIGKILL");
    await other.taken;
    await expect.poll(() => isReady(door), { timeout: 20_000 }).toBe(false);
    await engine.said(/address already in use/);
    expect(other.lines).toEqual([]);
    await other.end();
    await expect.poll(() => isReady(door), { timeout: 60_000 }).toBe(true);
    await createRequests(door, "b", 2, 1);
    expect(await requestIds(door)).toEqual(["a-0", "a-1", "b-0", "b-1"]);
    // The same process all the while.
    expect(engine.err).not.toMatch(/The engine stopped/);
  });
});
