// Nodes
// A cluster on two nodes: how it starts, is upgraded node by node under load, loses a node, and gets one more.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Nodes, nodes, passwordOf, type Told } from "../../support/cluster/nodes.ts";
import { approved, asks, load, sessions } from "../../support/cluster/traffic.ts";
import { at } from "../../support/engine/json.ts";
import { build, jsonLines } from "../../support/processes/program.ts";

const TEST_MS = 800_000;

let all: Nodes;
beforeAll(build, TEST_MS);
beforeEach(async () => {
  all = await nodes();
}, TEST_MS);
afterEach(() => all.clear(), TEST_MS);

const isBalanced = ({ owner, preferred }: Told): boolean => owner === preferred;

async function started(): Promise<void> {
  for (const name of ["a", "b"]) all.start(name);
  expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
}

/** More than a node pauses after it gave a partition to another one, which it may do while copies of the layout differ. */
const BALANCED_MS = 200_000;

/** Each partition is at its own node, and whole. */
async function balanced(): Promise<void> {
  await expect
    .poll(async () => (await all.status()).rows.map((row) => row.whole && isBalanced(row)), {
      timeout: BALANCED_MS,
    })
    .toEqual([true, true]);
}

test(
  "CLUSTER-WHOLE-1, CLUSTER-RUN-1, CLUSTER-RUN-2, CLUSTER-RUN-4: a cluster is not whole before both nodes run, and no node twice; an engine has its own password in its environment, and is started again",
  async () => {
    expect(await all.status()).toMatchObject({ code: 1, rows: [{ whole: false }, { whole: false }] });
    const without = await all.desk.run(["cluster", "up", all.dir, "--node", "a"]);
    expect([without.code, without.err]).toEqual([1, expect.stringContaining("P0_PASSWORD, P1_PASSWORD")]);
    all.start("a");
    await all.node("a").said(/p1: Signalbox runs at/);
    expect((await all.status()).code).toBe(1);
    all.start("b");
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    await balanced();
    const twice = await all.startedAgain("a");
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining("Engines of node a run already")]);

    const engine = engineOf("p0");
    if (engine === undefined) return;
    const [args, env] = ["cmdline", "environ"].map((file) => readFileSync(`/proc/${engine}/${file}`, "utf8"));
    expect([args, env].map((text) => text?.includes(passwordOf("P0")))).toEqual([false, true]);
    expect([args, env].map((text) => text?.includes(passwordOf("P1")))).toEqual([false, false]);
    process.kill(engine, "SIGKILL");
    await all.node("a").said(/p0: Signalbox runs again/);
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
  },
  TEST_MS,
);

test("CLI-CLUSTER-LAYOUT-1: init takes NATS servers with commas between, and in more than one option", async () => {
  const nodes = ["--node", "a=https://a.example", "--node", "b=https://b.example"];
  const servers = ["--nats", "tls://n1:4222,tls://n2:4222", "--nats", "tls://n3:4222"];
  const made = ["cluster", "init", join(all.desk.dir, "other"), ...nodes, ...servers, "--json"];
  const [layout] = jsonLines((await all.desk.run(made)).out);
  expect(at(layout, "nats")).toEqual(["tls://n1:4222", "tls://n2:4222", "tls://n3:4222"]);
});

test(
  "SUPERVISOR-4, CLUSTER-RUN-2: a node that is asked to stop while it starts its engines ends",
  async () => {
    const peers = join(all.dir, "data", "a", "peers.yaml");
    for (let n = 0; n < 3; n += 1) {
      rmSync(peers, { force: true });
      all.start("a");
      // It listens for signals right after it has written this file, and its engines are supervised later.
      while (!existsSync(peers)) await sleep(1);
      await sleep(5);
      expect(await all.end("a", "SIGTERM")).toMatchObject({ err: "" });
    }
  },
  TEST_MS,
);

/** @returns the process of a partition's engine at node a; undefined where the system does not tell. */
function engineOf(partition: string): number | undefined {
  if (!existsSync("/proc/self/cmdline")) return undefined;
  const data = join(all.dir, "data", "a", partition);
  const found = readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(data));
  return found === undefined ? undefined : Number(found);
}

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // It ended meanwhile.
  }
}

test(
  "G1, CLI-CLUSTER-BALANCE-1: under load each node is restarted in turn and one is killed; what waited is answered, nothing is lost or doubled, and each node gets its share back",
  async () => {
    await started();
    const alice = await all.as("alice", "ALICE");
    const heard: string[] = [];
    alice.subscribe("signalbox.v1.state.chat.>", { callback: (_, { subject }) => void heard.push(subject) });
    const stop = await load(all);
    await asks(all, "q1");
    for (const [node, other, id, next] of [
      ["a", "b", "q1", "q2"],
      ["b", "a", "q2", "q3"],
    ] as const) {
      expect(await all.end(node, "SIGTERM")).toMatchObject({ code: 0 });
      all.start(node);
      expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
      await approved(all, id, other);
      await asks(all, next);
    }
    await all.end("a", "SIGKILL");
    await approved(all, "q3", "b");
    all.start("a");
    await balanced();
    const sent = await stop();
    const applied = async (): Promise<readonly string[]> =>
      (await sessions(all)).filter((each) => !each.startsWith("chat/"));
    await expect.poll(async () => (await applied()).length, { timeout: 60_000 }).toBe(sent.length);
    expect(await applied()).toEqual(sent);
    await expect
      .poll(() => heard.filter((each) => each.endsWith(".approved")).length, { timeout: 20_000 })
      .toBe(3);
    expect(new Set(heard.filter((each) => each.endsWith(".approved"))).size).toBe(3);
  },
  TEST_MS,
);

test(
  "CLUSTER-RUN-3, CLUSTER-WHOLE-1: with one node more, an engine that moves away goes on until its folder is removed; and the node can leave again",
  async () => {
    await started();
    const file = join(all.dir, "cluster.yaml");
    const layout = readFileSync(file, "utf8");
    const port = Number(/b: http:\/\/127\.0\.0\.1:(\d+)/.exec(layout)?.[1]) + 100;
    writeFileSync(file, `${layout.trimEnd()}\n  c: http://127.0.0.1:${port}\n`);
    all.start("c");
    await all.node("c").said(/: Signalbox runs at/);
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    for (const node of ["a", "b"]) {
      await all.end(node, "SIGTERM");
      all.start(node);
      expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    }
    const { rows } = await all.status();
    for (const node of ["a", "b"])
      for (const { partition, owner, spares } of rows) {
        if ([owner, ...spares.map((each) => each.node)].includes(node)) continue;
        await all.node(node).said(new RegExp(`p${partition} is no longer placed at ${node}`));
        await all.end(node, "SIGTERM");
        rmSync(all.dataOf(node, partition), { recursive: true });
        all.start(node);
        await all.node(node).said(/: Signalbox runs at/);
        expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
      }
    await balanced();
    expect((await all.status()).rows.flatMap(({ spares }) => spares)).toHaveLength(2);

    writeFileSync(file, layout);
    await all.end("a", "SIGTERM");
    all.start("a");
    // The engines that move to b start once b is restarted.
    const isBack = ({ owner, troubles }: Told): boolean =>
      owner !== undefined && troubles.every((each) => each.startsWith("b: no engine answers"));
    await expect
      .poll(async () => (await all.status()).rows.map(isBack), { timeout: 120_000 })
      .toEqual([true, true]);
    await all.end("b", "SIGTERM");
    all.start("b");
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    await all.end("c", "SIGTERM");
    expect(await all.status("--wait", "120")).toMatchObject({ code: 0 });
    await balanced();
  },
  TEST_MS,
);
