// Faults
// What is done to an agent behind the proxy while it asks, and whether its command may have run then.
//
//   Owns:          the faults; each throws where it did not happen.
//   Does not own:  the agents, the table (run).

import { setTimeout as sleep } from "node:timers/promises";
import type { Review } from "./model.ts";
import { tell } from "../chaos/world.ts";
import type { Client, Reply } from "../support/agent-proxy/client.ts";
import { textAt } from "../support/engine/json.ts";
import { childrenOf } from "../support/client/claude.ts";
import { type Desk, jsonLines, type Started } from "../support/processes/program.ts";

/** One turn of an agent that is asked to run one command. */
export interface Turn {
  readonly desk: Desk;
  readonly client: Client;
  readonly proxy: Started;
  readonly engine: Started | undefined;
  /** Ends with the agent's answer to the prompt. */
  readonly turn: Promise<unknown>;
}

export interface Fault {
  readonly name: string;
  readonly may: "run" | "not run";
  readonly hasEngine: boolean;
  readonly timeoutS?: number;
  /** What the agent's own model says, where it is asked in a person's place. */
  readonly review?: Review;
  readonly happen: (turn: Turn) => Promise<void>;
}

const PATIENCE_MS = 90_000;
const STATE_MS = 30_000;
/** Longer than an agent takes to run what it was let run. */
const SETTLED_MS = 3_000;
const STILL_MS = 12_000;

/** @throws Error for what takes too long. */
export async function within<T>(what: string, promise: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`${what}: not within ${ms / 1_000} s`);
  });
  return Promise.race([promise, late]);
}

const dialog = ({ client }: Turn) => within("the dialog", client.told(client.dialog));

export const approvalOf = ({ desk }: Pick<Turn, "desk">): Promise<string> =>
  within("the approval", desk.waiting());

/** @throws Error for a state that does not come. */
export async function expectState({ desk }: Pick<Turn, "desk">, id: string, state: string): Promise<void> {
  await within(`the approval is ${state}`, desk.shownAs(id, state), STATE_MS);
}

export async function killed({ child, ended }: Started): Promise<void> {
  if (!child.kill("SIGKILL")) throw new Error("it could not be killed");
  await within("the kill", ended, 10_000);
}

/** A process and those that it started. @returns the ids that the signal reached. */
function tellAll({ child: { pid } }: Started, signal: NodeJS.Signals): readonly number[] {
  const all = pid === undefined ? [] : [pid, ...childrenOf(pid)];
  return all.filter((each) => tell(each, signal));
}

/** @returns once the engine has stood still for longer than a request to it waits. */
async function stoodStill(turn: Turn): Promise<void> {
  tellAll(needed(turn.engine), "SIGSTOP");
  const answer = await Promise.race([turn.desk.run(["approvals"]), sleep(STILL_MS)]);
  if (answer?.code === 0) throw new Error("the engine did not stand still");
}

/** As a person answers at a terminal. @throws Error for an answer that does not count. */
export async function answered(
  turn: Pick<Turn, "desk">,
  command: "approve" | "deny",
  ...more: readonly string[]
): Promise<void> {
  const { code, err } = await turn.desk.run([command, await approvalOf(turn), ...more]);
  if (code !== 0) throw new Error(`${command}: ${err}`);
}

const said = async (turn: Turn, reply: Reply): Promise<void> => {
  const asked = await dialog(turn);
  turn.client.answer(asked, reply(asked));
};
const over = ({ turn }: Turn): Promise<unknown> => within("the turn's end", turn);
export const needed = (engine: Started | undefined): Started => {
  if (engine === undefined) throw new Error("there is no engine");
  return engine;
};

const withEngine = (name: string, may: Fault["may"], happen: Fault["happen"], timeoutS?: number): Fault => ({
  name,
  may,
  hasEngine: true,
  happen,
  ...(timeoutS !== undefined && { timeoutS }),
});
const without = (name: string, may: Fault["may"], happen: Fault["happen"]): Fault => ({
  name,
  may,
  hasEngine: false,
  happen,
});

