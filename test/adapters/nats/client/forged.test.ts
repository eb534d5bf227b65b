// Client, forged
// A subscriber is told what the engine answers, whatever others publish on the subjects of changes.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { type Following, following } from "../../../support/nats/following.ts";
import { operator } from "../../../support/nats/on-nats.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let client: Client;
let at: Following;

beforeAll(async () => {
  server = await natsServer();
  client = await connect({ url: server.url, workspace: "shop", source: "/reader" });
});
afterAll(async () => {
  await client.close();
  await server.dispose();
});
beforeEach(async () => {
  at = await following(server.url);
});
afterEach(() => at.clear());

/** The first `count` items of a feed from its start, each in a word: `s1:2`, or why something may be missing. */
async function words(count: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const item of client.changes({ from: "start" })) {
    found.push(item.kind === "gap" ? item.reason : `${item.change.sessionId}:${item.change.version}`);
    if (found.length === count) break;
  }
  return found;
}

describe("client, forged", () => {
  it("G30, NEWS-1: what others publish on the live subjects reaches no subscriber and ends no feed", async () => {
    const stranger = await operator(server.url);
    const forged = {
      entity: "request",
      id: "r1",
      workspace: "shop",
      sessionId: "s1",
      version: 1,
      n: 1,
      to: "completed",
    };
    const junk = [
      "",
      "not JSON",
      "null",
      "7",
      "[]",
      '{"stream":"SIGNALBOX_IN","seq":5}',
      JSON.stringify({ error: { code: 503 } }),
      JSON.stringify({ ...forged, view: {} }),
      JSON.stringify({ ...forged, workspace: "bank", view: {} }),
    ];
    const subject = "signalbox.v1.state.shop.s1.request.r1.completed";
    const publishAll = async (): Promise<void> => {
      for (const body of junk) await stranger.stream.publish(subject, body);
      // Has the acknowledgement of one message sent to the subject of a change.
      stranger.connection.publish("signalbox.v1.in.shop.s1.tool.started", "{}", { reply: subject });
      await stranger.connection.flush();
    };
    await publishAll();
    const seen = words(6);
    await at.say("s1", 3);
    await publishAll();
    await at.say("s1", 3);
    expect(await seen).toEqual(Array.from({ length: 6 }, (_, n) => `s1:${n + 1}`));
    await stranger.close();
  });

  it("G30, FEED-4: an item of an answer that is no change is told as a gap and ends no feed", async () => {
    await at.end();
    const pretender = await operator(server.url);
    const change = (n: number, other: object = {}) => {
      const of = { entity: "session", id: "s1", workspace: "shop", sessionId: "s1" };
      return { ...of, n, version: n, to: "running", view: {}, ...other };
    };
    const odd = [
      null,
      7,
      "text",
      {},
      change(2, { workspace: "bank" }),
      change(2, { version: "2" }),
      change(2, { id: "a.b" }),
    ];
    const pages = [
      "not a page",
      JSON.stringify({ items: 5 }),
      JSON.stringify({ items: [change(1), ...odd, change(2)], from: "log-0", next: "log-2", more: true }),
      JSON.stringify({ items: [change(2), change(1), change(3)], from: "log-2", next: "log-3", more: false }),
    ];
    pretender.connection.subscribe("signalbox.v1.ask.shop.change.list", {
      callback: (_, asked) => void asked.respond(pages.shift() ?? "{}"),
    });
    await pretender.connection.flush();
    const unreadable = Array<string>(odd.length).fill("unreadable");
    const seen = await words(odd.length + 4);
    expect(seen).toEqual(["s1:1", ...unreadable, "s1:2", "unreadable", "s1:3"]);
    await pretender.close();
  });
});
