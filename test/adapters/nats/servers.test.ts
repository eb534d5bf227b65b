// Servers
// Which servers an engine or a service talks to: what each must show first, and which are never dialled.

import { BlockList, isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import { fc, test as property } from "@fast-check/vitest";
import { connect as dial, type ConnectionOptions } from "nats";
import { afterEach, describe, expect, test } from "vitest";
import { connect as connectClient } from "../../../adapters/nats/client/client.ts";
import { connect } from "../../../adapters/nats/connect.ts";
import { serversAt } from "../../../adapters/nats/servers.ts";
import { certificateFor } from "../../support/http/certificate.ts";
import { type EncryptedServer, encryptedServer, TOKEN } from "../../support/nats/encrypted.ts";
import { impostor, type Impostor, type ImpostorOptions } from "../../support/nats/impostor.ts";
import { natsServer } from "../../support/nats/server.ts";

/** An address of this machine that is not its loopback: what is sent there is the same as to another machine. */
const REMOTE = "0.0.0.0";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function standing(options: ImpostorOptions = {}): Promise<Impostor> {
  const one = await impostor({ host: REMOTE, ...options });
  closing.push(() => one.close());
  return one;
}

async function encrypted(host: string): Promise<EncryptedServer> {
  const one = await encryptedServer(host);
  closing.push(() => one.server.dispose());
  return one;
}

const asClient = (url: string, nats?: ConnectionOptions) =>
  connectClient({ url, workspace: "chat", source: "/s", deadlineMs: 5_000, ...(nats && { nats }) });

describe("a server on another machine", () => {
  test.each(["nats", "tls"])(
    "NATS-SERVERS-1: one without TLS, named as %s://, is refused with the way out, and hears nothing",
    async (protocol) => {
      const plain = await standing();
      const url = `${protocol}://user:passw0rd@${REMOTE}:${plain.port}`;
      for (const refused of [connect(url, "engine"), asClient(url)])
        await expect(refused).rejects.toMatchObject({
          code: "NATS_NOT_ENCRYPTED",
          obligation: "give-up",
          message: expect.stringContaining(`${REMOTE}:${plain.port} offers no TLS`) as string,
          next: expect.stringMatching(/certificate.*docs\/reference\/nats\.md.*ssh -L/) as string,
        });
      expect([plain.connections, plain.heard]).toEqual([2, ""]);
    },
  );

  test("NATS-SERVERS-1: a certificate that nobody trusted gave is refused, and nothing is said inside of TLS", async () => {
    const liar = await standing({ tls: certificateFor(REMOTE) });
    const url = `nats://user:passw0rd@${REMOTE}:${liar.port}`;
    for (const refused of [connect(url, "engine"), asClient(url)])
      await expect(refused).rejects.toMatchObject({
        code: "NATS_NOT_VERIFIED",
        message: expect.stringMatching(/does not prove who it is: .*self-signed/) as string,
        next: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string,
      });
    expect([liar.connections, liar.heard]).toEqual([2, ""]);
  });

  test("NATS-SERVERS-1: a trusted certificate counts for the host that was asked for, by name and by number", async () => {
    const { server, ca } = await encrypted(REMOTE);
    const far = `nats://${TOKEN}@${REMOTE}:${server.port}`;
    // The server listens on the loopback alone, which this address leads to as well.
    const client = await asClient(far, { tls: { ca } });
    await client.close();
    const other = certificateFor("elsewhere.example");
    const liar = await standing({ tls: other });
    for (const url of [`tls://${TOKEN}@${REMOTE}:${liar.port}`, `tls://${TOKEN}@localhost:${liar.port}`])
      await expect(asClient(url, { tls: { ca: other.cert } })).rejects.toMatchObject({
        code: "NATS_NOT_VERIFIED",
        message: expect.stringMatching(/not in the cert/) as string,
      });
    expect(liar.heard).toBe("");
    const near = await encrypted("localhost");
    const named = await asClient(`tls://${TOKEN}@localhost:${near.server.port}`, { tls: { ca: near.ca } });
    await named.close();
  });

  test.each([
    ["leaves TLS away", null],
    ["accepts any certificate", { rejectUnauthorized: false }],
    ["accepts any name", { checkServerIdentity: () => undefined }],
  ])("NATS-SERVERS-1: an option that %s is refused before anybody is dialled", async (_, tls) => {
    const plain = await standing();
    await expect(asClient(`nats://${REMOTE}:${plain.port}`, { tls: tls as never })).rejects.toMatchObject({
      code: "BAD_OPTION",
      path: "nats.tls",
    });
    expect(plain.connections).toBe(0);
  });

  const LOOPBACK = new BlockList();
  LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
  const isNear = (host: string): boolean =>
    host.toLowerCase() === "localhost" ||
    (isIP(host) === 4 && LOOPBACK.check(host, "ipv4")) ||
    host === "::1";
  const host = fc.oneof(
    fc.ipV4(),
    fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rest) => ["127", ...rest].join(".")),
    fc.domain(),
    fc.constantFrom(
      "localhost",
      "LocalHost",
      "[::1]",
      "[::2]",
      "[::ffff:127.0.0.1]",
      "127.1",
      "localhost.evil.example",
    ),
  );
  const address = fc.record({ protocol: fc.constantFrom("nats://", "tls://", ""), host });

  property.prop([fc.array(address, { minLength: 1, maxLength: 4 })])(
    "NATS-SERVERS-1, NATS-SERVERS-2: TLS with one of the names given is demanded of all, unless every address is this machine's loopback, which nobody leaves",
    (addresses) => {
      const options = serversAt(addresses.map(({ protocol, host }) => `${protocol}${host}:4222`).join(", "));
      const hosts = addresses.map(({ host }) => host.replace(/[[\]]/g, ""));
      const stays = hosts.every(isNear);
      const demands = !stays || addresses.some(({ protocol }) => protocol === "tls://");
      expect(typeof options.tls === "object").toBe(demands);
      expect(options.servers).toHaveLength(addresses.length);
      expect([options.ignoreClusterUpdates === true, options.resolve === false]).toEqual([stays, stays]);
      if (!demands) return;
      const { checkServerIdentity: check } = options.tls as unknown as {
        checkServerIdentity: typeof checkServerIdentity;
      };
      for (const name of ["evil.example", "localhost", ...hosts.filter((each) => isIP(each) === 0)]) {
        const certificate = { subject: { CN: name }, subjectaltname: `DNS:${name}` } as never;
        const isNamed = hosts.some((each) => checkServerIdentity(each, certificate) === undefined);
        // Whatever name the package has in mind.
        for (const asked of ["localhost", "evil.example"])
          expect(check(asked, certificate) === undefined).toBe(isNamed);
      }
      expect(options.tls).toMatchObject(stays ? {} : { rejectUnauthorized: true });
    },
  );
});

describe("a server on this machine", () => {
  test("NATS-SERVERS-2: no server that it tells of is dialled, however long it is away itself", async () => {
    const other = await standing();
    const first = await impostor({
      info: { connect_urls: [`${REMOTE}:${other.port}`, `127.0.0.1:${other.port}`] },
    });
    closing.push(() => first.close());
    const connection = await dial({
      ...serversAt(`nats://user:passw0rd@127.0.0.1:${first.port}`),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 10,
      reconnectJitter: 0,
    });
    closing.push(() => connection.close());
    for (const times of [2, 3, 4]) {
      first.drop();
      await expect.poll(() => first.connections).toBe(times);
      await connection.flush();
    }
    expect([other.connections, first.heard.includes("passw0rd")]).toEqual([0, true]);
  });

  test("NATS-SERVERS-2: localhost is asked of this machine, and of no name server", async () => {
    const server = await natsServer();
    closing.push(() => server.dispose());
    const at = serversAt(`nats://localhost:${server.port}`);
    expect(at).toMatchObject({ resolve: false, ignoreClusterUpdates: true });
    await (await dial(at)).close();
  });
});
