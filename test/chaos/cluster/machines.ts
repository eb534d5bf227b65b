// Machines
// Three nats-servers and two engines that stand by for each other, each as on a machine of its own, with links between them.
//
//   Owns:          their processes and links, which engine owns the journal, making everything whole again.
//   Does not own:  when something is struck (faults), what is asked and answered (round).
//
// CLUSTER-MACHINES-1. Engines reach servers, and servers one another, only over links that can be cut; the driver is outside.
//     (checked by review: no address of a server is given to an engine or a server)
// CLUSTER-MACHINES-2. Only processes that were started here are struck, each by its own id. (checked by review: as CHAOS-WORLD-1)

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, connect } from "../../../adapters/nats/client/client.ts";
import { at } from "../../support/engine/json.ts";
import { childrenOf } from "../../support/client/claude.ts";
import { Desk, type Ended, type Started } from "../../support/processes/program.ts";
import type { Answerable } from "../answers.ts";
import { type Ask, asks, standsBy } from "../asking.ts";
import { hasEnded, tell } from "../world.ts";
import { type Link, link } from "./link.ts";
import { Machine } from "./machine.ts";
import { addressOf, type Member, membersOf } from "./members.ts";
import { Operator } from "./operator.ts";

const WORKSPACE = "chaos";
const ENGINES = ["a", "b"] as const;
export type EngineName = (typeof ENGINES)[number];

const READY_MS = 90_000;
const LOOK_MS = 25;

export class Machines implements Answerable {
  readonly #desk = new Desk();
  readonly members: readonly Member[];
  readonly operator: Operator;
  /** From each engine to each server. */
  readonly links: Readonly<Record<EngineName, readonly Link[]>>;
  readonly #engines = new Map<EngineName, Started>();
  readonly #own: Readonly<Record<EngineName, Machine>> = { a: new Machine(), b: new Machine() };
  #client: Client | undefined;
  #owner: EngineName = "a";
  #asked = 0;
  /** The last question got no answer. */
  #isLost = false;
  /** What engines printed that have ended. */
  readonly #said: string[] = [];

  private constructor(members: readonly Member[], links: Machines["links"]) {
    this.members = members;
    this.operator = new Operator(members);
    this.links = links;
  }

  /** The clock and the disk of an engine. */
  readonly of = (name: EngineName): Machine => this.#own[name];

  /** @param count of servers: 3, or 1 for a nats-server that is too old for copies. */
  static async make(count: number): Promise<Machines> {
    const members = await membersOf(count);
    const linked = (): Promise<readonly Link[]> =>
      Promise.all(members.map(({ server }) => link(server.port)));
    const machines = new Machines(members, { a: await linked(), b: await linked() });
    try {
      await machines.#begin();
    } catch (error) {
      await machines.end();
      throw error;
    }
    return machines;
  }

  /** The first owner makes the key that the other one follows with. */
  async #begin(): Promise<void> {
    const first = this.#start("a", []);
    await this.#until("the first engine is ready", () => this.#isReady("a"), first);
    copyFileSync(join(this.#dir("a"), "key"), this.#key);
    first.child.kill("SIGTERM");
    await first.ended;
    await this.mend();
  }

  get #key(): string {
    return join(this.#desk.dir, "owner.key");
  }

  #dir(name: EngineName): string {
    return this.of(name).data;
  }

  #start(name: EngineName, more: readonly string[]): Started {
    const nats = this.links[name].map(addressOf).join(",");
    const place = [
      ...["--nats", nats, "--nats-replicas", String(this.members.length)],
      ...["--port", "0", "--data", this.#dir(name)],
    ];
    const started = this.#desk.start(["up", ...place, ...more], { env: this.of(name).env });
    this.#engines.set(name, started);
    return started;
  }

  /** The supervisor of an engine, and its processes. */
  processes(name: EngineName): { readonly supervisor: number; readonly engines: readonly number[] } {
    const pid = this.#engines.get(name)?.child.pid ?? 0;
    return { supervisor: pid, engines: pid > 1 ? childrenOf(pid) : [] };
  }

  /** @returns once an engine that was told to end has ended. */
  async gone(name: EngineName): Promise<void> {
    await this.#engines.get(name)?.ended;
  }

  get owner(): EngineName {
    return this.#owner;
  }

  get spare(): EngineName {
    return this.#owner === "a" ? "b" : "a";
  }

