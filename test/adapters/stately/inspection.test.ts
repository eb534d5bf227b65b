// Stately
// What Stately's own receiver hears of the engine, and who may listen.

import { createWebSocketReceiver } from "@statelyai/inspect";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createMachine, type StateValue } from "xstate";
import { keys } from "../../../runtime/rows/keys.ts";
import { at } from "../../support/engine/json.ts";
import { messages } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { event, rawRequest, serve, type Served, TOKEN } from "../../support/http/served.ts";
import { signedIn } from "../../support/http/signed-in.ts";

let served: Served;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  served = await serve();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await served.stop();
});

const address = async (): Promise<string> => String(at((await served.get("/v1/inspect")).body, "url"));

interface Heard {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId?: string;
  readonly parentId?: string;
  readonly id: string;
}

/** Stately's receiver at the engine. @returns what it has heard, as it grows. */
async function receiver(): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const received = createWebSocketReceiver({ server: await address() });
  // Their types ask for XState's own snapshots; what is on the wire is JSON.
  received.subscribe((message) => heard.push(message as unknown as Heard));
  return heard;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

async function play(name: string): Promise<void> {
  for (const message of messages(recording(name), ["hooks"]))
    await (
      await served.engine.submit(message)
    ).settled;
}

/** A plain client. @returns the code it was closed with, once it is. */
function open(url: string, options: WebSocket.ClientOptions = {}) {
  const socket = new WebSocket(url, options);
  sockets.push(socket);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("message", () => resolve());
    socket.once("error", reject);
  });
  opened.catch(() => undefined);
  return { socket, closed, opened };
}

describe("Stately's inspector", () => {
  it("STATELY-WIRE-1: its receiver hears of every actor, with a definition that has its state, and ends with what is stored", async () => {
    await play("s1-ten-allowed");
    const heard = await receiver();
    await until(() => heard.length > 0);
    await play("s3-permreq-deny-interrupt");
    const newest = `-${served.engine.meta().changes}-snapshot`;
    await until(() => heard.some(({ id }) => id.endsWith(newest)));

    expect(new Set(heard.map(({ type }) => type))).toEqual(
      new Set(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]),
    );
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
    const machines = new Map<string, ReturnType<typeof createMachine>>();
    const last = new Map<string, unknown>();
    for (const message of heard) {
      if (message.type === "@xstate.actor") {
        const parent = message.parentId;
        if (parent !== undefined) expect([parent, machines.has(parent)]).toEqual([message.rootId, true]);
        machines.set(
          message.sessionId,
          createMachine(JSON.parse(String(at(message, "definition"))) as object),
        );
      }
      if (message.type === "@xstate.event") continue;
      const value = at(message, "snapshot", "value") as StateValue;
      const machine = machines.get(message.sessionId);
      expect(machine?.resolveState({ value, context: {} }).value).toEqual(value);
      last.set(message.sessionId, value);
    }
    const stored = [...served.engine.store.range({ gte: keys.actors, lt: "actor0" })].map(([key, row]) => [
      key.slice(keys.actors.length),
      at(JSON.parse(row), "value"),
    ]);
    const known = stored.filter(([name]) => last.has(String(name)));
    expect(known.length).toBeGreaterThan(8);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(last));
  });

  it("INSPECTION-1: while nobody looks the engine is not listened to", async () => {
    let listening = 0;
    const onChanges = served.engine.onChanges.bind(served.engine);
    served.engine.onChanges = (listener) => {
      const end = onChanges(listener);
      listening += 1;
      return () => {
        listening -= 1;
        end();
      };
    };
    await play("s1-ten-allowed");
    expect(listening).toBe(0);
    const [one, two] = [open(await address()), open(await address())];
    await Promise.all([one.opened, two.opened]);
    expect(listening).toBe(1);
    for (const { socket, closed } of [one, two]) {
      socket.close();
      await closed;
    }
    await until(() => listening === 0);
  });

  it("INSPECTION-2: who says something is let go, and so is the ninth", async () => {
    await play("s1-ten-allowed");
    const talker = open(await address());
    await talker.opened;
    talker.socket.send("{}");
    expect(await talker.closed).toBe(1008);
    const shouter = open(await address());
    await shouter.opened;
    shouter.socket.send(Buffer.alloc(1024 * 1024 + 1));
    expect(await shouter.closed).toBe(1009);
    const url = await address();
    const eight = Array.from({ length: 8 }, () => open(url));
    await Promise.all(eight.map(({ opened }) => opened));
    expect(await open(url).closed).toBe(1013);
  });

  it("WATCHER-2: one who takes nothing is let go, and the engine has gone on", async () => {
    await play("s1-ten-allowed");
    const slow = open(await address());
    await slow.opened;
    slow.socket.pause();
    for (let n = 0; n < 12; n++) {
      const input = { command: "x".repeat(15_000) };
      const calls = Array.from({ length: 40 }, (_, m) =>
        event("tool.started", { tool: "Bash", toolUseId: `t${n}-${m}`, requestId: "r1", input }),
      );
      expect((await served.post("/v1/events", calls)).status).toBe(200);
    }
    let code: number | undefined;
    void slow.closed.then((with_) => (code = with_));
    for (let n = 0; n < 4; n++) {
      await sleep(50);
      served.clock.advance(30_000);
    }
    slow.socket.resume();
    await until(() => code !== undefined);
    expect(code).toBe(1006);
    const other = open(await address());
    await other.opened;
  });
});

