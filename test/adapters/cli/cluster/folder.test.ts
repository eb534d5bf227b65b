// Cluster folder
// The folder of a cluster: what is in it, and which layouts are refused.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { clusterFolder, makeClusterFolder, secretIn } from "../../../../adapters/cli/cluster/folder.ts";
import {
  addressOf,
  type Layout,
  layoutOf,
  layoutText,
  portOf,
  readLayout,
} from "../../../../adapters/cli/cluster/layout.ts";
import { peersText } from "../../../../adapters/cli/cluster/layout.ts";
import { readOwn } from "../../../../adapters/data-folder/index.ts";

const LAYOUT: Layout = {
  ...{
    id: "i-1",
    partitions: 2,
    spares: 1,
    replicas: 3,
    port: 4300,
    nats: ["tls://n1:4222", "tls://n2:4222"],
  },
  nodes: { a: "https://a.example", b: "http://127.0.0.1:4400" },
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cluster-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("CLI-CLUSTER-FOLDER-1: the folder holds the layout, the accounts and two secrets that only its user can read", async () => {
  const made = await makeClusterFolder(join(dir, "new"), LAYOUT);
  expect(readdirSync(made).toSorted()).toEqual(["cluster.yaml", "key", "partitions.conf", "token"]);
  const folder = await clusterFolder(made, { readOwn });
  expect(folder.layout).toEqual(LAYOUT);
  const secrets = [folder.key, folder.token];
  expect(secrets.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  const read = await Promise.all(secrets.map((path) => secretIn(path, { readOwn })));
  expect(read.map((secret) => Buffer.from(secret, "base64url").length)).toEqual([32, 32]);
  expect(new Set(read).size).toBe(2);
});

test("CLI-CLUSTER-FOLDER-1: a folder with anything in it is left as it is", async () => {
  writeFileSync(join(dir, "key"), "mine");
  await expect(makeClusterFolder(dir, LAYOUT)).rejects.toThrow("There are files");
  expect([readdirSync(dir), readFileSync(join(dir, "key"), "utf8")]).toEqual([["key"], "mine"]);
});

test.each<[string, object, string]>([
  ["no partition", { partitions: 0 }, "partitions"],
  ["65 partitions", { partitions: 65 }, "partitions"],
  ["as many spares as nodes", { spares: 2 }, "spares"],
  ["a name with capitals", { nodes: { A: "https://a.example", b: "https://b.example" } }, "nodes.A"],
  ["an unknown key", { color: "red" }, "The layout"],
])("CLI-CLUSTER-LAYOUT-1: a layout with %s is refused with the place", (_, change, place) => {
  expect(() => readLayout(stringify({ ...LAYOUT, ...change }), "cluster.yaml")).toThrow(
    new RegExp(`^cluster\\.yaml:\\d+: ${place} is not right`),
  );
});

test.each<[string, object, string]>([
  ["as many spares as nodes", { spares: 2 }, "--spares"],
  ["a name with capitals", { nodes: { A: "https://a.example", b: "https://b.example" } }, "--node A"],
  ["http to another machine", { nodes: { ...LAYOUT.nodes, a: "http://a.example" } }, "--node a"],
  ["a server without a scheme", { nats: ["n1:4222"] }, "--nats"],
  ["a server that is no address", { nats: ["n1"] }, "--nats"],
  ["a node that is no address", { nodes: { ...LAYOUT.nodes, a: "a" } }, "--node a"],
])("CLI-CLUSTER-LAYOUT-1: cluster init with %s is refused with the option", (_, change, option) => {
  expect(() => layoutOf({ ...LAYOUT, ...change })).toThrow(
    new RegExp(`^${option} is not right: (the name )?must`),
  );
});

test.each<[string, object]>([
  ["http to another machine", { nodes: { ...LAYOUT.nodes, a: "http://a.example" } }],
  ["a path", { nodes: { ...LAYOUT.nodes, a: "https://a.example/x" } }],
  ["a password", { nats: ["nats://me:secret@n1:4222"] }],
])("CLI-CLUSTER-LAYOUT-2: an address with %s is refused", (_, change) => {
  expect(() => readLayout(stringify({ ...LAYOUT, ...change }), "cluster.yaml")).toThrow("is not right");
});

test("CLI-CLUSTER-LAYOUT-3: nodes of one host need ports of their own", () => {
  const nodes = { a: "http://localhost:4399", b: "http://127.0.0.1:4400" };
  expect(() => readLayout(stringify({ ...LAYOUT, nodes }), "cluster.yaml")).toThrow("shares ports with a");
  const apart = readLayout(stringify({ ...LAYOUT, partitions: 1, nodes }), "cluster.yaml");
  expect([portOf(apart, "a", 0), portOf(apart, "b", 0)]).toEqual([4399, 4400]);
  const last = { ...nodes, a: "http://localhost:65535" };
  expect(() => readLayout(stringify({ ...LAYOUT, nodes: last }), "cluster.yaml")).toThrow("needs the ports");
});

test("CLI-CLUSTER-LAYOUT-1: what is written is read again, and each engine has its address", () => {
  expect(readLayout(layoutText(LAYOUT), "cluster.yaml")).toEqual(LAYOUT);
  expect(addressOf(LAYOUT, "a", 1)).toBe("https://a.example:4301");
  expect(addressOf(LAYOUT, "b", 1)).toBe("http://127.0.0.1:4401");
  expect(
    peersText(
      LAYOUT,
      [
        ["a", "b"],
        ["b", "a"],
      ],
      "/c/token",
    ),
  ).toBe(
    stringify([
      { name: "p1", urls: ["http://127.0.0.1:4401", "https://a.example:4301"], tokenFile: "/c/token" },
    ]),
  );
});