  async #isReady(name: EngineName): Promise<boolean> {
    return (await asks(this.#dir(name))("GET", "/readyz", { withinMs: 500 })).status === 200;
  }

  /** @returns whether an engine owns the journal and takes messages in. */
  async look(): Promise<boolean> {
    const first = this.#owner;
    for (const name of [first, this.spare] as const) {
      if (!(await this.#isReady(name))) continue;
      this.#owner = name;
      return true;
    }
    return false;
  }

  /** Asks either engine: both say what is so, or nothing. Whoever got no answer looks for the owner, and asks there next. */
  readonly ask: Ask = async (method, path, options) => {
    const name = this.#isLost || (this.#asked += 1) % 2 === 0 ? this.#owner : this.spare;
    const reply = await asks(this.#dir(name))(method, path, options);
    this.#isLost = reply.status === 0 || reply.status === 503;
    if (this.#isLost) await this.look();
    return reply;
  };

  run(args: readonly string[], name: EngineName = this.#owner): Promise<Ended> {
    return this.#desk.run(args, { env: { SIGNALBOX_DATA: this.#dir(name) } });
  }

  /** Reaches the servers over no link. */
  async service(): Promise<Client> {
    const url = this.members.map(({ server }) => server.url).join(",");
    return (this.#client ??= await connect({
      url,
      workspace: WORKSPACE,
      source: "/chaos",
      deadlineMs: 60_000,
    }));
  }

  /** The links between one server and the others, in both directions. */
  routesOf(member: Member): readonly Link[] {
    const own = this.members.indexOf(member);
    const all = [...member.routes, ...this.members.map(({ routes }) => routes[own])];
    return all.filter((each) => each !== undefined);
  }

  /** Makes everything whole. @returns once one engine owns the journal, and the other one stands by with nothing to read. */
  async mend(): Promise<void> {
    for (const { server, routes } of this.members) {
      server.resume();
      for (const each of routes) each?.mend();
    }
    for (const name of ENGINES) {
      for (const each of this.links[name]) each.mend();
      this.of(name).free();
      this.of(name).step(0);
      const { supervisor, engines } = this.processes(name);
      for (const pid of [supervisor, ...engines]) tell(pid, "SIGCONT");
    }
    await this.#until("one engine owns the journal and the other one stands by", async () => {
      for (const name of ENGINES) this.#again(name);
      return (await this.look()) && (await this.#standsBy(this.spare));
    });
    // JetStream promises nothing to whoever loses a second disk before the first one has its copies again.
    await this.#until("each server holds all streams", () => this.operator.areCopied());
  }

  #again(name: EngineName): void {
    const engine = this.#engines.get(name);
    if (engine && !hasEnded(engine.child)) return;
    if (engine) this.#said.push(engine.out, engine.err);
    this.#start(name, ["--follow", this.#key]);
  }

  async #told(): Promise<string> {
    const engines = await Promise.all(ENGINES.map((name) => asks(this.#dir(name))("GET", "/readyz")));
    const journal = await this.operator.journal().catch(String);
    return JSON.stringify({ engines, journal });
  }

  async #standsBy(name: EngineName): Promise<boolean> {
    const { body } = await asks(this.#dir(name))("GET", "/readyz", { withinMs: 500 });
    return standsBy(body);
  }

  /** The spare has compared all that it has. */
  async agreed(): Promise<void> {
    await this.#until("the spare has compared everything", async () => {
      const { body } = await asks(this.#dir(this.spare))("GET", "/readyz", { withinMs: 500 });
      return at(body, "uncompared") === 0 && at(body, "lag") === 0;
    });
  }

  async #until(what: string, holds: () => Promise<boolean>, engine?: Started): Promise<void> {
    for (const until = performance.now() + READY_MS; !(await holds());) {
      if (engine && hasEnded(engine.child)) throw new Error(`It ended before ${what}:\n${engine.err}`);
      if (performance.now() > until)
        throw new Error(
          `It did not come to this: ${what}.\n${this.said.slice(-8_000)}\n${await this.#told()}`,
        );
      await sleep(LOOK_MS);
    }
  }

  /** All that the engines have printed. */
  get said(): string {
    const running = [...this.#engines.values()].flatMap(({ out, err }) => [out, err]);
    return [...this.#said, ...running].join("\n");
  }

  async end(): Promise<void> {
    await this.#client?.close();
    for (const name of ENGINES) for (const pid of this.processes(name).engines) tell(pid, "SIGCONT");
    await this.#desk.clear();
    for (const name of ENGINES) this.of(name).dispose();
    await this.operator.close();
    const links = [
      ...ENGINES.flatMap((name) => this.links[name]),
      ...this.members.flatMap(({ routes }) => routes),
    ];
    await Promise.all(this.members.map(({ server }) => server.dispose()));
    await Promise.all(links.map(async (each) => each?.close()));
  }
}
