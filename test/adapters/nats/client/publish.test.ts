// Client, publishing
// What a service publishes reaches the journal once and in order, whatever happens to the server.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { codeOf } from "../../../support/engine/refusal.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";
import { addStream, bench, type Bench, stored } from "../../../support/nats/streams.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let server: NatsServer;
let at: Bench;
let client: Client;

beforeAll(async () => {
  server = await natsServer();
  at = await bench(server.url);
  client = await connect({
    url: server.url,
    workspace: "shop",
    source: "/bot",
    nats: { reconnectTimeWait: 50 },
  });
});
afterAll(async () => {
  await client.close();
  await at.connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await at.manager.streams.delete("SIGNALBOX_IN").catch(() => undefined);
});

describe("client, publishing", () => {
  it("Client: a message is an envelope on the subject of its session and type, recognised by its source and id", async () => {
    await addStream(at, "SIGNALBOX_IN");
    const time = new Date("2026-01-31T12:00:00Z");
    const session = client.session("s1");
    const first = await session.publish("tool.started", { tool: "Read" }, { id: "m1", time, sequence: 3 });
    const again = await session.publish("tool.started", { tool: "Read" }, { id: "m1", time, sequence: 3 });
    const other = await client.request("r1").publish("request.created", { prompt: "hello" });
    expect([first, again]).toEqual([
      { id: "m1", position: 1, duplicate: false },
      { id: "m1", position: 2, duplicate: false },
    ]);
    expect(other.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    const common = { specversion: "1.0", source: "/bot", datacontenttype: "application/json" };
    const [one, two, three] = await stored(at, "SIGNALBOX_IN");
    // Nobody can guess the stream's ids: the same message gets another one the next time.
    expect(new Set([one?.id, two?.id, three?.id]).size).toBe(3);
    expect(two?.body).toEqual(one?.body);
    expect([one, three]).toEqual([
      {
        seq: 1,
        subject: "signalbox.v1.in.shop.s1.tool.started",
        id: expect.stringMatching(UUID) as unknown,
        body: {
          ...common,
          id: "m1",
          type: "tool.started",
          subject: "shop/s1",
          time: "2026-01-31T12:00:00.000Z",
          sequence: 3,
          data: { tool: "Read" },
        },
      },
      {
        seq: 3,
        subject: "signalbox.v1.in.shop.r_r1.request.created",
        id: expect.stringMatching(UUID) as unknown,
        body: {
          ...common,
          id: other.id,
          type: "request.created",
          subject: "shop/r_r1",
          time: expect.any(String) as unknown,
          data: { requestId: "r1", prompt: "hello" },
        },
      },
    ]);
  });

  it("G26: somebody who knows a message's source and id cannot take its place in the stream", async () => {
    await addStream(at, "SIGNALBOX_IN");
    for (const msgID of ["shop/s1:/bot:pay-1", "s1:/bot:pay-1", "/bot:pay-1", "pay-1"])
      await at.jetstream.publish("signalbox.v1.in.other.s9.session.ended", "{}", { msgID });
    const taken = await client.session("s1").publish("session.ended", {}, { id: "pay-1" });
    expect(taken).toEqual({ id: "pay-1", position: 5, duplicate: false });
    expect((await stored(at, "SIGNALBOX_IN")).at(-1)).toMatchObject({ body: { id: "pay-1" } });
  });

  it("G26, PUBLISHER-2: a first attempt called a duplicate was not taken, and is sent again under another id", async () => {
    const ids: string[] = [];
    const journal = at.connection.subscribe("signalbox.v1.in.shop.s1.>", {
      callback: (_, asked) => {
        ids.push(asked.headers?.get("Nats-Msg-Id") ?? "");
        asked.respond(JSON.stringify({ stream: "SIGNALBOX_IN", seq: ids.length, duplicate: ids.length < 3 }));
      },
    });
    await at.connection.flush();
    const taken = await client.session("s1").publish("session.ended", {});
    journal.unsubscribe();
    expect([taken.position, taken.duplicate, new Set(ids).size]).toEqual([3, false, 3]);
  });

  it("G26, ATTEMPTS-1: a later attempt called a duplicate had been taken before: all attempts share one id", async () => {
    const ids: string[] = [];
    const journal = at.connection.subscribe("signalbox.v1.in.shop.s1.>", {
      callback: (_, asked) => {
        ids.push(asked.headers?.get("Nats-Msg-Id") ?? "");
        if (ids.length > 1)
          asked.respond(JSON.stringify({ stream: "SIGNALBOX_IN", seq: 1, duplicate: true }));
      },
    });
    await at.connection.flush();
    const taken = await client.session("s1").publish("session.ended", {});
    journal.unsubscribe();
    expect([taken.position, taken.duplicate, new Set(ids).size]).toEqual([1, true, 1]);
  });

  it("Client: the same id in two workspaces is two messages", async () => {
    await addStream(at, "SIGNALBOX_IN");
    const other = await connect({ url: server.url, workspace: "bank", source: "/bot" });
    const taken = [client, other].map((one) =>
      one.session("s1").publish("session.ended", {}, { id: "same" }),
    );
    expect((await Promise.all(taken)).map(({ duplicate }) => duplicate)).toEqual([false, false]);
    await other.close();
  });

  it("G1, PUBLISHER-1, G2: 2,000 messages over 20 sessions and three kills of the server arrive once each, each session's in order", async () => {
    await addStream(at, "SIGNALBOX_IN");
    let done = 0;
    const taken = Array.from({ length: 2_000 }, (_, n) =>
      client
        .session(`s${n % 20}`)
        .publish("tool.started", { tool: `t${n}` })
        .finally(() => (done += 1)),
    );
    const all = Promise.all(taken);
    for (const after of [200, 800, 1_400]) {
      while (done < after) await sleep(2);
      await server.kill();
      await sleep(50);
      await server.start();
    }
    const ids = (await all).map(({ id }) => id);
    // The other connection may still be on its way back from the last kill.
    const reader = await bench(server.url);
    const found = (await stored(reader, "SIGNALBOX_IN")).map(({ body }) => body) as {
      readonly id: string;
      readonly data: { readonly tool: string };
      readonly subject: string;
    }[];
    await reader.connection.close();
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
    for (let n = 0; n < 20; n += 1) {
      const tools = found.filter(({ subject }) => subject === `shop/s${n}`).map(({ data }) => data.tool);
      expect(tools).toEqual(Array.from({ length: 100 }, (_, i) => `t${i * 20 + n}`));
    }
  });

  it("Client: without a stream it waits for one, and at its deadline says that nobody is there", async () => {
    const { publish } = client.session("s1");
    expect(await codeOf(publish("session.ended", {}, { deadlineMs: 300 }))).toBe("NOBODY_THERE");
    const waits = publish("session.ended", {}, { id: "waits" });
    await addStream(at, "SIGNALBOX_IN");
    expect(await waits).toMatchObject({ id: "waits", position: 1 });
  });

  it("Client, PUBLISHER-3: messages queued behind one that was not taken are not sent; later ones are", async () => {
    const { publish } = client.session("s1");
    const lost = publish("session.started", {}, { deadlineMs: 200 });
    const behind = publish("session.ended", {});
    const elsewhere = client.session("s2").publish("session.started", {});
    expect(await Promise.all([codeOf(lost), codeOf(behind)])).toEqual(["NOBODY_THERE", "NOT_SENT"]);
    await addStream(at, "SIGNALBOX_IN");
    expect(await codeOf(publish("session.ended", {}))).toBe("taken");
    expect(await codeOf(elsewhere)).toBe("taken");
  });

  it("Client: a full journal is reported as full", async () => {
    await addStream(at, "SIGNALBOX_IN", { max_msgs: 1, discard: "new" });
    const { publish } = client.session("s1");
    expect(await codeOf(publish("session.started", {}))).toBe("taken");
    expect(await codeOf(publish("session.ended", {}, { deadlineMs: 300 }))).toBe("JOURNAL_FULL");
  });

  it("Client: a message that is too large, or has an id that cannot stand in a subject, is refused before it is sent", async () => {
    await addStream(at, "SIGNALBOX_IN");
    const { publish } = client.session("s1");
    const large = publish("tool.started", { tool: "Read", input: "x".repeat(256 * 1024) });
    const behind = publish("session.ended", {});
    expect(await Promise.all([codeOf(large), codeOf(behind)])).toEqual(["TOO_LARGE", "taken"]);
    for (const id of ["", "a.b", "*", ">", "a b", "a\r\nPUB x 0\r\n", "x".repeat(129)]) {
      expect(() => client.session(id)).toThrow(expect.objectContaining({ code: "BAD_ID" }));
      expect(() => client.changes({ session: id })).toThrow(expect.objectContaining({ code: "BAD_ID" }));
    }
    expect(await codeOf(publish("session.ended", {}, { id: "a\r\nb" }))).toBe("BAD_OPTION");
    expect((await stored(at, "SIGNALBOX_IN")).length).toBe(1);
  });

  it("Client: closing waits for what is under way; after it nothing is sent", async () => {
    await addStream(at, "SIGNALBOX_IN");
    const brief = await connect({ url: server.url, workspace: "shop", source: "/brief" });
    const sent = Array.from({ length: 50 }, () =>
      brief.session("s1").publish("tool.started", { tool: "Read" }),
    );
    await brief.close();
    expect((await Promise.all(sent)).length).toBe(50);
    expect(await codeOf(brief.session("s1").publish("session.ended", {}))).toBe("CLOSED");
  });

  it("Client: a server that is not there is reported when connecting", async () => {
    const nowhere = connect({
      url: "nats://127.0.0.1:1",
      workspace: "shop",
      source: "/bot",
      deadlineMs: 300,
    });
    expect(await codeOf(nowhere)).toBe("NOT_CONNECTED");
  });

  it("Client, CLIENT-LINK-1: when a server does not come back, the deadline ends the call and says that the message may have been taken", async () => {
    await addStream(at, "SIGNALBOX_IN");
    await server.kill();
    const failed = await client
      .session("s1")
      .publish("session.ended", {}, { deadlineMs: 300 })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "NOT_ACKNOWLEDGED", obligation: "retry" });
  });
});
