// Kill round
// One turn of a real agent that asks for one command, with one answer and one kill at moments that chance picks.
//
//   Owns:          the engine of all rounds, what is struck, what is said, whether the command ran.
//   Does not own:  whether it may have run (kill-judge).
//
// KILL-ROUND-1. Only processes that were started here are struck, each by its own id, above 1. (checked by review: ids come
//     from the child and from what the system says are its own children)

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chaos/chance.ts";
import { now } from "../chaos/book.ts";
import { exportedIn, type Shown } from "../chaos/shown.ts";
import { hasEnded, tell } from "../chaos/world.ts";
import type { Client, Heard, Reply } from "../support/agent-proxy/client.ts";
import { childrenOf } from "../support/client/claude.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import { bySocket } from "../support/http/by-socket.ts";
import { Desk, type Started } from "../support/processes/program.ts";
import { type Agent, stepsOf } from "./agents.ts";
import { within } from "./faults.ts";
import { startModel } from "./model.ts";

export const STRUCK = ["nothing", "the engine", "the proxy", "the agent", "the client"] as const;
const SAYS = ["approve", "approve", "deny", "client allows", "client denies", "both at once"] as const;
/** Longer than an agent takes to run what it was let run. */
const SETTLED_MS = 3_000;
const MOMENTS_MS = 400;
const PENDING_MS = 60_000;

export interface Plan {
  readonly struck: (typeof STRUCK)[number];
  readonly says: (typeof SAYS)[number];
  /** Both from the moment of the question, ms. */
  readonly strikesAfterMs: number;
  readonly saysAfterMs: number;
  /** The kill does not wait for the engine's question, only for the agent's. */
  readonly isEarly: boolean;
}

export const planned = (chance: Chance): Plan => ({
  struck: chance.pick(STRUCK),
  says: chance.pick(SAYS),
  strikesAfterMs: chance.between(0, MOMENTS_MS),
  saysAfterMs: chance.between(0, MOMENTS_MS),
  isEarly: chance.happens(0.3),
});

export interface Played {
  readonly n: number;
  readonly agent: string;
  readonly plan: Plan;
  readonly ran: string;
  readonly hasRun: boolean;
  /** Something was killed while it waited. */
  readonly isStruck: boolean;
}

/** The engine that all rounds share; it comes back after each kill. */
export class Engine {
  readonly desk = new Desk();
  #up: Started | undefined;

  get data(): string {
    return join(this.desk.dir, "data");
  }

