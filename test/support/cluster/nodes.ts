// Nodes
// A cluster of partitions on two nodes of this machine, by the commands that its operator types.
//
//   Owns:          the NATS server with the cluster's accounts, starting and ending a node, the commands' answers.
//   Does not own:  what is sent and expected.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { freePorts } from "../http/free-port.ts";
import { type NatsServer, natsServer } from "../nats/server.ts";
import { type Ended, Desk, jsonLines, type Started } from "../processes/program.ts";

/** One partition, as `cluster status` tells it. */
export interface Told {
  readonly partition: number;
  readonly owner?: string;
  readonly preferred: string;
  readonly spares: readonly { readonly node: string }[];
  readonly whole: boolean;
  readonly troubles: readonly string[];
}

/** Each user's password tells whose it is. */
export const passwordOf = (user: string): string => `secret-${user.toLowerCase()}`;

export class Nodes {
  readonly desk = new Desk();
  readonly dir = join(this.desk.dir, "cluster");
  readonly server: NatsServer;
  readonly #open: NatsConnection[] = [];
  readonly #up = new Map<string, Started>();
  readonly #passwords: Readonly<Record<string, string>>;
  /** Another program than the built one, if set before a start. */
  program: string | undefined;

  constructor(server: NatsServer, partitions: number) {
    this.server = server;
    const users = Array.from({ length: partitions }, (_, n) => `P${n}`);
    this.#passwords = Object.fromEntries(users.map((user) => [`${user}_PASSWORD`, passwordOf(user)]));
  }

  node(name: string): Started {
    const node = this.#up.get(name);
    if (!node) throw new Error(`${name} was not started.`);
    return node;
  }

  start(name: string): void {
    this.#up.set(
      name,
      this.desk.start(["cluster", "up", this.dir, "--node", name], {
        env: this.#passwords,
        ...(this.program !== undefined && { program: this.program }),
      }),
    );
  }

  /** Starts a node a second time. */
  startedAgain(name: string): Promise<Ended> {
    return this.desk.run(["cluster", "up", this.dir, "--node", name], { env: this.#passwords });
  }

  async end(name: string, signal: NodeJS.Signals): Promise<Ended> {
    const node = this.node(name);
    node.child.kill(signal);
    return node.ended;
  }

  /** @param more such as `--wait`. */
  async status(
    ...more: readonly string[]
  ): Promise<{ readonly code: number | null; readonly rows: readonly Told[] }> {
    const { code, out } = await this.desk.run(["cluster", "status", this.dir, "--json", ...more]);
    return { code, rows: jsonLines(out) as readonly Told[] };
  }

  dataOf(node: string, partition: number): string {
    return join(this.dir, "data", node, `p${partition}`);
  }

  async as(user: string, password: string): Promise<NatsConnection> {
    const connection = await connect({ servers: this.server.url, user, pass: passwordOf(password) });
    this.#open.push(connection);
    return connection;
  }

  async clear(): Promise<void> {
    await Promise.all(this.#open.map((connection) => connection.close()));
    await this.desk.clear();
    await this.server.dispose();
  }
}

/**
 * Makes the cluster's folder with `cluster init`, and starts the server. No node is started.
 * @param edited what the server reads instead of partitions.conf.
 */
export async function nodes(partitions = 2, edited = (conf: string): string => conf): Promise<Nodes> {
  let conf = "";
  const server = await natsServer(() => (conf === "" ? [] : ["-c", conf]));
  const all = new Nodes(server, partitions);
  const port = await freePorts(2 * partitions);
  const made = await all.desk.run([
    ...["cluster", "init", all.dir, "--partitions", `${partitions}`, "--replicas", "1", "--nats", server.url],
    ...["--node", `a=http://127.0.0.1:${port}`, "--node", `b=http://127.0.0.1:${port + partitions}`],
  ]);
  if (made.code !== 0) throw new Error(made.err);
  conf = join(all.desk.dir, "nats.conf");
  const accounts = edited(readFileSync(join(all.dir, "partitions.conf"), "utf8"));
  const filled = accounts.replace(/\$([A-Z0-9]+)_PASSWORD/g, (_, user: string) => passwordOf(user));
  writeFileSync(conf, `max_payload: 8MB\n${filled}`);
  await server.kill();
  await server.start();
  return all;
}
