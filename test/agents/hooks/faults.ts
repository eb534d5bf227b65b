// Faults of hooks
// What is done to an agent whose hooks ask here, and whether its command may have run then.
//
//   Owns:          the faults; each throws where it did not happen. Which agent runs the command all the same, and why.
//   Does not own:  the agents, the table (run).

import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Desk, Started } from "../../support/processes/program.ts";
import { answered, approvalOf, expectState, killed, needed, within } from "../faults.ts";
import { agentOf, gateProcesses, signal } from "./processes.ts";

/** One turn of an agent that is asked to run one command. */
export interface HookTurn {
  readonly desk: Desk;
  readonly data: string;
  readonly agent: Started;
  readonly engine: Started | undefined;
}

export interface HookFault {
  readonly name: string;
  readonly may: "run" | "not run";
  readonly hasEngine: boolean;
  readonly timeoutS?: number;
  /** Before the agent starts. */
  readonly before?: (data: string) => void;
  readonly isOff?: true;
  readonly happen: (turn: HookTurn) => Promise<void>;
  /** Why an agent runs the command all the same, by `install --agent`. */
  readonly known?: Readonly<Record<string, string>>;
}

async function over({ agent }: HookTurn): Promise<void> {
  await within("the agent's end", agent.ended);
}

/** Puts a script in the place of the gate's. */
const gateIs =
  (script: string) =>
  (data: string): void => {
    const path = join(data, "hooks", "gate");
    writeFileSync(path, script);
    chmodSync(path, 0o700);
  };

const asked = (
  name: string,
  may: HookFault["may"],
  happen: HookFault["happen"],
  more: Partial<HookFault> = {},
): HookFault => ({ name, may, hasEngine: true, happen, ...more });

export const HOOK_FAULTS: readonly HookFault[] = [
  asked("allowed in Signalbox", "run", async (turn) => {
    await answered(turn, "approve");
    await over(turn);
    const { code, out } = await turn.desk.run(["alarms", "--check"]);
    if (code !== 0) throw new Error(`alarms: ${out}`);
  }),
  asked("denied in Signalbox", "not run", async (turn) => {
    await answered(turn, "deny");
    await over(turn);
  }),
  asked("allowed with an edited input in place of the agent's", "not run", async (turn) => {
    await answered(turn, "approve", "--input", '{"command":"true","description":"none"}');
    await over(turn);
  }),
  asked(
    "nobody answers",
    "not run",
    async (turn) => {
      const id = await approvalOf(turn);
      await over(turn);
      await expectState(turn, id, "expired");
    },
    { timeoutS: 12 },
  ),
  asked(
    "engine killed while the agent waits",
    "not run",
    async (turn) => {
      await approvalOf(turn);
      await killed(needed(turn.engine));
      await over(turn);
    },
    { timeoutS: 12 },
  ),
  asked("engine killed and started again, then allowed", "run", async (turn) => {
    await approvalOf(turn);
    await killed(needed(turn.engine));
    await turn.desk.up();
    await answered(turn, "approve");
    await over(turn);
  }),
  asked("no engine runs", "not run", over, { hasEngine: false }),
  asked("the gate's program is killed while the agent waits", "not run", async (turn) => {
    await approvalOf(turn);
    signal(
      (await gateProcesses(turn.data)).filter(({ isProgram }) => isProgram),
      "SIGKILL",
    );
    await over(turn);
  }),
  asked("the gate's program is missing", "not run", over, {
    before: (data) => rmSync(join(data, "hooks", "gate")),
  }),
  asked("the gate's program crashes", "not run", over, { before: gateIs("#!/bin/sh\nexit 1\n") }),
  asked("the agent is killed while it waits", "not run", async (turn) => {
    const id = await approvalOf(turn);
    signal(agentOf(await gateProcesses(turn.data)), "SIGKILL");
    await expectState(turn, id, "withdrawn");
  }),
  asked(
    "the gate's program and its shells are killed while the agent waits",
    "not run",
    async (turn) => {
      await approvalOf(turn);
      const all = await gateProcesses(turn.data);
      // The outermost first: a shell that lives would still say no.
      signal(all, "SIGKILL");
      await over(turn);
    },
    { known: { codex: "Codex treats a killed hook as a hook without an answer" } },
  ),
  asked(
    "the gate hangs for longer than the agent waits for its hook",
    "not run",
    async (turn) => {
      await approvalOf(turn);
      const all = await gateProcesses(turn.data);
      signal(all, "SIGSTOP");
      try {
        await over(turn);
      } finally {
        for (const { pid } of all)
          try {
            process.kill(pid, "SIGKILL");
          } catch {
            // It is gone already.
          }
      }
    },
    {
      timeoutS: 12,
      known: {
        codex: "Codex goes on if a hook is late",
        copilot: "Copilot goes on if a hook is late",
      },
    },
  ),
  asked("the gate's program prints nonsense and exits with 0", "not run", over, {
    before: gateIs("#!/bin/sh\necho '{\"hook'\n"),
    known: {
      codex: "Codex treats nonsense as no answer; Signalbox's gate prints none",
      copilot: "Copilot treats nonsense as no answer; Signalbox's gate prints none",
    },
  }),
  asked("the hooks are not trusted, or are switched off", "not run", over, {
    isOff: true,
    known: {
      codex: "Codex skips hooks until a person trusts them (/hooks)",
      copilot: "Copilot runs no hooks if its settings have disableAllHooks",
      opencode: "OpenCode loads no plugins with --pure",
    },
  }),
];
