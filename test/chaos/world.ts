// World
// An engine on a NATS server, and hooks that the real `signalbox install` put in; all of it can be struck and made whole again.
//
//   Owns:          the engine's and the server's processes, striking them, being ready again, the engine's HTTP.
//   Does not own:  the gates (gates), when what is struck (round).
//
// CHAOS-WORLD-1. Only processes that were started here are struck, each by its own id.

import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Client } from "../../adapters/nats/client/client.ts";
import { childrenOf, Claude } from "../support/client/claude.ts";
import { type NatsServer, natsServer } from "../support/nats/server.ts";
import type { Ended, Started } from "../support/processes/program.ts";
import { type Ask, asks } from "./asking.ts";
import { now } from "./book.ts";
import { buildLiar } from "./liar.ts";
import type { Lie } from "./lies.ts";
import { exportedIn, type Shown } from "./shown.ts";

export const WORKSPACE = "chaos";
const READY_MS = 60_000;

export type EngineFault = "engine killed" | "engine and supervisor killed" | "engine stopped";
export type NatsFault = "NATS killed" | "NATS stopped";

export class World {
  readonly claude: Claude;
  readonly nats: NatsServer;
  #engine: Started | undefined;
  #client: Client | undefined;
  /** Undefined for the built one. */
  readonly #liar: string | undefined;
  /** How often an engine was started by hand here. */
  starts = 0;

  private constructor(claude: Claude, nats: NatsServer, liar: string | undefined) {
    this.claude = claude;
    this.nats = nats;
    this.#liar = liar;
  }

  /** @param program the real client's. @param lie what the engine does; undefined for an honest one. */
  static async make(program: string, lie: Lie | undefined): Promise<World> {
    const claude = new Claude(program);
    const liar = lie && buildLiar(claude.desk.dir, lie);
    const world = new World(claude, await natsServer(), liar);
    await world.claude.install("--timeout", "30", "--closed", "deny", "--workspace", WORKSPACE);
    await world.mend();
    return world;
  }

  /** The program that the settings name. */
  hook(name: "gate" | "observe"): string {
    return join(this.claude.data, "hooks", name);
  }

  /** @returns how many processes were really struck. */
  async strike(fault: EngineFault | NatsFault, forMs: number): Promise<number> {
    if (fault === "NATS killed") {
      await this.nats.kill();
      await sleep(forMs);
      await this.nats.start();
      return 1;
    }
    if (fault === "NATS stopped") {
      await this.nats.stop();
      await sleep(forMs);
      this.nats.resume();
      return 1;
    }
    const supervisor = this.#engine?.child;
    if (supervisor?.pid === undefined || hasEnded(supervisor)) return 0;
    const engines = childrenOf(supervisor.pid);
    if (fault === "engine stopped") {
      const struck = engines.filter((pid) => tell(pid, "SIGSTOP"));
      await sleep(forMs);
      for (const pid of struck) tell(pid, "SIGCONT");
      return struck.length;
    }
    const all = fault === "engine killed" ? engines : [supervisor.pid, ...engines];
    const count = all.filter((pid) => tell(pid, "SIGKILL")).length;
    if (fault !== "engine killed") {
      await this.#engine?.ended;
      await sleep(forMs);
    }
    return count;
  }

  /** Starts what does not run. @returns when it takes messages in. @throws Error when it does not come back. */
  async mend(): Promise<void> {
    const until = performance.now() + READY_MS;
    for (;;) {
      if (this.#engine === undefined || hasEnded(this.#engine.child)) {
        this.starts += 1;
        this.#engine = this.claude.desk.start(["up", "--nats", this.nats.url, "--port", "0"], {
          ...(this.#liar !== undefined && { program: this.#liar }),
        });
      }
      if (await this.isReady()) return;
      if (performance.now() > until) throw new Error(`The engine did not come back:\n${this.#engine.err}`);
      await sleep(25);
    }
  }

  async isReady(): Promise<boolean> {
    const { status } = await this.ask("GET", "/readyz", { withinMs: 500 });
    return status === 200;
  }

  get ask(): Ask {
    return asks(this.claude.data);
  }

  run(args: readonly string[]): Promise<Ended> {
    return this.claude.desk.run(args);
  }

  /** As a service that decides over NATS. */
  async service(): Promise<Client> {
    return (this.#client ??= await connect({
      url: this.nats.url,
      workspace: WORKSPACE,
      source: "/chaos",
      deadlineMs: 20_000,
    }));
  }

  /** The approvals that the engine knows, by its own export. */
  async exported(): Promise<readonly Shown[]> {
    const askedAt = now();
    const { code, out, err } = await this.run(["export", "--json"]);
    if (code !== 0) throw new Error(`The export failed: ${err}`);
    return exportedIn(out, { askedAt, readAt: now() });
  }

  async end(): Promise<void> {
    await this.#client?.close();
    await this.claude.clear();
    await this.nats.dispose();
  }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** CHAOS-WORLD-1. @returns false where the process has ended. */
export function tell(pid: number, signal: NodeJS.Signals): boolean {
  if (!(pid > 1)) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
