// Operator
// What an operator of the cluster sees and does beside the engines, over no link.
//
//   Owns:          the leader, who holds which copies, expelling a server, reading the stream of changes.
//   Does not own:  the servers (members), striking them (faults).

import { setTimeout as sleep } from "node:timers/promises";
import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { operator } from "../../support/nats/on-nats.ts";
import type { Published } from "./log.ts";
import type { Member } from "./members.ts";

const JOURNAL = "SIGNALBOX_IN";
/** The code of the servers' answer about a name that none of them has. */
const NOT_A_MEMBER = 10_044;
const TRIES = 300;
const AGAIN_MS = 100;

export class Operator {
  readonly #members: readonly Member[];
  #connection: NatsConnection | undefined;

  constructor(members: readonly Member[]) {
    this.#members = members;
  }

  /** The server that leads the journal's stream, or any where none does. */
  async leader(): Promise<Member> {
    const manager = await this.#manager();
    const info = await manager.streams.info(JOURNAL).catch(() => undefined);
    const [first] = this.#members;
    const { leader = first?.name } = info?.cluster ?? {};
    const member = this.#members.find(({ name }) => name === leader);
    if (!member) throw new Error(`No server is called ${leader}.`);
    return member;
  }

  /** Another server leads the journal's stream from now on. */
  async stepDown(): Promise<void> {
    const asked = (await this.#beside()).request(`$JS.API.STREAM.LEADER.STEPDOWN.${JOURNAL}`);
    // Without a leader nobody steps down.
    await asked.catch(() => undefined);
  }

  /** @returns whether each server holds all of every stream. */
  async areCopied(): Promise<boolean> {
    try {
      const streams = await (await this.#manager()).streams.list().next();
      const copies = streams.map(({ cluster }) => (cluster?.replicas ?? []).filter(({ current }) => current));
      return streams.length > 0 && copies.every(({ length }) => length === this.#members.length - 1);
    } catch {
      return false;
    }
  }

  /** The other servers no longer wait for the server of this name. @throws Error if they still do. */
  async expel(name: string): Promise<void> {
    const connection = await connect({ servers: this.#servers, user: "operator", pass: "operator" });
    const asked = JSON.stringify({ peer: name });
    for (let tries = 0; ; tries += 1) {
      const answer = await connection.request("$JS.API.SERVER.REMOVE", asked).catch(() => undefined);
      const { success, error } = answer?.json<{ success?: boolean; error?: { err_code: number } }>() ?? {};
      if (success === true || error?.err_code === NOT_A_MEMBER) break;
      if (tries > TRIES) throw new Error(`The cluster still knows ${name}: ${JSON.stringify(error)}`);
      await sleep(AGAIN_MS);
    }
    await connection.close();
  }

  /** How the journal stands, for a person. */
  async journal(): Promise<unknown> {
    const manager = await this.#manager();
    const { state, cluster } = await manager.streams.info(JOURNAL);
    return { state, cluster, consumers: await manager.consumers.list(JOURNAL).next() };
  }

  /** All changes that the stream has, in its order. */
  async published(): Promise<readonly Published[]> {
    const other = await operator(this.#servers[0] ?? "");
    const messages = await other.all("SIGNALBOX_STATE");
    await other.close();
    return messages.map((each) => ({ id: each.headers?.get("Nats-Msg-Id") ?? "", text: each.string() }));
  }

  get #servers(): string[] {
    return this.#members.map(({ server }) => server.url);
  }

  async #beside(): Promise<NatsConnection> {
    const servers = this.#servers;
    return (this.#connection ??= await connect({
      servers,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
    }));
  }

  async #manager(): Promise<JetStreamManager> {
    return (await this.#beside()).jetstreamManager({ checkAPI: false });
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }
}
