// Over TCP
// An engine with a line key, asked over TCP by one who has it, while others hold the port, pass on or change what is said.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { overTcp } from "../../../adapters/line/index.ts";
import { sent } from "../../../adapters/line/request.ts";
import { type EngineRequest, textOf } from "../../../runtime/line/exchange.ts";
import {
  bodyHashOf,
  endpointOf,
  type Greeting,
  HANDSHAKE_ROUTE,
  handshakeKeys,
  newNonce,
  REQUEST_HEADER,
  requestHeader,
  tokenIdOf,
} from "../../../runtime/line/handshake.ts";
import { type Change, keyedEngine } from "../../support/http/keyed-engine.ts";
import { event, serve, type Served, TOKEN } from "../../support/http/served.ts";

const KEY = randomBytes(32).toString("base64url");
const LOCAL = { name: "local:tester", lineKey: KEY };
const SECRET = "rm -rf the-input-that-nobody-else-may-see";
const EVENT: EngineRequest = {
  method: "POST",
  path: "/v1/events",
  headers: { "Content-Type": "application/json" },
  body: Buffer.from(JSON.stringify(event("request.created", { requestId: "r1", prompt: SECRET }))),
};
const STATS: EngineRequest = { method: "GET", path: "/v1/stats" };

let served: Served;
const open: (Server | TcpServer)[] = [];
beforeEach(async () => {
  served = await serve({ place: { local: LOCAL } });
});
afterEach(async () => {
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  }
  await served.stop();
});

const ask = async (url: string, asked: EngineRequest, lineKey = KEY) => {
  const answer = await overTcp(url, { lineKey })(asked);
  return { status: answer.status, body: JSON.parse(await textOf(answer)) as unknown };
};
const portOf = (server: Server | TcpServer): number => (server.address() as AddressInfo).port;