export const FAULTS: readonly Fault[] = [
  withEngine("allowed in Signalbox", "run", async (turn) => {
    await dialog(turn);
    await answered(turn, "approve");
    await within("the dialog's end", turn.client.takenBack());
    await over(turn);
    const { code, out } = await turn.desk.run(["alarms", "--check"]);
    if (code !== 0) throw new Error(`alarms: ${out}`);
  }),
  withEngine("denied in Signalbox", "not run", async (turn) => {
    await answered(turn, "deny");
    await over(turn);
  }),
  withEngine("denied with an interrupt", "not run", async (turn) => {
    await answered(turn, "deny", "--interrupt");
    await over(turn);
  }),
  withEngine("allowed with an edited input in place of the agent's", "not run", async (turn) => {
    await answered(turn, "approve", "--input", '{"command":"true"}');
    await over(turn);
  }),
  withEngine("allowed in the client", "run", async (turn) => {
    await said(turn, turn.client.allows);
    await over(turn);
  }),
  withEngine(
    "allowed always in the client, which does not count; then denied in Signalbox",
    "not run",
    async (turn) => {
      const id = await approvalOf(turn);
      await said(turn, turn.client.allowsAlways);
      await turn.proxy.said(/gave no valid answer/);
      await expectState(turn, id, "pending");
      await answered(turn, "deny");
      await over(turn);
    },
  ),
  withEngine("denied in the client", "not run", async (turn) => {
    await said(turn, turn.client.denies);
    await over(turn);
  }),
  withEngine("cancelled in the client", "not run", async (turn) => {
    const id = await approvalOf(turn);
    turn.client.cancel();
    await over(turn);
    const state = textAt(await turn.desk.shown(id), "state");
    if (state !== "denied" && state !== "withdrawn") throw new Error(`the approval is ${state}`);
  }),
  withEngine("denied in Signalbox and allowed in the client at once", "not run", async (turn) => {
    const id = await approvalOf(turn);
    const asked = await dialog(turn);
    const denied = turn.desk.run(["deny", id]);
    // The command takes longer to start than the client to answer: it is denied first by a head start.
    while (textAt(await turn.desk.shown(id), "state") === "pending") await sleep(5);
    turn.client.answer(asked, turn.client.allows(asked));
    const { code } = await denied;
    if (code !== 0) throw new Error("the denial did not count");
    await over(turn);
  }),
  withEngine(
    "nobody answers",
    "not run",
    async (turn) => {
      const id = await approvalOf(turn);
      await over(turn);
      await expectState(turn, id, "expired");
    },
    10,
  ),
  withEngine(
    "allowed in the client after the approval expired",
    "not run",
    async (turn) => {
      const asked = await dialog(turn);
      await expectState(turn, await approvalOf(turn), "expired");
      turn.client.answer(asked, turn.client.allows(asked));
      await over(turn);
      await sleep(SETTLED_MS);
    },
    10,
  ),
  withEngine("agent killed while it waits", "not run", async (turn) => {
    const id = await approvalOf(turn);
    const { pid } = turn.proxy.child;
    const agent = pid === undefined ? [] : childrenOf(pid);
    if (agent.filter((each) => tell(each, "SIGKILL")).length === 0)
      throw new Error("there was no agent to kill");
    await within("the proxy's end", turn.proxy.ended, 15_000);
    await expectState(turn, id, "withdrawn");
    await sleep(SETTLED_MS);
  }),
  withEngine("engine hangs while the agent waits, then allowed in Signalbox", "run", async (turn) => {
    await approvalOf(turn);
    await stoodStill(turn);
    tellAll(needed(turn.engine), "SIGCONT");
    await answered(turn, "approve");
    await over(turn);
  }),
  withEngine("engine hangs while the agent waits, allowed in the client", "not run", async (turn) => {
    await approvalOf(turn);
    await stoodStill(turn);
    await said(turn, turn.client.allows);
    await sleep(STILL_MS);
    tellAll(needed(turn.engine), "SIGKILL");
    await sleep(SETTLED_MS);
  }),
  withEngine("engine killed while the agent waits, then allowed in the client", "not run", async (turn) => {
    await approvalOf(turn);
    await killed(needed(turn.engine));
    await said(turn, turn.client.allows);
    await sleep(SETTLED_MS);
  }),
  withEngine("engine killed and started again, then allowed in Signalbox", "run", async (turn) => {
    await approvalOf(turn);
    await killed(needed(turn.engine));
    await turn.desk.up();
    await answered(turn, "approve");
    await over(turn);
  }),
  withEngine("proxy killed while the agent waits", "not run", async (turn) => {
    const id = await approvalOf(turn);
    await killed(turn.proxy);
    await expectState(turn, id, "withdrawn");
    await sleep(SETTLED_MS);
  }),
  withEngine("client closes its connection while the agent waits", "not run", async (turn) => {
    const id = await approvalOf(turn);
    turn.client.child.stdin?.end();
    await within("the proxy's end", turn.proxy.ended, 15_000);
    await expectState(turn, id, "withdrawn");
  }),
  without("no engine runs; allowed in the client", "run", async (turn) => {
    await said(turn, turn.client.allows);
    await over(turn);
  }),
  without("no engine runs, and the client's answer is not valid", "not run", async (turn) => {
    await said(turn, () => ({ foo: 1 }));
    await over(turn);
  }),
];

const reviewed = (name: string, review: Review, state: string, may: Fault["may"]): Fault => ({
  ...withEngine(name, may, async (turn) => {
    await turn.proxy.said(/Signalbox may not be asked there/);
    await over(turn);
    const look = async (): Promise<unknown> => {
      for (;;) {
        const { out } = await turn.desk.run(["export", `codex-${turn.client.session}`]);
        const found = jsonLines(out).find((each) => textAt(each, "by") === "model");
        if (found !== undefined) return found;
        await sleep(100);
      }
    };
    const found = await within("the model's answer", look(), 20_000);
    if (textAt(found, "state") !== state) throw new Error(`the review is ${JSON.stringify(found)}`);
    const { code, out } = await turn.desk.run(["alarms", "--check"]);
    if (code !== 0) throw new Error(`alarms: ${out}`);
  }),
  review,
});

/** Of an agent whose questions a model of its own answers. */
export const REVIEWS: readonly Fault[] = [
  reviewed("allowed by the agent's own model", "allow", "approved", "run"),
  reviewed("denied by the agent's own model", "deny", "denied", "not run"),
];
