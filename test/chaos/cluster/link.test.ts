// Link: what passes a link that is whole, cut and mended.

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Link, link } from "./link.ts";

/** What the server has been told. */
let arrived = "";
const echo = () =>
  createServer((socket) => {
    socket.on("data", (chunk: Buffer) => (arrived += chunk.toString()));
    socket.pipe(socket);
  });
let server: ReturnType<typeof echo>;
let way: Link;
beforeEach(async () => {
  arrived = "";
  server = echo().listen(0, "127.0.0.1");
  await once(server, "listening");
  way = await link((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await way.close();
  server.close();
});

function caller() {
  const socket = connect(way.port, "127.0.0.1");
  const seen = { heard: "", isClosed: false };
  socket.on("data", (chunk: Buffer) => (seen.heard += chunk.toString()));
  socket.on("error", () => undefined);
  socket.on("close", () => (seen.isClosed = true));
  return { socket, seen };
}

it("CLUSTER-LINK-1: a stalled link keeps its connections and passes what had waited once it is mended; new ones wait, too", async () => {
  const { socket, seen } = caller();
  socket.write("one ");
  await expect.poll(() => seen.heard).toBe("one ");
  way.cut("stalled");
  socket.write("two");
  const other = caller();
  other.socket.write("three");
  await sleep(200);
  expect([seen.heard, other.seen.heard, seen.isClosed]).toEqual(["one ", "", false]);
  way.mend();
  await expect.poll(() => [seen.heard, other.seen.heard]).toEqual(["one two", "three"]);
});

it("CLUSTER-LINK-1: a broken link ends its connections and takes no other until it is mended", async () => {
  const { socket, seen } = caller();
  socket.write("one");
  await expect.poll(() => seen.heard).toBe("one");
  way.cut("broken");
  await expect.poll(() => seen.isClosed).toBe(true);
  const refused = caller();
  refused.socket.write("two");
  await expect.poll(() => refused.seen.isClosed).toBe(true);
  expect(refused.seen.heard).toBe("");
  way.mend();
  const again = caller();
  again.socket.write("three");
  await expect.poll(() => again.seen.heard).toBe("three");
});

it("CLUSTER-LINK-2: a deaf link passes what is said, and what came back only once it is mended", async () => {
  const { socket, seen } = caller();
  socket.write("one ");
  await expect.poll(() => seen.heard).toBe("one ");
  way.cut("deaf");
  socket.write("two");
  await expect.poll(() => arrived).toBe("one two");
  expect([seen.heard, seen.isClosed]).toEqual(["one ", false]);
  way.mend();
  await expect.poll(() => seen.heard).toBe("one two");
});
