// Sharers
// Engines as processes on one journal, each with a data folder of its own.
//
//   Owns:          starting the owner and its spares, what they say of themselves, killing one at once.
//   Does not own:  the server, what must come of it (the tests).

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { engineOf, isAlive } from "../processes/processes.ts";
import type { Desk, Started } from "../processes/program.ts";

export interface Sharer {
  readonly engine: Started;
  readonly url: string;
}

export interface SharerStanding {
  readonly ready: boolean;
  readonly role?: string;
  readonly term?: number;
  readonly owner?: string;
  readonly lag?: number;
  readonly uncompared?: number;
}

export class Sharers {
  readonly #desk: Desk;
  readonly #url: string;
  readonly keyFile: string;

  /** @param url of the NATS server. */
  constructor(desk: Desk, url: string) {
    this.#desk = desk;
    this.#url = url;
    this.keyFile = join(desk.dir, "owner.key");
  }

  dirOf(name: string): string {
    return join(this.#desk.dir, name);
  }

  /** The environment of commands that speak to that engine. */
  on(name: string) {
    return { env: { SIGNALBOX_DATA: this.dirOf(name) } };
  }

  args(name: string, ...more: readonly string[]): readonly string[] {
    return ["up", "--nats", this.#url, "--port", "0", "--data", this.dirOf(name), ...more];
  }

  async up(name: string, ...more: readonly string[]): Promise<Sharer> {
    const engine = this.#desk.start(this.args(name, ...more));
    const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
    return { engine, url };
  }

  /** Starts an engine that makes the journal's key, which the spares then take. */
  async owner(name: string): Promise<Sharer> {
    const owner = await this.up(name);
    writeFileSync(this.keyFile, readFileSync(join(this.dirOf(name), "key")), { mode: 0o600 });
    return owner;
  }

  follow(name: string): Promise<Sharer> {
    return this.up(name, "--follow", this.keyFile);
  }
}

export const standing = async (url: string): Promise<SharerStanding> =>
  (await (await fetch(`${url}/readyz`)).json()) as SharerStanding;

/** Waits until it is ready. @returns how long that took, ms. */
export async function ready(url: string): Promise<number> {
  const from = performance.now();
  while (!(await standing(url)).ready) await sleep(20);
  return performance.now() - from;
}

/** Ends a supervisor and its engine at once, like a machine that loses power. */
export async function kill({ engine }: Sharer): Promise<void> {
  const [supervisor = 0, child] = [engine.child.pid, engineOf(engine)];
  for (const pid of [supervisor, child]) if (pid > 1) process.kill(pid, "SIGKILL");
  await engine.ended;
  while (isAlive(child)) await sleep(5);
}
