// HTTP: holders
// Who holds a token, where it counts, and what ends with it.

import { createConnection, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Holders } from "../../../../adapters/http/access/holders.ts";
import { EVERYTHING, PARTS } from "../../../../runtime/access-token.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { refusal } from "../../../support/engine/refusal.ts";
import { event, rawRequest, serve, type Served, type ServeOptions } from "../../../support/http/served.ts";
import { signedIn, type SignedIn } from "../../../support/http/signed-in.ts";

const ADA = { name: "http:ada", token: "the-token-of-ada-is-long-enough" };
const BOB = { name: "http:bob", token: "the-token-of-bob-is-long-enough" };
const OWN = { name: "local:root", token: "the-machines-own-is-long-enough", isNearOnly: true };

let served: Served;
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await served.stop();
});
const start = async (place: ServeOptions["place"] = {}) =>
  (served = await serve({ place: { tokens: [ADA, BOB, OWN], ...place } }));

type Header = readonly [name: string, value: string];
const own = (): Header => ["Host", new URL(served.url).host];
const bearer = ({ token }: { token: string }): Header => ["Authorization", `Bearer ${token}`];
const ask = async (...headers: Header[]) =>
  (await rawRequest(served.url, "GET", "/v1/stats", [own(), ...headers])).status;
const askBy = async ({ host, cookie }: SignedIn) =>
  (await rawRequest(served.url, "GET", "/v1/stats", [host, cookie])).status;
