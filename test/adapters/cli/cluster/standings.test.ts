// Standings
// What makes a partition whole.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { type Heard, heardOf, rowOf } from "../../../../adapters/cli/cluster/standings.ts";
import type { Layout } from "../../../../adapters/cli/cluster/layout.ts";

const LAYOUT: Layout = {
  ...{ id: "i", partitions: 4, spares: 1, replicas: 1, port: 4300, nats: ["nats://127.0.0.1:4222"] },
  nodes: { a: "https://a.example", b: "https://b.example", c: "https://c.example:5000" },
};
const OWNER: Heard = { node: "a", ready: true, role: "owner", lag: 0, troubles: [] };
const SPARE: Heard = {
  node: "b",
  ready: false,
  role: "standby",
  lag: 3,
  owner: "https://a.example:4301",
  troubles: [],
};
const GONE: Heard = { node: "a", ready: false, troubles: ["no engine answers"] };
const rows = (...heard: readonly Heard[]) => rowOf(LAYOUT, 1, heard);

test("CLI-CLUSTER-STANDINGS-1: an owner and a spare close behind make a partition whole", () => {
  expect(rows(OWNER, SPARE)).toMatchObject({ owner: "a", spares: [{ node: "b", lag: 3 }], whole: true });
  expect(rows({ ...SPARE, node: "a" }, { ...OWNER, node: "b" })).toMatchObject({
    owner: "b",
    preferred: "a",
    whole: true,
  });
});

test.each<[string, readonly [Heard, Heard]]>([
  ["the spare is far behind", [OWNER, { ...SPARE, lag: 101 }]],
  ["the spare catches up", [OWNER, { ...SPARE, role: "catching-up" }]],
  ["the spare is gone", [OWNER, { ...GONE, node: "b" }]],
  ["the owner is gone, and the spare still names it", [GONE, SPARE]],
  ["nobody answers", [GONE, { ...GONE, node: "b" }]],
])("CLI-CLUSTER-STANDINGS-1: a partition is not whole while %s", (_, heard) => {
  expect(rows(...heard).whole).toBe(false);
});

test("CLI-CLUSTER-STANDINGS-1: an owner that an earlier layout placed elsewhere counts, and is named", () => {
  const spare = { ...SPARE, owner: "https://c.example:5001" };
  expect(rows({ ...spare, node: "a" }, spare)).toMatchObject({ owner: "c", whole: true });
});

test("CLI-CLUSTER-STANDINGS-1: an owner on no node is named by its address, and a text that is no address names nobody", () => {
  const named = (owner: string) => rows({ ...SPARE, node: "a", owner }, SPARE).owner;
  expect(["https://elsewhere.example", "c", ""].map(named)).toEqual([
    "https://elsewhere.example",
    undefined,
    undefined,
  ]);
});

test("CLI-CLUSTER-STANDINGS-1: an engine without spares is whole when it is ready", () => {
  expect(rows({ node: "a", ready: true, troubles: [] })).toMatchObject({
    owner: "a",
    spares: [],
    whole: true,
  });
  expect(rows({ node: "a", ready: false, troubles: [] }).whole).toBe(false);
});

test("CLI-CLUSTER-STANDINGS-2: an answer that is far too long is no answer", async () => {
  let body = JSON.stringify({ ready: true, role: "owner" });
  const server = createServer((_, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The cast is safe: the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  const layout = { ...LAYOUT, nodes: { a: `http://127.0.0.1:${port}` } };
  expect(await heardOf(layout, 0, "a")).toMatchObject({ ready: true, role: "owner", troubles: [] });
  body = " ".repeat(1024 * 1024) + body;
  expect(await heardOf(layout, 0, "a")).toMatchObject({
    ready: false,
    troubles: [`no engine answers at http://127.0.0.1:${port}`],
  });
  server.close();
});
