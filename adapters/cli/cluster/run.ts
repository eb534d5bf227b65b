// cluster up
// Runs the engines that the layout places at this node, and hands partitions to the nodes that should own them.
//
//   Owns:          the settings and the output of each engine, starting an engine again when it ends.
//   Does not own:  keeping one engine running (commands/up), which engines a node has (placement), when to hand over (balance).
//   Decided in:    docs/decisions/0104-a-cluster-is-a-folder.md, docs/decisions/0109-what-the-operator-does.md.
//
// CLUSTER-RUN-1. Each engine of a node is an ordinary engine with a data folder of its own. An engine gets only its own
//     partition's password, in its environment and never in its arguments.
// CLUSTER-RUN-2. If one engine of a node ends, the others go on, and the ended one is started again.
// CLUSTER-RUN-3. If the layout no longer places an engine at this node, this node still runs the engine for as long as the
//     engine's data folder is on this node.
// CLUSTER-RUN-4. A second start on the same data folders is refused. After a node was killed, a start waits a while until the
//     engines of the killed node have ended.

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PARTS } from "../../../runtime/access-token.ts";
import { unlessMissing } from "../../../runtime/errors/system-codes.ts";
import { Balance } from "./balance.ts";
import { type ClusterFolder, clusterFolder, secretIn } from "./folder.ts";
import { addressOf, type Layout, nodesOf, peersText, portOf } from "./layout.ts";
import { placed } from "./placement.ts";
import { heardOf, isClose } from "./standings.ts";
import { Client, succeeded } from "../client.ts";
import type { Context } from "../command.ts";
import { Failure, reasonText, misused, reasonOf } from "../failures/failure.ts";
import { runningOn, standingOn } from "../running.ts";
import type { Terminal } from "../output/terminal.ts";
import { settingsOf } from "../settings/file.ts";
import { SIGNALS } from "../supervisor/supervisor.ts";
import { runSupervised } from "../commands/up.ts";

/** The name that the cluster's token has at each engine; ACCESS: what another engine may do with this token. */
const TOKEN = "cluster";
const ACCESS = { parts: new Set(PARTS.filter((part) => part !== "emit")), vouches: true } as const;
const PASSWORD = /^P(\d+)_PASSWORD$/;
const AGAIN_MS = 30_000;
/** After this time, ms, an engine whose node was killed has certainly ended. */
const ENDING_MS = 10_000;
const LOOK_MS = 2_000;

interface Node {
  readonly cluster: ClusterFolder;
  readonly name: string;
  readonly all: readonly (readonly string[])[];
  readonly data: string;
  readonly token: string;
  readonly context: Context;
  readonly json: boolean;
  readonly stopping: AbortSignal;
}

export interface RunOptions {
  readonly node: string;
  readonly data?: string;
  readonly json?: boolean;
}

export async function runNode(
  dir: string,
  { node: name, data, json = false }: RunOptions,
  context: Context,
): Promise<void> {
  const cluster = await clusterFolder(dir, context.wiring);
  const { layout } = cluster;
  const all = placed(nodesOf(layout), layout.partitions, layout.spares);
  if (!nodesOf(layout).includes(name))
    throw misused(`The layout has no node ${name}.`, `The layout's nodes are ${nodesOf(layout).join(", ")}.`);
  const token = await secretIn(cluster.token, context.wiring);
  const stop = new AbortController();
  const node: Node = {
    ...{ cluster, name, all, token, context, json, stopping: stop.signal },
    data: resolve(data ?? join(cluster.dir, "data", name)),
  };
  const mine = await enginesAt(node);
  checkPasswords(mine, context.env);
  await checkFree(mine, node);
  await mkdir(node.data, { recursive: true, mode: 0o700 });
  await writeFile(peersFile(node), peersText(layout, all, cluster.token), { mode: 0o600 });
  // Each engine's supervisor listens for signals, too. At more than ten listeners, Node would warn of a leak.
  process.setMaxListeners(0);
  for (const signal of SIGNALS) process.on(signal, () => stop.abort());
  await Promise.all([...mine.map((partition) => keep(partition, node)), balance(mine, node)]);
}

const peersFile = ({ data }: Node): string => join(data, "peers.yaml");
const dataOf = ({ data }: Node, partition: number): string => join(data, `p${partition}`);

async function enginesAt(node: Node): Promise<readonly number[]> {
  const { all, name, data, context } = node;
  const there = (await unlessMissing(readdir(data))) ?? [];
  return [...all.keys()].filter((partition) => {
    if (all[partition]?.includes(name)) return true;
    if (!there.includes(`p${partition}`)) return false;
    context.terminal.err(
      `p${partition} is no longer placed at ${name}. Its engine goes on as one more spare. Once \`cluster status\` calls the partition whole, stop this, remove ${dataOf(node, partition)} and start again.`,
    );
    return true;
  });
}

const passwordsIn = (env: NodeJS.ProcessEnv): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(env).flatMap(([name, password = ""]) => {
      const [, partition] = PASSWORD.exec(name) ?? [];
      return partition === undefined || password === "" ? [] : [[Number(partition), password]];
    }),
  );