  /** Starts it where it does not run. @returns once it answers. */
  async mend(): Promise<void> {
    const ready = async (): Promise<void> => {
      do {
        // A killed one is told of as ended only some time later.
        if (this.#up === undefined || hasEnded(this.#up.child)) this.#up = (await this.desk.up()).engine;
        await sleep(25);
      } while ((await this.ask("GET", "/readyz")).status !== 200);
    };
    await within("the engine", ready());
  }

  /** @returns false where it had ended already. */
  strike(): boolean {
    const pid = this.#up?.child.pid;
    if (pid === undefined) return false;
    const struck = [pid, ...childrenOf(pid)].filter((each) => tell(each, "SIGKILL"));
    return struck.length > 0;
  }

  /** @returns status 0 where nobody answered. */
  async ask(method: "GET" | "POST", path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const sent = { method, signal: AbortSignal.timeout(5_000), ...(body && { body: JSON.stringify(body) }) };
    try {
      const answer = await bySocket(this.data)(path, sent);
      return { status: answer.status, body: await answer.json() };
    } catch {
      return { status: 0, body: undefined };
    }
  }

  async approvals(): Promise<readonly Shown[]> {
    await this.mend();
    const { code, out, err } = await this.desk.run(["export", "--json"]);
    if (code !== 0) throw new Error(`The export failed: ${err}`);
    return exportedIn(out, { askedAt: now(), readAt: now() });
  }

  end(): Promise<void> {
    return this.desk.clear();
  }
}

export interface Round {
  readonly engine: Engine;
  readonly agent: Agent;
  readonly command: readonly string[];
  readonly plan: Plan;
  readonly n: number;
  readonly folder: string;
}

export async function played({ engine, agent, command, plan, n, folder }: Round): Promise<Played> {
  await engine.mend();
  const own = join(folder, String(n));
  const ran = join(own, "ran");
  mkdirSync(own, { recursive: true });
  const model = await startModel({ steps: stepsOf(agent, ran) });
  const proxy = engine.desk.start([agent.door, "--data", engine.data, "--", ...command], {
    keepInput: true,
    env: { ...agent.prepare(own, model.url), SIGNALBOX_DATA: "" },
  });
  const client = agent.connect(proxy.child);
  try {
    await within("the agent's start", client.begin(own));
    const turn = client.promptText("go");
    const dialog = await within("the dialog", client.told(client.dialog));
    if (!plan.isEarly) await within("the approval", pending(engine, ran));
    const [isStruck] = await Promise.all([
      strike(engine, proxy, plan),
      say(engine, client, dialog, ran, plan),
    ]);
    if (!isStruck) await within(`the turn's end (${agent.name}, ${JSON.stringify(plan)})`, turn);
    if (plan.struck === "the engine") await engine.mend();
    // An answer that was on its way when something was killed may count later.
    await sleep(SETTLED_MS);
    return { n, agent: agent.name, plan, ran, hasRun: existsSync(ran), isStruck };
  } finally {
    model.stop();
    const { pid } = proxy.child;
    if (pid !== undefined && !hasEnded(proxy.child))
      for (const each of [...childrenOf(pid), pid]) tell(each, "SIGKILL");
    await proxy.ended;
  }
}

/** Whether a call's input is a round's: each has a file of its own. */
export const isAbout = (input: unknown, ran: string): boolean => JSON.stringify(input ?? null).includes(ran);

/** @returns the round's approval once the engine shows it. */
async function pending(engine: Engine, ran: string): Promise<unknown> {
  for (;;) {
    const { body } = await engine.ask("GET", "/v1/approvals?state=pending&limit=100");
    const found = listAt(body, "items").find((each) => isAbout(at(each, "input"), ran));
    if (found !== undefined) return found;
    await sleep(20);
  }
}

async function strike(engine: Engine, proxy: Started, plan: Plan): Promise<boolean> {
  await sleep(plan.strikesAfterMs);
  const { pid } = proxy.child;
  if (pid === undefined || hasEnded(proxy.child)) return false;
  switch (plan.struck) {
    case "nothing":
      return false;
    case "the engine":
      return engine.strike();
    case "the proxy":
      return tell(pid, "SIGKILL");
    case "the agent":
      return childrenOf(pid).filter((each) => tell(each, "SIGKILL")).length > 0;
    case "the client":
      proxy.child.stdin?.end();
      return true;
  }
}

async function say(engine: Engine, client: Client, dialog: Heard, ran: string, plan: Plan): Promise<void> {
  await sleep(plan.saysAfterMs);
  const inClient = (reply: Reply): void => client.answer(dialog, reply(dialog));
  const here = async (decision: "approve" | "deny"): Promise<void> => {
    // What is struck may never come to be asked here.
    const patienceMs = plan.struck === "nothing" ? PENDING_MS : SETTLED_MS;
    const found = await Promise.race([pending(engine, ran), sleep(patienceMs)]);
    if (found === undefined) return;
    const path = `/v1/approvals/${textAt(found, "id") ?? ""}/decision`;
    await engine.ask("POST", path, { decision, inputHash: textAt(found, "inputHash") });
  };
  switch (plan.says) {
    case "approve":
    case "deny":
      return here(plan.says);
    case "client allows": {
      inClient(client.allows);
      return;
    }
    case "client denies": {
      inClient(client.denies);
      return;
    }
    case "both at once":
      inClient(client.allows);
      return here("deny");
  }
}