/** Whatever listens instead of the engine, and all the bytes that it was sent. */
async function impostor(listener: RequestListener) {
  const server = createServer(listener);
  const heard: string[] = [];
  server.on("connection", (socket: Socket) =>
    socket.on("data", (chunk: Buffer) => heard.push(chunk.toString())),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(server);
  return { url: `http://127.0.0.1:${portOf(server)}`, heard };
}

/** Passes everything on to the engine and back; `change` may touch what its caller says. */
async function relay(host = "127.0.0.1", port = 0, change = (text: string): string => text) {
  const engine = Number(new URL(served.url).port);
  const heard: string[] = [];
  const server = createTcpServer((caller) => {
    const other = connect({ host: "127.0.0.1", port: engine });
    caller.on("data", (chunk) => {
      heard.push(chunk.toString());
      other.write(change(chunk.toString()));
    });
    other.pipe(caller);
    caller.on("close", () => other.destroy());
    for (const socket of [caller, other]) socket.on("error", () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, "listening");
  open.push(server);
  return { url: `http://${host}:${portOf(server)}`, heard };
}

const fields = (body: unknown) => ({ "content-type": "application/json", body: JSON.stringify(body) });

describe("OVER-TCP-1: with the line key", () => {
  it("OVER-TCP-1: whoever has it is this machine's user, and reads and writes", async () => {
    expect(await ask(served.url, EVENT)).toMatchObject({ status: 200, body: { outcome: "applied" } });
    expect(await ask(served.url, STATS)).toMatchObject({
      status: 200,
      body: { counts: expect.anything() as unknown },
    });
  });

  it("OVER-TCP-3: whether the engine is ready is told with a proof, too, though anybody may read it", async () => {
    const ready: EngineRequest = { method: "GET", path: "/readyz" };
    expect(await ask(served.url, ready)).toMatchObject({ status: 200, body: { ready: true } });
  });

  it("OVER-TCP-1: a stream that does not end is followed on the connection that was proven", async () => {
    const answer = await overTcp(served.url, { lineKey: KEY })({
      method: "GET",
      path: "/v1/stream",
      isStream: true,
    });
    await ask(served.url, EVENT);
    let text = "";
    for await (const chunk of answer.body) {
      text += Buffer.from(chunk).toString();
      if (text.includes("event: change")) break;
    }
    expect([answer.status, text]).toEqual([200, expect.stringContaining("r1")]);
  });

  it("OVER-TCP-1: without it, nothing is asked: an engine of another folder is none", async () => {
    await expect(ask(served.url, EVENT, "another-key")).rejects.toMatchObject({ code: "NOT_PROVEN" });
    expect(await ask(served.url, STATS)).toMatchObject({ body: { counts: { requests: { created: 0 } } } });
  });
});

describe("OVER-TCP-1: another program on the engine's port", () => {
  const SAYS: readonly (readonly [string, (path: string, endpoint: string) => object])[] = [
    ["an approval", () => ({ approvalId: "x", state: "approved", decision: "allow", inputHash: "0" })],
    ["OK", () => ({})],
    [
      "a greeting without a proof",
      () => ({ version: 1, start: "s", endpoint: "127.0.0.1:1", name: "", nonce: "n".repeat(32) }),
    ],
    [
      "a greeting with a made-up proof",
      (_, endpoint) => ({
        version: 1,
        start: "s",
        endpoint,
        name: "",
        nonce: "n".repeat(32),
        proof: "p".repeat(43),
      }),
    ],
    [
      "a version that demands no proof",
      () => ({ version: 0, start: "s", endpoint: "e", name: "", nonce: "n".repeat(32), proof: "" }),
    ],
    [
      "its caller's own nonce",
      (path) => ({ version: 1, nonce: path.split("=")[1], proof: path.split("=")[1] }),
    ],
  ];
  it.each(SAYS)(
    "OVER-TCP-1, HANDSHAKE-1: one that answers with %s is sent a nonce and nothing else",
    async (_, says) => {
      const { url, heard } = await impostor(({ url = "", socket }, response) => {
        const { body, ...headers } = fields(says(url, endpointOf(socket.localAddress, socket.localPort)));
        response.writeHead(200, headers).end(body);
      });
      await expect(ask(url, EVENT)).rejects.toMatchObject({ code: "NOT_PROVEN" });
      const all = heard.join("");
      expect(all).toMatch(new RegExp(`^GET ${HANDSHAKE_ROUTE}\\?nonce=[\\w-]{32} HTTP/1.1\r\n`));
      for (const word of [SECRET, KEY, "uthorization", REQUEST_HEADER])
        expect(all.toLowerCase()).not.toContain(word.toLowerCase());
    },
  );
});

describe("OVER-TCP-4: with a person's token", () => {
  const asAda = { token: "token-of-ada-that-is-long-enough" };
  const admit = (...tokens: readonly string[]): void =>
    served.http.admit(tokens.map((token, at) => ({ name: `http:${at}`, token })));

  it("OVER-TCP-4, HOLDERS-5: the engine knows who proves it, until the token is removed", async () => {
    admit(TOKEN, asAda.token);
    const stats = async (): Promise<number> => (await overTcp(served.url, asAda)(STATS)).status;
    expect(await stats()).toBe(200);
    admit(TOKEN);
    await expect(stats()).rejects.toMatchObject({ code: "UNAUTHENTICATED", obligation: "give-up" });
  });

  it("OVER-TCP-4, HANDSHAKE-5: a relay that hears all of it learns nothing that opens the engine", async () => {
    admit(asAda.token);
    const { host } = new URL(served.url);
    const { url, heard } = await relay("127.0.0.1", 0, (text) => text.replace(/host: \S+/i, `Host: ${host}`));
    await expect(overTcp(url, asAda)(EVENT)).rejects.toMatchObject({ code: "NOT_PROVEN" });
    expect(heard.join("")).not.toMatch(new RegExp(`${asAda.token}|${SECRET}`));
    const tokenId = /tokenId=([\w-]+)/.exec(heard.join(""))?.[1] ?? "";
    expect(tokenId).toHaveLength(43);
    for (const bearer of [tokenId, asAda.token.toUpperCase()]) {
      const { status } = await fetch(`${served.url}/v1/stats`, {
        headers: { Authorization: `Bearer ${bearer}` },
      });
      expect(status).toBe(401);
    }
    await expect(overTcp(served.url, { token: tokenId })(STATS)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
  });

  it("ENTRANCE-1, HANDSHAKE-4: a proof and a token together are refused, and the refusal is proven", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { status, body } = await ask(served.url, { ...STATS, headers });
    expect([status, body]).toEqual([
      401,
      { error: expect.objectContaining({ next: "Send either the proof or the token." }) as unknown },
    ]);
  });

  it.each(["content-type", "idempotency-key", "last-event-id", "signalbox-workspace", "signalbox-for"])(
    "HANDSHAKE-4: a request with another %s than the one that was proven is refused",
    async (name) => {
      for (const given of ["shop", "another"]) {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const to = { agent, host: "127.0.0.1", port: Number(new URL(served.url).port) };
        const callerNonce = newNonce();
        const greeted = await sent({ method: "GET", path: `${HANDSHAKE_ROUTE}?nonce=${callerNonce}` }, to);
        const { nonce: engineNonce } = JSON.parse(
          await textOf({ body: greeted ?? Readable.from([]) }),
        ) as Greeting;
        const bodyHash = bodyHashOf(Buffer.of());
        const asked = { ...STATS, callerNonce, engineNonce, headers: { [name]: "shop" }, bodyHash };
        const headers = { [REQUEST_HEADER]: requestHeader(handshakeKeys(KEY), asked), [name]: given };
        const status = (await sent({ ...STATS, headers }, to))?.statusCode;
        // This caller may not ask for another user: with its proof it gets 403.
        if (given === "another") expect(status).toBe(401);
        else expect(status).toBe(name === "signalbox-for" ? 403 : 200);
        agent.destroy();
      }
    },
  );

  it("HANDSHAKES-1: a nonce that was made for one person proves no other", async () => {
    admit(TOKEN, asAda.token);
    const port = Number(new URL(served.url).port);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const callerNonce = newNonce();
    const ask = { agent, host: "127.0.0.1", port };
    const path = `${HANDSHAKE_ROUTE}?nonce=${callerNonce}&tokenId=${tokenIdOf(asAda.token)}`;
    const greeted = await sent({ method: "GET", path }, ask);
    const { nonce: engineNonce } = JSON.parse(
      await textOf({ body: greeted ?? Readable.from([]) }),
    ) as Greeting;
    const asked = { ...STATS, callerNonce, engineNonce, headers: {}, bodyHash: bodyHashOf(Buffer.of()) };
    const headers = { [REQUEST_HEADER]: requestHeader(handshakeKeys(TOKEN), asked) };
    expect((await sent({ ...STATS, headers }, ask))?.statusCode).toBe(401);
    agent.destroy();
  });
});

describe("OVER-TCP-2: a relay", () => {
  it("OVER-TCP-2: one on another port gets no greeting for its own name, and the input stays", async () => {
    const { url, heard } = await relay();
    await expect(ask(url, EVENT)).rejects.toMatchObject({ code: "NOT_PROVEN" });
    expect(heard.join("")).not.toContain(SECRET);
  });

  it("OVER-TCP-2, HANDSHAKE-3: one that writes the engine's own name into Host is found out by the end that the engine sees", async () => {
    const { host, port } = new URL(served.url);
    for (const [address, at] of [
      ["127.0.0.1", 0],
      ["127.0.0.2", Number(port)],
    ] as const) {
      const { url, heard } = await relay(address, at, (text) => text.replace(/host: \S+/i, `Host: ${host}`));
      const message = expect.stringContaining(`it listens at ${host}`) as string;
      await expect(ask(url, EVENT)).rejects.toMatchObject({ code: "NOT_PROVEN", message });
      expect(heard.join("")).not.toContain(SECRET);
    }
  });
});

describe("OVER-TCP-3: the answer", () => {
  const engine = async (change: Change): Promise<string> => (await impostor(keyedEngine(KEY, change))).url;

  it("OVER-TCP-3, HANDSHAKE-4: with its proof it counts; with any part of it changed, cut or left out it is none", async () => {
    expect(await ask(await engine((said) => said), STATS)).toEqual({
      status: 200,
      body: { state: "denied" },
    });
    const changes: readonly Change[] = [
      (said) => ({ ...said, text: said.text.replace("denied", "approved") }),
      (said) => ({ ...said, text: "" }),
      (said) => ({ ...said, status: 404 }),
      (said) => ({ ...said, shown: "" }),
      (said) => ({ ...said, shown: said.shown.toLowerCase() }),
    ];
    for (const change of changes)
      await expect(ask(await engine(change), STATS)).rejects.toMatchObject({ code: "NOT_PROVEN" });
  });
});
