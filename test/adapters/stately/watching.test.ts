// Stately: watching
// Watchers that come again, see more actors than they are shown at first, take nothing, or hear of sessions that end.

import { createWebSocketReceiver } from "@statelyai/inspect";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Range } from "../../../runtime/ports.ts";
import { at } from "../../support/engine/json.ts";
import { messages } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

let served: Served;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  served = await serve();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await served.stop();
});

interface Heard {
  readonly type: string;
  readonly sessionId: string;
  readonly id: string;
}

const address = async (): Promise<string> => String(at((await served.get("/v1/inspect")).body, "url"));

/** Stately's own receiver. */
async function receiver(): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const received = createWebSocketReceiver({ server: await address() });
  received.subscribe((message) => heard.push(message));
  return heard;
}

async function plain(): Promise<{ readonly socket: WebSocket; readonly heard: readonly Heard[] }> {
  const heard: Heard[] = [];
  const socket = new WebSocket(await address());
  sockets.push(socket);
  // Text of our own engine, in the form the wire has.
  socket.on("message", (data: Buffer) => heard.push(JSON.parse(data.toString("utf8")) as Heard));
  await new Promise((resolve) => socket.once("open", resolve));
  return { socket, heard };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

async function play(name: string, to: Served = served): Promise<void> {
  for (const message of messages(recording(name), ["hooks"])) await (await to.engine.submit(message)).settled;
}

const newest = (): string => `-${served.engine.meta().changes}-snapshot`;
const hasNewest = (heard: readonly Heard[]) => (): boolean => heard.some(({ id }) => id.endsWith(newest()));
/** The last value of each actor that was told. */
const values = (heard: readonly Heard[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    heard
      .filter(({ type }) => type !== "@xstate.event")
      .map((message) => [message.sessionId, at(message, "snapshot", "value")]),
  );
const post = async (...events: readonly object[]): Promise<void> => {
  expect((await served.post("/v1/events", events)).status).toBe(200);
};
const call = (n: number, input: unknown, session = "s1") =>
  event(
    "tool.started",
    { tool: "Bash", toolUseId: `t${session}-${n}`, requestId: `r-${session}`, input },
    { subject: `shop/${session}` },
  );

describe("Stately's inspector: watching", () => {
  it("STATELY-WIRE-1: one that comes again, to the engine after its restart, is told the same actors by the same names, and goes on", async () => {
    await play("s1-ten-allowed");
    const first = await receiver();
    await post(call(1, {}));
    await until(hasNewest(first));
    const { disk, clock, ids } = served;
    await served.stop();
    served = await serve({ disk, clock, ids });
    const second = await receiver();
    await until(() => second.length >= new Set(first.map(({ sessionId }) => sessionId)).size);
    expect(values(second)).toEqual(values(first));
    expect(new Set(second.map(({ type }) => type))).toEqual(new Set(["@xstate.actor"]));
    await post(call(2, {}));
    await until(hasNewest(second));
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
    expect(first.map(({ id }) => id).filter((id) => id.endsWith("-event"))).not.toContain(second.at(-1)?.id);
  });

  it("WATCHER-1: of many actors the latest are told at first; one of the others, before the first word about it", async () => {
    for (let n = 0; n < 60; n++) await post(...Array.from({ length: 30 }, (_, m) => call(m, {}, `s${n}`)));
    const { heard } = await plain();
    const sessions = () => heard.filter(({ sessionId }) => /^shop\/s\d+$/.test(sessionId));
    await until(() => sessions().length === 50);
    await sleep(50);
    const shown = new Map<string, number>();
    for (const { sessionId } of heard) {
      const [, session = ""] = /^(shop\/s\d+)\/call\//.exec(sessionId) ?? [];
      if (session !== "") shown.set(session, (shown.get(session) ?? 0) + 1);
    }
    expect([sessions().length, shown.size, new Set(shown.values())]).toEqual([50, 50, new Set([20])]);
    expect(heard.filter(({ sessionId }) => sessionId.startsWith("shop/s0/"))).toEqual([]);
    const before = heard.length;
    await post(event("tool.finished", { tool: "Bash", toolUseId: "ts0-3" }, { subject: "shop/s0" }));
    await until(hasNewest(heard));
    const news = heard.slice(before);
    const known = new Set(heard.slice(0, before).map(({ sessionId }) => sessionId));
    for (const { type, sessionId } of news) {
      if (type === "@xstate.actor") known.add(sessionId);
      else expect(known).toContain(sessionId);
    }
    expect(news.some(({ sessionId }) => sessionId === "shop/s0/call/ts0-3")).toBe(true);
  });

  it("WATCHER-1: for one that takes nothing one message waits, however much happens, and the log is not read", async () => {
    await post(call(0, {}));
    const taken: Duplex[] = [];
    const accept = served.inspecting.accept.bind(served.inspecting);
    served.inspecting.accept = (request, socket, head, looker) => {
      taken.push(socket);
      accept(request, socket, head, looker);
    };
    let reads = 0;
    const { store } = served.engine;
    const range = store.range.bind(store);
    store.range = (asked: Range) => {
      if (asked.gte.startsWith("change/")) reads += 1;
      return range(asked);
    };
    const { socket, heard } = await plain();
    const [mine] = taken;
    if (!mine) throw new Error("Nobody was let in.");
    await until(() => heard.length > 0);
    socket.pause();
    const input = { command: "x".repeat(15_000) };
    const flood = async (from: number): Promise<void> => {
      await post(...Array.from({ length: 40 }, (_, n) => call(from + n, input)));
    };
    // What the operating system takes is not ours to bound: first fill that.
    let n = 1;
    while (mine.writableLength === 0) {
      await flood(n);
      n += 40;
      await sleep(20);
    }
    const before = reads;
    const waiting: number[] = [];
    for (const end = n + 400; n < end; n += 40) {
      await flood(n);
      waiting.push(mine.writableLength);
    }
    expect(reads).toBe(before);
    // A change with its input, and what stands around it.
    expect(Math.max(...waiting)).toBeLessThan(48 * 1024);
    socket.resume();
    await until(hasNewest(heard));
  });

  it("INSPECTION-1: an engine nobody looks at, or nobody looks at any more, reads and listens as if there were no inspector", async () => {
    const cost = async (to: Served): Promise<readonly number[]> => {
      const { store } = to.engine;
      const counts = [0, 0, 0];
      const [get, range, onChanges] = [
        store.get.bind(store),
        store.range.bind(store),
        to.engine.onChanges.bind(to.engine),
      ];
      store.get = (key) => ((counts[0] = (counts[0] ?? 0) + 1), get(key));
      store.range = (asked) => ((counts[1] = (counts[1] ?? 0) + 1), range(asked));
      to.engine.onChanges = (listener) => ((counts[2] = (counts[2] ?? 0) + 1), onChanges(listener));
      await play("s1-ten-allowed", to);
      return counts;
    };
    const { socket } = await plain();
    socket.close();
    await new Promise((resolve) => socket.once("close", resolve));
    await sleep(50);
    const never = await serve();
    try {
      expect(await cost(served)).toEqual(await cost(never));
    } finally {
      await never.stop();
    }
  });

  it("STATELY-WIRE-2: what a tool was given and gave back is text, whatever it looks like", async () => {
    const { heard } = await plain();
    const hostile = {
      xstate$$type: 1,
      id: "x",
      sessionId: "shop/s1",
      ref: {},
      toJSON: 1,
      html: "<img src=x onerror=alert(1)>",
    };
    await post(
      call(1, hostile),
      event("tool.finished", { tool: "Bash", toolUseId: "ts1-1", output: hostile }),
      event("approval.requested", {
        approvalId: "q1",
        requestId: "r-s1",
        tool: "Bash",
        toolUseId: "t2",
        input: hostile,
      }),
    );
    await until(hasNewest(heard));
    const told = heard.flatMap((message) => {
      const context = message.type === "@xstate.event" ? {} : at(message, "snapshot", "context");
      return ["input", "output"].map((name) => at(context, name)).filter((value) => value !== undefined);
    });
    expect(told.length).toBeGreaterThan(4);
    for (const text of told) {
      expect(typeof text).toBe("string");
      expect(JSON.parse(text as string)).toEqual(hostile);
    }
  });

  it("STATELY-WIRE-1: a session that ended is there as ended, and one that begins again goes on under its name", async () => {
    await post(event("session.started", {}), event("session.ended", { reason: "exit" }));
    const { heard } = await plain();
    await until(() => values(heard)["shop/s1"] === "ended");
    await post(event("session.started", { reason: "resume" }));
    await until(hasNewest(heard));
    expect(values(heard)["shop/s1"]).toBe("idle");
    expect(
      heard.filter(({ type, sessionId }) => type === "@xstate.actor" && sessionId === "shop/s1"),
    ).toHaveLength(1);
  });
});
