// Cluster
// Several partitions on two nodes of this machine, started from one folder, and services that reach them all by one door.
//
//   Owns:          the nodes' processes, who owns each partition, making everything whole again.
//   Does not own:  the folder and the server (support/cluster/nodes), when something is struck (round), what is held against what
//                  at the end (struck).
//
// NODES-CLUSTER-1. Only processes that were started here are struck, each by its own id. (checked by review: as CHAOS-WORLD-1)
// NODES-CLUSTER-2. Whoever answers uses the inboxes of both nodes in turn, whichever partition has the approval. (checked by
//     review: `worldOf` asks no other engine than those of partition 0)

import { userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, connect } from "../../../adapters/nats/client/client.ts";
import { partitionOf } from "../../../runtime/cluster/partition.ts";
import { childrenOf, commandOf } from "../../support/client/claude.ts";
import { type Nodes, nodes, passwordOf } from "../../support/cluster/nodes.ts";
import { at } from "../../support/engine/json.ts";
import { operator } from "../../support/nats/on-nats.ts";
import type { Started } from "../../support/processes/program.ts";
import type { Answerable } from "../answers.ts";
import { asks, type Reply, standsBy } from "../asking.ts";
import type { Published } from "../cluster/log.ts";
import { hasEnded, tell } from "../world.ts";

export const NODES = ["a", "b"] as const;
export type NodeName = (typeof NODES)[number];

const WORKSPACES_EACH = 2;
/** More than an engine takes that ended for good: its node starts it again after 30 s. */
const WHOLE_MS = 180_000;
const ENDS_MS = 60_000;
const LOOK_MS = 50;
const LOAD_MS = 500;

export class Cluster {
  readonly partitions: readonly number[];
  /** Some of each partition. */
  readonly workspaces: readonly string[];
  readonly #nodes: Nodes;
  readonly #up = new Map<NodeName, Started>();
  readonly #owners: NodeName[];
  readonly #clients = new Map<string, Promise<Client>>();
  readonly #said: string[] = [];
  readonly #over = new AbortController();
  #load: Promise<ReadonlyMap<string, string>> | undefined;
  #turn = 0;

  private constructor(all: Nodes, partitions: number) {
    this.#nodes = all;
    this.partitions = Array.from({ length: partitions }, (_, n) => n);
    this.#owners = this.partitions.map(() => "a");
    this.workspaces = this.partitions.flatMap((n) => named(n, partitions));
  }

  static async make(partitions: number): Promise<Cluster> {
    const cluster = new Cluster(await nodes(partitions, (conf) => withChanges(conf, partitions)), partitions);
    try {
      await cluster.mend();
    } catch (error) {
      await cluster.end();
      throw error;
    }
    cluster.#load = cluster.#publishOn();
    cluster.#load.catch(() => undefined);
    return cluster;
  }

  get server(): Nodes["server"] {
    return this.#nodes.server;
  }

  /** The process of a node, and its engines. */
  processes(node: NodeName): { readonly supervisor: number; readonly engines: readonly number[] } {
    const pid = this.#up.get(node)?.child.pid ?? 0;
    return { supervisor: pid, engines: pid > 1 ? childrenOf(pid) : [] };
  }

  engineOf(node: NodeName, partition: number): readonly number[] {
    const place = ` ${this.#dataOf(node, partition)} `;
    return this.processes(node).engines.filter((pid) => commandOf(pid).includes(place));
  }