describe("INSPECT-1: who may look", () => {
  const key = "dGhlIHNhbXBsZSBub25jZQ==";
  type Header = readonly [name: string, value: string];
  const wants = (...headers: readonly Header[]): readonly Header[] => [
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ["Sec-WebSocket-Version", "13"],
    ["Sec-WebSocket-Key", key],
    ...headers,
  ];
  const own = (): Header => ["Host", new URL(served.url).host];
  const bearer: Header = ["Authorization", `Bearer ${TOKEN}`];
  const ask = (path: string, ...headers: readonly Header[]) =>
    rawRequest(served.url, "GET", path, wants(...headers));

  it("INSPECT-1: a strange Host, another Origin, no token or a wrong one is refused before the upgrade", async () => {
    const ticket = new URL(await address()).search;
    const path = "/v1/inspect";
    const refused: readonly (readonly [status: number, path: string, ...headers: Header[]])[] = [
      [401, path, own()],
      [401, `${path}?token=${TOKEN}`, own()],
      [401, `${path}?ticket=`, own(), bearer],
      [401, `${path}?ticket=${TOKEN}`, own()],
      [401, path, own(), ["Authorization", `Bearer ${ticket.slice("?ticket=".length)}`]],
      [403, path + ticket, ["Host", "evil.example"]],
      [403, path + ticket, own(), ["Origin", "http://evil.example"]],
      [403, path + ticket, own(), ["Origin", "null"]],
      [403, path + ticket, own(), ["Origin", "https://stately.ai"]],
      [404, `/v1/stream${ticket}`, own(), bearer],
      [404, `/v1/inspect/${ticket}`, own(), bearer],
    ];
    for (const [status, where, ...headers] of refused)
      expect([where, headers, (await ask(where, ...headers)).status]).toEqual([where, headers, status]);
    expect((await rawRequest(served.url, "GET", `/v1/sessions${ticket}`, [own()])).status).toBe(401);
    expect((await served.get("/v1/sessions")).status).toBe(200);
  });

  it("INSPECT-1: a token, the page's cookie from the page, or the ticket opens it; nothing is compressed", async () => {
    await play("s1-ten-allowed");
    const url = `${served.url.replace("http", "ws")}/v1/inspect`;
    const {
      origin: Origin,
      host: [, Host],
      cookie: [, Cookie],
    } = await signedIn(served.url, TOKEN);
    const clients = [
      open(url, { headers: { Authorization: `Bearer ${TOKEN}` } }),
      open(url, { headers: { Host, Cookie, Origin } }),
      open(await address(), { perMessageDeflate: true }),
    ];
    await Promise.all(clients.map(({ opened }) => opened));
    expect(clients.map(({ socket }) => socket.extensions)).toEqual(["", "", ""]);
  });
});