const browserOf = ({ token }: { token: string }) => signedIn(served.url, token);
const stream = async ({ token }: { token: string }) => {
  const answer = await fetch(`${served.url}/v1/stream`, { headers: { Authorization: `Bearer ${token}` } });
  const reader = answer.body?.getReader();
  await reader?.read();
  return { status: answer.status, reader };
};
const look = async ({ token }: { token: string }) => {
  const { body } = await served.get("/v1/inspect", { Authorization: `Bearer ${token}` });
  const url = String(at(body, "url"));
  const socket = new WebSocket(url);
  ends.push(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await new Promise((resolve) => socket.once("open", resolve));
  return { url, closed };
};

describe("HTTP: people with tokens", () => {
  it("DOOR-3, HOLDERS-3, G46: two people act under their own names, by token and by cookie", async () => {
    await start();
    const asked = (n: number) =>
      event("approval.requested", { approvalId: `q${n}`, requestId: "r1", tool: "Bash", input: {} });
    const events = [event("request.created", { requestId: "r1" }), ...[1, 2, 3, 4].map(asked)];
    const auth = { Authorization: `Bearer ${ADA.token}` };
    expect((await served.post("/v1/events", events, auth)).status).toBe(200);
    const [ada, bob] = [await browserOf(ADA), await browserOf(BOB)];
    const ways: readonly (readonly [id: string, name: string, ...headers: Header[]])[] = [
      ["q1", ADA.name, own(), bearer(ADA)],
      ["q2", BOB.name, bob.host, bob.cookie, ["Origin", bob.origin]],
      ["q3", BOB.name, ada.host, bearer(BOB), ada.cookie],
      ["q4", OWN.name, own(), bearer(OWN)],
    ];
    for (const [id, name, ...headers] of ways) {
      const answer = (said: object) =>
        rawRequest(served.url, "POST", path, all, JSON.stringify({ decision: "deny", ...said }));
      const path = `/v1/approvals/${id}/decision`;
      const all: Header[] = [["Content-Type", "application/json"], ...headers];
      expect((await answer({ by: "http:somebody" })).status).toBe(400);
      expect((await answer({})).status).toBe(200);
      expect(at((await served.get(`/v1/approvals/${id}`, auth)).body, "by")).toBe(name);
    }
    const rows = [...served.engine.store.range({ gte: keys.audits, lt: "audit0" })].map(([, row]): unknown =>
      JSON.parse(row),
    );
    expect(rows.map((row) => at(row, "by"))).toEqual(ways.map(([, name]) => name));
  });

  it("HOLDERS-2: removing a token ends its cookie, its address and its streams at once, and nobody else's", async () => {
    await start();
    const [ada, bob] = [await browserOf(ADA), await browserOf(BOB)];
    const [adas, bobs] = [await stream(ADA), await stream(BOB)];
    const [adaLooks, bobLooks] = [await look(ADA), await look(BOB)];
    expect([await ask(bearer(ADA)), await askBy(ada), adas.status]).toEqual([200, 200, 200]);
    served.http.admit([BOB, OWN]);
    expect([await ask(bearer(ADA)), await askBy(ada)]).toEqual([401, 401]);
    expect((await adas.reader?.read())?.done).toBe(true);
    expect(await adaLooks.closed).toBe(1008);
    const again = new WebSocket(adaLooks.url);
    ends.push(() => again.terminate());
    expect(await new Promise((resolve) => again.once("error", ({ message }) => resolve(message)))).toContain(
      "401",
    );
    expect([await ask(bearer(BOB)), await askBy(bob)]).toEqual([200, 200]);
    await served.post("/v1/events", event("session.started", {}), { Authorization: `Bearer ${BOB.token}` });
    expect((await bobs.reader?.read())?.done).toBe(false);
    expect(await Promise.race([bobLooks.closed, sleep(50, "open")])).toBe("open");
    served.http.admit([{ ...ADA, token: "another-token-of-ada-long-enough" }, BOB, OWN]);
    expect([await ask(bearer(ADA)), await askBy(ada)]).toEqual([401, 401]);
    await bobs.reader?.cancel();
  });

  it("HOLDERS-6: a token that opens something else keeps its cookie; its streams end, and those of others go on", async () => {
    await start();
    const ada = await browserOf(ADA);
    const [adas, bobs] = [await stream(ADA), await stream(BOB)];
    served.http.admit([{ ...ADA, access: EVERYTHING }, BOB, OWN]);
    await served.post("/v1/events", event("session.started", {}), { Authorization: `Bearer ${BOB.token}` });
    for (const { reader } of [adas, bobs]) expect((await reader?.read())?.done).toBe(false);
    served.http.admit([{ ...ADA, access: { parts: new Set(PARTS.slice(0, 1)) } }, BOB, OWN]);
    expect((await adas.reader?.read())?.done).toBe(true);
    expect([await ask(bearer(ADA)), await askBy(ada), await ask(bearer(BOB))]).toEqual([200, 200, 200]);
    await bobs.reader?.cancel();
  });

  it("HOLDERS-2: whoever waits for an answer with a token that is removed hears none that comes later", async () => {
    await start();
    const auth = { Authorization: `Bearer ${ADA.token}` };
    const call = { run_id: "r1", call_id: "c1", spec: { fn: "deploy" } };
    const asked = await served.post("/v1/approvals", call, auth);
    const waiting = served.get(`${textAt(asked.body, "answer") ?? ""}&wait=25000`, auth);
    const isWaiting = await Promise.race([waiting.then(() => false), sleep(100, true)]);
    served.http.admit([BOB, OWN]);
    const { status, body } = await waiting;
    expect([isWaiting, status, textAt(body, "state")]).toEqual([true, 200, "pending"]);
  });

  it("HOLDERS-2, FOLLOWERS-3: a holder with the most streams allowed leaves room for others", async () => {
    await start();
    const opened = await Promise.all(Array.from({ length: 64 }, () => stream(ADA)));
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await stream(ADA)).status).toBe(503);
    const bobs = await stream(BOB);
    expect(bobs.status).toBe(200);
    for (const { reader } of [...opened, bobs]) await reader?.cancel();
  });

  it("HOLDERS-4, PANEL-NAME-1: what stands for a person is random: the same token has another at each start", () => {
    const standIns = [1, 2].map(() => {
      const { ticket, panel } = new Holders([ADA]).by("token", ADA.token);
      return [ticket, panel];
    });
    expect(new Set(standIns.flat()).size).toBe(4);
  });

  it("HOLDERS-1: a list with an empty token, or one token for two names, is refused as a whole", () => {
    const holders = new Holders([ADA]);
    expect(refusal(() => holders.replace([{ ...BOB, token: "" }])).code).toBe("BAD_TOKEN");
    expect(refusal(() => holders.replace([BOB, { ...ADA, token: BOB.token }])).code).toBe("BAD_TOKEN");
    expect(holders.by("token", ADA.token).name).toBe("http:ada");
    expect(refusal(() => holders.by("ticket", ADA.token)).code).toBe("UNAUTHENTICATED");
  });

  it("GUARD-3: the machine's own token counts from this machine, by any of its addresses, and from nowhere else", async () => {
    await start({ host: "0.0.0.0", names: ["box.example"] });
    const { port } = served.http;
    const away = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    const from = (localAddress: string, { token }: { token: string }, host = "127.0.0.1") =>
      new Promise<string>((resolve, reject) => {
        const socket = createConnection({ host, port, localAddress });
        ends.push(() => socket.destroy());
        socket.once("data", (text: Buffer) => resolve(text.toString("utf8").slice(9, 12)));
        socket.once("error", reject);
        socket.write(
          `GET /v1/stats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
      });
    expect(await from("127.0.0.2", OWN)).toBe("200");
    // A machine without a network has no other address.
    if (away === undefined) return;
    expect([await from(away, OWN), await from(away, ADA)]).toEqual(["403", "200"]);
    expect(await from(away, OWN, away)).toBe("200");
  });
});

describe("HTTP: callers who never finish a request", () => {
  const opened = () =>
    new Promise<Socket>((resolve) => {
      const socket = createConnection(served.http.port, "127.0.0.1", () => resolve(socket));
      socket.on("error", () => undefined);
      ends.push(() => socket.destroy());
    });
  const ended = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (piece: Buffer) => (text += piece.toString("utf8")));
      socket.once("close", () => resolve(text.slice(9, 12)));
    });

  it("SERVER-3: a connection that sends nothing, half a head, or half a body is closed in time", async () => {
    await start({ patience: { headersMs: 100, requestMs: 200, lookMs: 20 } });
    const { host } = new URL(served.url);
    const silent = await opened();
    const half = await opened();
    half.write(`GET /v1/stats HTTP/1.1\r\nHost: ${host}\r\nX-`);
    const dripping = setInterval(() => half.write("a"), 10);
    const body = await opened();
    const head = ["POST /v1/events HTTP/1.1", `Host: ${host}`, "Content-Type: application/json"];
    body.write([...head, `Authorization: Bearer ${ADA.token}`, "Content-Length: 100", "", "{"].join("\r\n"));
    expect(await Promise.all([silent, half, body].map(ended))).toEqual(["408", "408", "408"]);
    clearInterval(dripping);
    expect(await ask(bearer(ADA))).toBe(200);
  });

  it("SERVER-3: a head over 16 KiB, in its first line or below, is not read to its end", async () => {
    await start();
    const { host } = new URL(served.url);
    const long = await opened();
    long.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${"x".repeat(17 * 1024)}\r\n\r\n`);
    expect(await ended(long)).toBe("431");
    const address = await opened();
    address.write(`GET /${"x".repeat(17 * 1024)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await ended(address)).toBe("431");
  });

  it("SERVER-3, CROWD-1: there are never more than 1,024 connections, and a caller with a request gets in", async () => {
    await start();
    const end = ended(await opened());
    const others: Socket[] = [];
    for (let n = 1; n < 1_024; n += 1) others.push(await opened());
    expect(await ask(bearer(ADA))).toBe(200);
    expect(await end).toBe("");
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});
