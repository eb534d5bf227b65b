// HTTP: crowd
// All places are taken: who is disconnected, and who is never shut out.

import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Crowd, PLACES, type Places } from "../../../../adapters/http/crowd.ts";
import { serve, type Served, TOKEN } from "../../../support/http/served.ts";

let served: Served | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served?.stop();
  served = undefined;
});

const FEW: Places = { all: 8, kept: 2, each: 4 };

async function start(connections: Places = FEW): Promise<Served> {
  served = await serve({ place: { connections } });
  return served;
}

interface Caller {
  readonly socket: Socket;
  readonly ended: Promise<string>;
}

/** A connection that has sent this much. */
async function caller({ url }: Served, said = ""): Promise<Caller> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await once(socket, "connect");
  if (said !== "") socket.write(said);
  return { socket, ended };
}

const head = ({ url }: Served, line: string, ...more: readonly string[]): string =>
  [line, `Host: ${new URL(url).host}`, `Authorization: Bearer ${TOKEN}`, ...more, "", ""].join("\r\n");

const isOpen = ({ socket }: Caller): boolean => !socket.destroyed && !socket.readableEnded;

describe("G28: all places taken", () => {
  it("G28, CROWD-2: a caller with a request gets in past those who never finish their heads; the oldest of them is closed", async () => {
    const served = await start();
    const slow: Caller[] = [];
    for (let n = 0; n < FEW.all; n += 1)
      slow.push(await caller(served, "GET /v1/stats HTTP/1.1\r\nHost: x\r\nX-"));
    expect((await served.get("/v1/stats")).status).toBe(200);
    await slow[0]?.ended;
    expect(slow.map(isOpen)).toEqual([false, ...slow.slice(1).map(() => true)]);
  });

  it("G28, CROWD-2: a kept-alive connection ages from its last answer, and is closed like one that asked nothing", async () => {
    const served = await start();
    const kept = await caller(served, head(served, "GET /v1/stats HTTP/1.1"));
    await once(kept.socket, "data");
    const silent: Caller[] = [];
    for (let n = 1; n < FEW.all; n += 1) silent.push(await caller(served));
    await caller(served);
    await kept.ended;
    await caller(served);
    await silent[0]?.ended;
    expect(silent.map(isOpen)).toEqual([false, ...silent.slice(1).map(() => true)]);
  });

  it("G28, CROWD-2: streams stay; unfinished bodies are closed before anyone is refused", async () => {
    const served = await start();
    const streams: Caller[] = [];
    for (let n = 0; n < FEW.all - 1; n += 1) {
      const stream = await caller(served, head(served, "GET /v1/stream HTTP/1.1"));
      await once(stream.socket, "data");
      streams.push(stream);
    }
    const half = ["Content-Type: application/json", "Content-Length: 100"];
    const body = await caller(served, `${head(served, "POST /v1/events HTTP/1.1", ...half)}{`);
    await expect.poll(() => body.socket.bytesWritten).toBeGreaterThan(0);
    expect((await served.get("/v1/stats")).status).toBe(200);
    await body.ended;
    expect(streams.every(isOpen)).toBe(true);
    const last = await caller(served, head(served, "GET /v1/stream HTTP/1.1"));
    await once(last.socket, "data");
    expect(await (await caller(served)).ended).toBe("");
    expect([...streams, last].every(isOpen)).toBe(true);
  });

  it("G28, CROWD-2: a connection whose upgrade was refused, or that was answered without a token, keeps no place", async () => {
    const served = await start();
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
    const refused = await caller(served, head(served, "GET /v1/nowhere HTTP/1.1", ...upgrade));
    refused.socket.pause();
    await once(refused.socket, "readable").catch(() => undefined);
    refused.socket.resume();
    expect(await refused.ended).toContain("404");
    const others: Caller[] = [];
    const nobody = `POST /v1/events HTTP/1.1\r\nHost: ${new URL(served.url).host}\r\nContent-Length: 1000\r\n\r\n`;
    for (let n = 0; n < FEW.all; n += 1) {
      const other = await caller(served, nobody);
      await once(other.socket, "data");
      others.push(other);
    }
    expect((await served.get("/v1/stats")).status).toBe(200);
    await others[0]?.ended;
    expect(others.slice(1).every(isOpen)).toBe(true);
  });
});

/** A connection from elsewhere, as the server sees it. */
const remote = (from: string): Socket =>
  Object.defineProperties(new Socket(), {
    remoteAddress: { value: from },
    localAddress: { value: "192.0.2.1" },
  });

/** A crowd, and the connections that come to it. */
function crowd(places: Places) {
  const server: Server = createServer();
  new Crowd(places).watch(server);
  const come = (from: string): Socket => {
    const socket = remote(from);
    sockets.push(socket);
    server.emit("connection", socket);
    return socket;
  };
  const many = (count: number, from: string | ((n: number) => string)) =>
    Array.from({ length: count }, (_, n) => come(typeof from === "string" ? from : from(n)));
  /** Its request has arrived in full and is being answered. */
  const busy = (socket: Socket): void => {
    server.emit("request", { socket, complete: true }, new EventEmitter());
  };
  return { many, come, busy };
}

const left = (all: readonly Socket[]): number => all.filter(({ destroyed }) => !destroyed).length;

describe("G28: callers from elsewhere", () => {
  it("G28, CROWD-3: one address has at most half of all places; its own connections replace one another", () => {
    const { many, come } = crowd(PLACES);
    const loud = many(2_000, "203.0.113.9");
    expect(left(loud)).toBe(512);
    expect(loud.slice(-512).every(({ destroyed }) => !destroyed)).toBe(true);
    const other = come("203.0.113.10");
    expect([other.destroyed, left(loud)]).toEqual([false, 512]);
  });

  it("G28, CROWD-2: the address with the most connections loses one", () => {
    const { many, come } = crowd(PLACES);
    const few = many(448, (n) => `198.51.100.${n % 224}`);
    const loud = many(512, "203.0.113.9");
    const next = many(100, (n) => `192.0.2.${n + 10}`);
    expect([left(few), left(loud), left(next)]).toEqual([448, 412, 100]);
    expect(come("203.0.113.9").destroyed).toBe(false);
    expect(left(few)).toBe(448);
  });

  it("G28, CROWD-3: this machine keeps its places, whoever else has taken the others", () => {
    const { many, busy } = crowd(PLACES);
    const others = [...many(512, "203.0.113.9"), ...many(512, "203.0.113.10")];
    for (const each of others) busy(each);
    const late = many(10, "203.0.113.11");
    const here = many(64, "127.0.0.1");
    expect([left(others), left(late), left(here)]).toEqual([960, 0, 64]);
  });

  it("G28, CROWD-3: a proxy on this machine has all places, and requests through it are not cut off", () => {
    const { many, busy } = crowd(PLACES);
    const asking = many(1_000, "127.0.0.1");
    for (const each of asking) busy(each);
    const idle = many(500, "::1");
    expect([left(asking), left(idle)]).toEqual([1_000, 24]);
  });

  it("G28, CROWD-3: the addresses of one IPv6 network are one caller", () => {
    const { many } = crowd(PLACES);
    expect(left(many(2_000, (n) => `2001:db8::${n.toString(16)}`))).toBe(512);
    expect(left(many(900, (n) => `2001:db8:0:${n.toString(16)}::1`))).toBe(900);
  });
});