function checkPasswords(mine: readonly number[], env: NodeJS.ProcessEnv): void {
  const passwords = passwordsIn(env);
  const missing = mine.filter((partition) => !passwords.has(partition));
  if (missing.length > 0)
    throw new Failure(
      `The environment lacks ${missing.map((partition) => `P${partition}_PASSWORD`).join(", ")}.`,
      "Set each variable to the password of the partition's user in partitions.conf, and export it.",
    );
}

async function checkFree(mine: readonly number[], node: Node): Promise<void> {
  const { name, data, context } = node;
  const folders = mine.map((partition) => context.wiring.folder(dataOf(node, partition)));
  for (const until = performance.now() + ENDING_MS; ;) {
    const [running] = (await Promise.all(folders.map(runningOn))).filter((url) => url !== undefined);
    if (running === undefined) return;
    if (performance.now() > until)
      throw new Failure(
        `Engines of node ${name} run already, on the data folders in ${data}: one of them is at ${running}.`,
        "Stop that `npx signalbox cluster up` first, or name other data folders with --data.",
      );
    await sleep(LOOK_MS);
  }
}

async function keep(partition: number, node: Node): Promise<void> {
  const { stopping } = node;
  const terminal = marked(partition, node);
  for (;;) {
    await run(partition, node, terminal).catch((error: unknown) => terminal.err(reasonText(reasonOf(error))));
    if (stopping.aborted) return;
    terminal.err(`This engine has ended, and is started again in ${AGAIN_MS / 1_000} s.`);
    if (await sleep(AGAIN_MS, false, { signal: stopping }).catch(() => true)) return;
  }
}

async function run(partition: number, node: Node, terminal: Terminal): Promise<void> {
  const { cluster, name, token, context, stopping } = node;
  const { layout } = cluster;
  const { wiring } = context;
  const folder = wiring.folder(dataOf(node, partition));
  if ((await folder.tokenOf(TOKEN)) !== token) await folder.removeToken(TOKEN);
  await folder.addToken(TOKEN, ACCESS, token);
  const within = { ...context, env: environmentOf(partition, layout, context.env) };
  const { settings } = await settingsOf({}, folder, within);
  const flags = {
    port: portOf(layout, name, partition),
    name: [addressOf(layout, name, partition), ...(settings.name ?? [])],
    natsReplicas: layout.replicas,
    partition: `${partition}/${layout.partitions}`,
    ...(layout.spares > 0 && { follow: cluster.key }),
    ...(partition === 0 && layout.partitions > 1 && { peers: peersFile(node) }),
  };
  await runSupervised(
    folder,
    { told: await settingsOf(flags, folder, within), journal: "server" },
    {
      ...{ ...within, terminal, stopping, told: () => undefined },
      output: (chunk) => terminal.err(Buffer.from(chunk).toString().trimEnd()),
    },
  );
}

function marked(partition: number, { context: { terminal }, json }: Node): Terminal {
  const say = (text: string, to: "out" | "err"): void => {
    for (const line of text.split("\n")) {
      if (json) terminal.json({ partition, text: line });
      else terminal[to](`p${partition}: ${line}`);
    }
  };
  return {
    ...terminal,
    out: (text) => say(typeof text === "string" ? text : text.map((each) => each.text).join("\n"), "out"),
    err: (text) => say(text, "err"),
  };
}

function environmentOf(partition: number, { nats }: Layout, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const user = `p${partition}:${encodeURIComponent(passwordsIn(env).get(partition) ?? "")}@`;
  const own = Object.entries(env).filter(([name]) => !PASSWORD.test(name));
  return {
    ...Object.fromEntries(own),
    SIGNALBOX_NATS_URL: nats.map((url) => url.replace("//", `//${user}`)).join(","),
  };
}

async function balance(mine: readonly number[], node: Node): Promise<void> {
  const balance = new Balance();
  while (!node.stopping.aborted) {
    for (const partition of mine) {
      const mayGo = await mayGoBack(partition, node);
      if (balance.isDue(partition, mayGo, performance.now())) {
        await giveBack(partition, node);
        break;
      }
    }
    await sleep(LOOK_MS, undefined, { signal: node.stopping }).catch(() => undefined);
  }
}

async function mayGoBack(partition: number, node: Node): Promise<boolean> {
  const { all, name, cluster, context } = node;
  const [preferred = name] = all[partition] ?? [];
  if (preferred === name) return false;
  if ((await standingOn(context.wiring.folder(dataOf(node, partition)))).role !== "owner") return false;
  return isClose(await heardOf(cluster.layout, partition, preferred));
}

async function giveBack(partition: number, node: Node): Promise<void> {
  const terminal = marked(partition, node);
  const folder = node.context.wiring.folder(dataOf(node, partition));
  terminal.out(
    `This node gives p${partition} back to the node ${node.all[partition]?.[0]}, whose spare has caught up.`,
  );
  try {
    const exchange = await folder.engine();
    if (exchange)
      succeeded(
        await new Client(exchange, folder.dir, folder.dir).send("POST", "/v1/handover", { body: {} }),
      );
  } catch (error) {
    terminal.err(reasonText(reasonOf(error)));
  }
}
