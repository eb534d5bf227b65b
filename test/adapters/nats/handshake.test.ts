// Handshake
// What is sent to whom: the key only to the server that it is for, at the first connect and at every later one.

import { createPublicKey, verify } from "node:crypto";
import { connect, type NatsConnection } from "nats";
import { afterEach, describe, expect, test } from "vitest";
import { type Prove, withKey } from "../../../adapters/nats/handshake.ts";
import { serversAt } from "../../../adapters/nats/servers.ts";
import { keys } from "../../support/nats/keys.ts";
import { impostor, type Impostor, type ImpostorOptions } from "../../support/nats/impostor.ts";

const pair = keys.createUser();
const seed = pair.getSeed();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listener(options: ImpostorOptions = {}): Promise<Impostor> {
  const one = await impostor(options);
  closing.push(() => one.close());
  return one;
}

const urlOf = ({ port }: Impostor): string => `nats://127.0.0.1:${port}`;

async function joined(url: string, prove?: Prove): Promise<NatsConnection> {
  const at = { ...serversAt(url), maxReconnectAttempts: -1, noAsyncTraces: true, timeout: 5_000 };
  const connection = await connect(withKey(at, { seed, ...(prove && { prove }) }));
  closing.push(() => connection.close());
  return connection;
}

/** Answers in turn, then as the last time. */
const saying = (...answers: readonly (string | undefined)[]): Prove & { readonly asked: number[] } => {
  const asked: number[] = [];
  const prove: Prove = (port) => answers[Math.min(asked.push(port), answers.length) - 1];
  return Object.assign(prove, { asked });
};

const REFUSED = { code: "NATS_UNAVAILABLE", obligation: "retry" };

describe("a private server", () => {
  test("NATS-HANDSHAKE-1: while it does not run, whoever has its port is not even dialled", async () => {
    const other = await listener();
    const prove = saying(undefined);
    await expect(joined(urlOf(other), prove)).rejects.toMatchObject(REFUSED);
    expect([other.connections, other.heard, prove.asked]).toEqual([0, "", [other.port]]);
  });

  test.each([
    ["one that was not there before the dial", ["first", undefined, "first"]],
    ["one that has gone when somebody greets", ["first", "first", undefined]],
    ["another one when somebody greets", ["first", "first", "second"]],
  ])("NATS-HANDSHAKE-1: for %s nothing is sent", async (_, answers) => {
    const other = await listener();
    const prove = saying(...answers);
    await expect(joined(urlOf(other), prove)).rejects.toMatchObject(REFUSED);
    expect([other.connections, other.heard]).toEqual([1, ""]);
  });

  test("NATS-HANDSHAKE-1: a connection taken while it was down is not believed once it runs again", async () => {
    let live: string | undefined = "first";
    const port = await listener({ holds: true });
    const connecting = joined(urlOf(port), () => live);
    await expect.poll(() => port.connections).toBe(1);
    // It died, somebody else had the connection, and it runs again: all before the greeting.
    live = "second";
    port.greet();
    await expect(connecting).rejects.toMatchObject(REFUSED);
    expect(port.heard).toBe("");
  });

  test("NATS-HANDSHAKE-1, NATS-HANDSHAKE-2: at a later connect whoever has its port is not dialled; the client goes on when it is back", async () => {
    let live: string | undefined = "first";
    let looked = 0;
    const prove: Prove = () => {
      looked += 1;
      return live;
    };
    const first = await listener();
    const connection = await joined(urlOf(first), prove);
    live = undefined;
    await first.close();
    const other = await listener({ port: first.port });
    connection.publish("inputs", "s3cret");
    const before = looked;
    await expect.poll(() => looked).toBeGreaterThan(before + 3);
    expect([other.connections, other.heard, connection.isClosed()]).toEqual([0, "", false]);
    await other.close();
    const again = await listener({ port: first.port });
    live = "second";
    await expect.poll(() => again.heard, { timeout: 10_000 }).toContain(pair.getPublicKey());
    connection.publish("inputs", "s3cret");
    await connection.flush();
    expect(again.heard).toMatch(/PUB inputs 6\r\ns3cret/);
  });

  test("NATS-HANDSHAKE-1: its key goes to no other address, not even one that a relay has", async () => {
    const relay = await listener({ host: "0.0.0.0" });
    const prove = saying("first");
    for (const url of [
      `nats://localhost:${relay.port}`,
      `nats://127.0.0.2:${relay.port}`,
      `${urlOf(relay)},${urlOf(relay)}`,
      `tls://127.0.0.1:${relay.port}`,
      `nats://0.0.0.0:${relay.port}`,
    ])
      await expect(joined(url, prove)).rejects.toMatchObject({ code: "BAD_NATS_URL" });
    expect([relay.connections, prove.asked]).toEqual([0, []]);
  });
});

describe("a key", () => {
  test("NATS-HANDSHAKE-3: what is sent of it is its public part, and a signature of the server's own nonce", async () => {
    const nonce = "a-nonce-of-the-server";
    const server = await listener({ info: { nonce } });
    await joined(urlOf(server));
    const [, text = "{}"] = /CONNECT (\{.*\})\r\n/.exec(server.heard) ?? [];
    const said = JSON.parse(text) as Readonly<Record<string, unknown>>;
    expect(said["nkey"]).toBe(pair.getPublicKey());
    const signature = Buffer.from(String(said["sig"]), "base64");
    expect(verify(null, Buffer.from(nonce), keyOf(pair.getPublicKey()), signature)).toBe(true);
    expect(["user", "pass", "auth_token", "jwt"].filter((name) => name in said)).toEqual([]);
    expect(server.heard).not.toContain(new TextDecoder().decode(seed));
  });

  test("NATS-HANDSHAKE-3: an address with a user or a token beside it is refused: that would be sent as it is", async () => {
    const server = await listener();
    for (const user of ["token", "user:password"])
      await expect(joined(urlOf(server).replace("//", `//${user}@`))).rejects.toMatchObject({
        code: "BAD_OPTION",
        path: "nkey",
      });
    expect(server.connections).toBe(0);
  });
});

/** RFC 4648 and RFC 8410: a prefix byte, 32 bytes of Ed25519, two bytes of a checksum. */
function keyOf(publicKey: string) {
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = publicKey
    .split("")
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const der = Buffer.concat([
    Buffer.from("302a300506032b6570032100", "hex"),
    Buffer.from(bytes).subarray(1, 33),
  ]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}
