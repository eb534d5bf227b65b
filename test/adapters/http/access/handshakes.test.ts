// Handshakes
// Proofs at a real engine over TCP: what its greeting names, and how often a proof counts, where and for what.

import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text as readAll } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  bodyHashOf,
  type Greeting,
  HANDSHAKE_ROUTE,
  handshakeKeys,
  newNonce,
  REQUEST_HEADER,
  requestHeader,
  tokenIdOf,
} from "../../../../runtime/line/handshake.ts";
import { Browsers } from "../../../../adapters/http/access/browsers.ts";
import { Entrance } from "../../../../adapters/http/access/entrance.ts";
import { Handshakes } from "../../../../adapters/http/access/handshakes.ts";
import { Holders } from "../../../../adapters/http/access/holders.ts";
import { placesOf } from "../../../../adapters/http/places.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";

const KEY = randomBytes(32).toString("base64url");
const LOCAL = { name: "local:tester", lineKey: KEY };

let served: Served;
beforeEach(async () => {
  served = await serve({ place: { local: LOCAL } });
});
afterEach(() => served.stop());

describe("HANDSHAKES-3: the greeting", () => {
  it("HANDSHAKES-3: the engine names itself only by what was configured, and else by its end", async () => {
    const named = await serve({ place: { local: LOCAL, names: ["engine.test"] } });
    const { port } = new URL(named.url);
    const greeted = async (host: string): Promise<unknown> =>
      JSON.parse((await sendOn(new Agent(), Number(port), "GET", GREETING(newNonce()), { Host: host })).text);
    try {
      const endpoint = `127.0.0.1:${port}`;
      expect(await greeted(`engine.test:${port}`)).toMatchObject({ name: `engine.test:${port}`, endpoint });
      for (const near of ["localhost", "127.0.0.1"])
        expect(await greeted(`${near}:${port}`)).toMatchObject({ name: "", endpoint });
    } finally {
      await named.stop();
    }
  });
});

describe("HANDSHAKES-1: what was said once", () => {
  it("HANDSHAKES-1, HANDSHAKE-2: a proven request counts once, on its own connection, and for nothing else", async () => {
    const port = Number(new URL(served.url).port);
    const body = JSON.stringify(event("request.created", { requestId: "r2" }));
    const [one, other] = [
      new Agent({ keepAlive: true, maxSockets: 1 }),
      new Agent({ keepAlive: true, maxSockets: 1 }),
    ];
    const made = await proof(one, port, body);
    const send = (agent: Agent, header: string, path = "/v1/events", text = body) =>
      sendOn(
        agent,
        port,
        "POST",
        path,
        { [REQUEST_HEADER]: header, "Content-Type": "application/json" },
        text,
      );
    await proof(other, port, body);
    expect((await send(other, made)).status).toBe(401);
    expect((await send(one, made, "/v1/sample")).status).toBe(401);
    const used = await proof(one, port, body);
    expect((await send(one, used)).status).toBe(200);
    for (const again of [used, made]) expect((await send(one, again)).status).toBe(401);
    const fresh = await proof(one, port, body);
    expect((await send(one, fresh, "/v1/events", body.replace("r2", "r3"))).status).toBe(401);
    for (const broken of [
      "",
      "1",
      fresh.replace(/^1/, "2"),
      fresh.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ]) {
      await proof(one, port, body);
      expect((await send(one, broken)).status).toBe(401);
    }
    one.destroy();
    other.destroy();
  });

  it("HANDSHAKE-2, HOLDERS-5: one greeting carries one request, of the person it was made for", async () => {
    const port = Number(new URL(served.url).port);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const stats = async (engineNonce: string, secret: string): Promise<number> => {
      const asked = { callerNonce: newNonce(), engineNonce, method: "GET", path: "/v1/stats", headers: {} };
      const header = requestHeader(handshakeKeys(secret), { ...asked, bodyHash: bodyHashOf(Buffer.of()) });
      return (await sendOn(agent, port, "GET", asked.path, { [REQUEST_HEADER]: header })).status;
    };
    const greeted = async (tokenId: string): Promise<string> => {
      const { text } = await sendOn(agent, port, "GET", `${GREETING(newNonce())}&tokenId=${tokenId}`);
      return (JSON.parse(text) as Greeting).nonce;
    };
    const nonce = await greeted(tokenIdOf(TOKEN));
    expect([await stats(nonce, TOKEN), await stats(nonce, TOKEN)]).toEqual([200, 401]);
    expect(await stats(await greeted(tokenIdOf(TOKEN)), KEY)).toBe(401);
    agent.destroy();
  });

  it("GUARD-3: who proves the folder's key is this machine's user from anywhere; a token for this machine only does not become that", () => {
    const own = { name: "local:tester", token: TOKEN, isNearOnly: true };
    const holders = new Holders([own], LOCAL);
    const handshakes = new Handshakes(holders);
    const places = placesOf(["box"], 4280);
    const isBySocket = (): boolean => false;
    const listening = { origin: "", port: 4280, places, hasPanelNames: false, isBySocket };
    const entrance = new Entrance(holders, new Browsers(new ManualClock(0)), listening, handshakes);
    const nameBy = (secret: string, tokenId?: string): string => {
      const socket = { remoteAddress: "192.0.2.1", localAddress: "192.0.2.9", localPort: 4280 };
      const from = { socket, method: "GET", url: "/v1/stats", rawHeaders: [], headers: { host: "box:4280" } };
      const callerNonce = newNonce();
      const greet = from as unknown as IncomingMessage;
      const { nonce: engineNonce } = handshakes.greet(greet, { nonce: callerNonce, name: "", tokenId });
      const asked = { callerNonce, engineNonce, method: "GET", path: "/v1/stats", headers: {} };
      const header = requestHeader(handshakeKeys(secret), { ...asked, bodyHash: bodyHashOf(Buffer.of()) });
      const request = { ...from, headers: { ...from.headers, [REQUEST_HEADER]: header } };
      const proven = request as unknown as IncomingMessage;
      return entrance.holder(proven, entrance.place(proven)).name;
    };
    expect(nameBy(KEY)).toBe("local:tester");
    expect(() => nameBy(TOKEN, tokenIdOf(TOKEN))).toThrow(expect.objectContaining({ code: "NOT_NEAR" }));
  });

  it("HANDSHAKES-2: a wrong proof is refused, whatever else the request carries", async () => {
    const port = Number(new URL(served.url).port);
    const headers = { [REQUEST_HEADER]: "1 a b c d", Authorization: `Bearer ${TOKEN}` };
    expect((await sendOn(new Agent(), port, "GET", "/v1/stats", headers)).status).toBe(401);
  });
});

const GREETING = (nonce: string): string => `${HANDSHAKE_ROUTE}?nonce=${nonce}`;

/** The header for a request with this body to `/v1/events`, made on the agent's one connection. */
async function proof(agent: Agent, port: number, body: string): Promise<string> {
  const callerNonce = newNonce();
  const { text } = await sendOn(agent, port, "GET", GREETING(callerNonce));
  const { nonce: engineNonce = "" } = JSON.parse(text) as Partial<Greeting>;
  const headers = { "content-type": "application/json" };
  const asked = { callerNonce, engineNonce, method: "POST", path: "/v1/events", headers };
  return requestHeader(handshakeKeys(KEY), { ...asked, bodyHash: bodyHashOf(Buffer.from(body)) });
}

async function sendOn(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
) {
  const sent = request({ agent, host: "127.0.0.1", port, method, path, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await readAll(answer) };
}