  /** @returns once a node that was told to end has ended. @throws Error if it does not end. */
  async gone(node: NodeName): Promise<void> {
    const late = sleep(ENDS_MS, "late" as const, { ref: false });
    if ((await Promise.race([this.#up.get(node)?.ended, late])) === "late")
      throw new Error(`Node ${node} was told to end, and runs on.\n${await this.#told()}`);
  }

  ownerOf(partition: number): NodeName {
    return this.#owners[partition] ?? "a";
  }

  spareOf(partition: number): NodeName {
    return otherThan(this.ownerOf(partition));
  }

  #dataOf(node: NodeName, partition: number): string {
    return this.#nodes.dataOf(node, partition);
  }

  #readiness(node: NodeName, partition: number): Promise<Reply> {
    return asks(this.#dataOf(node, partition))("GET", "/readyz", { withinMs: 500 });
  }

  async #isOwned(partition: number): Promise<boolean> {
    for (const node of [this.ownerOf(partition), this.spareOf(partition)]) {
      if ((await this.#readiness(node, partition)).status !== 200) continue;
      this.#owners[partition] = node;
      return true;
    }
    return false;
  }

  /** @returns whether each partition has an engine that owns it and takes messages in. */
  async look(): Promise<boolean> {
    return (await Promise.all(this.partitions.map((n) => this.#isOwned(n)))).every(Boolean);
  }

  async #isWhole(partition: number, compared: boolean): Promise<boolean> {
    if (!(await this.#isOwned(partition))) return false;
    const { body } = await this.#readiness(this.spareOf(partition), partition);
    if (compared && at(body, "uncompared") !== 0) return false;
    return standsBy(body);
  }

  /** Makes everything whole. @param compared waits until each spare has compared all that it has, too. */
  async mend(compared = false): Promise<void> {
    for (const node of NODES) {
      const { supervisor, engines } = this.processes(node);
      for (const pid of [supervisor, ...engines]) tell(pid, "SIGCONT");
      this.#again(node);
    }
    const isWhole = async (): Promise<boolean> => {
      for (const node of NODES) this.#again(node);
      return (await Promise.all(this.partitions.map((n) => this.#isWhole(n, compared)))).every(Boolean);
    };
    for (const until = performance.now() + WHOLE_MS; !(await isWhole());) {
      if (performance.now() > until) throw new Error(`Not each partition is whole.\n${await this.#told()}`);
      await sleep(LOOK_MS);
    }
  }

  /** Has all engines end their terms at one entry and start again, as when a new version was installed. */
  async upgrade(): Promise<void> {
    // Engines of the same version need not leave the journal to a newer one.
    await this.#nodes.desk.run(["cluster", "upgrade", this.#nodes.dir, "--leave", "0", "--wait", "60"]);
  }

  #again(node: NodeName): void {
    const up = this.#up.get(node);
    if (up && !hasEnded(up.child)) return;
    if (up) this.#said.push(up.out, up.err);
    this.#nodes.start(node);
    this.#up.set(node, this.#nodes.node(node));
  }

  async #told(): Promise<string> {
    const { rows } = await this.#nodes.status();
    return `${this.said.slice(-8_000)}\n${rows.map((row) => JSON.stringify(row)).join("\n")}`;
  }

  /** All that the nodes have printed. */
  get said(): string {
    return [...this.#said, ...[...this.#up.values()].flatMap(({ out, err }) => [out, err])].join("\n");
  }

  /** Each session has one, by its name. */
  workspaceOf(session: string): string {
    return this.workspaces[partitionOf(session, this.workspaces.length)] ?? "";
  }

  homeOf(workspace: string): number {
    return partitionOf(workspace, this.partitions.length);
  }

  /** Where a session is asked about, and where its approvals are answered. */
  worldOf(session: string): Answerable {
    const workspace = this.workspaceOf(session);
    const inbox = (): string => this.#dataOf(NODES[(this.#turn += 1) % NODES.length] ?? "a", 0);
    return {
      ask: (...asked) => asks(inbox())(...asked),
      run: (args) => this.#nodes.desk.run(args, { env: { SIGNALBOX_DATA: inbox() } }),
      service: () => this.#service(workspace),
      ...(this.homeOf(workspace) > 0 && { through: `http:cluster/local:${userInfo().username}` }),
    };
  }

  #service(workspace: string): Promise<Client> {
    const known = this.#clients.get(workspace);
    if (known) return known;
    const client = connect({
      ...{ url: this.server.url, user: "door", password: passwordOf("DOOR"), workspace },
      ...{ source: "/chaos", deadlineMs: 60_000 },
    });
    this.#clients.set(workspace, client);
    return client;
  }

  /** Services begin sessions in all workspaces until they are stopped. @returns the workspace of each session. */
  async #publishOn(): Promise<ReadonlyMap<string, string>> {
    const acknowledged = new Map<string, string>();
    for (let n = 0; !this.#over.signal.aborted; n += 1) {
      const session = `load-${n}`;
      const workspace = this.workspaceOf(session);
      const client = await this.#service(workspace);
      await client.session(session).publish("session.started", {}, { id: session });
      acknowledged.set(session, workspace);
      await sleep(LOAD_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
    return acknowledged;
  }

  /** Ends the services. @returns the workspace of each session whose message was acknowledged. */
  async acknowledged(): Promise<ReadonlyMap<string, string>> {
    this.#over.abort();
    return (await this.#load) ?? new Map<string, string>();
  }

  /** What an engine exports of its own partition. */
  async exported(node: NodeName, partition: number): Promise<string> {
    const data = this.#dataOf(node, partition);
    for (let left = 5; ; left -= 1) {
      const { code, out, err } = await this.#nodes.desk.run(["export", "--json", "--data", data]);
      if (code === 0) return ofOwn(out);
      if (left === 0) throw new Error(`The export of p${partition} at ${node} failed: ${err}`);
      // A node that has just given a partition back starts its engine again.
      await this.mend(true);
    }
  }

  /** All changes that a partition's stream has, in its order. */
  async published(partition: number): Promise<readonly Published[]> {
    const user = `p${partition}:${passwordOf(`P${partition}`)}`;
    const other = await operator(this.server.url.replace("//", `//${user}@`));
    const messages = await other.all("SIGNALBOX_STATE");
    await other.close();
    return messages.map((each) => ({ id: each.headers?.get("Nats-Msg-Id") ?? "", text: each.string() }));
  }

  async end(): Promise<void> {
    this.#over.abort();
    const clients = await Promise.allSettled(this.#clients.values());
    await Promise.all(clients.map(async (each) => each.status === "fulfilled" && each.value.close()));
    await this.#load?.catch(() => undefined);
    for (const node of NODES) {
      const { supervisor, engines } = this.processes(node);
      for (const pid of [supervisor, ...engines]) tell(pid, "SIGCONT");
    }
    await this.#nodes.clear();
  }
}

/** An export without the lines that its engine has from others. */
function ofOwn(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.filter((line) => at(JSON.parse(line), "engine") === undefined).join("\n");
}

const otherThan = (node: NodeName): NodeName => (node === "a" ? "b" : "a");

/** The first names that lead to a partition. */
const named = (partition: number, of: number): readonly string[] =>
  Array.from({ length: 100 * of }, (_, n) => `w${n}`)
    .filter((name) => partitionOf(name, of) === partition)
    .slice(0, WORKSPACES_EACH);

/** The door hears the changes of all workspaces, as the users of a workspace hear theirs. */
function withChanges(conf: string, partitions: number): string {
  const changes = Array.from(
    { length: partitions },
    (_, n) => `{ stream: { account: P${n}, subject: "signalbox.v1.state.>" } }`,
  );
  return conf.replace("imports = [", `imports = [\n${changes.join("\n")}`);
}
