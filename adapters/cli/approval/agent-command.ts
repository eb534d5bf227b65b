// Agent command
// What the commands `mcp`, `acp` and `codex` have in common: each of them asks a user before an agent's call runs.
//
//   Owns:          the options of these commands, refusing SIGNALBOX_WORKSPACE, the message that a proxy prints at its start.
//   Does not own:  which program the agent is, what a proxy cannot hold back (commands/client), serving (wiring).
//
// AGENT-COMMAND-1. Only the command line sets the options of `mcp`, `acp` and `codex`. If SIGNALBOX_WORKSPACE, which a project
//     can set, names another workspace, the command does not start.
// AGENT-COMMAND-2. When a proxy such as `acp` starts, the proxy prints what the agent can do without asking.

import type { Command } from "commander";
import { type Context, plainCommand, wholeNumber, workspaceId, workspaceOfShell } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import type { AgentProtocol } from "../wiring.ts";

export interface GateOptions {
  /** How long a call waits for an answer, s. */
  readonly timeout: number;
  readonly workspace?: string;
  readonly data?: string;
  readonly json?: boolean;
}

const TIMEOUT_S = 3_600;

/** @param what the subject of the help's sentence "how long … waits before it is denied", such as `a call`. */
export function gateCommand(name: string, summary: string, example: string, what: string): Command {
  return plainCommand(name, summary, example)
    .option(
      "--timeout <seconds>",
      `how long ${what} waits before it is denied`,
      wholeNumber(1, 86_400),
      TIMEOUT_S,
    )
    .option(
      "--workspace <id>",
      "the workspace whose rules answer (default: that of the session's folder)",
      workspaceId,
    )
    .option("--data <dir>", "the engine's data folder");
}

export const byVariable = (workspace = ""): Failure =>
  new Failure(
    `SIGNALBOX_WORKSPACE is ${workspace} for this program. The variable is ignored here, because a project could set it.`,
    "If SIGNALBOX_WORKSPACE names your workspace, add --workspace ID to the command that starts this program.",
  );

export interface AgentWords {
  readonly summary: string;
  readonly example: string;
  /** The argument as commander writes it: `<command...>`. */
  readonly argument: string;
  readonly program: readonly string[];
  /** @throws Failure for a program that this proxy cannot run. */
  readonly check?: (command: readonly string[]) => void;
  /** The sentences that say what the agent does without asking a user (AGENT-COMMAND-2). */
  readonly unheld: string;
}

export function agentCommand(
  protocol: AgentProtocol,
  { terminal, wiring, env, exitWith }: Context,
  { summary, example, argument, program, check, unheld }: AgentWords,
): Command {
  return gateCommand(protocol, summary, example, "a request")
    .argument(argument, "the agent's program and its arguments, behind --")
    .option("--json", "print messages on standard error as JSON, one a line")
    .action(async (given: readonly string[], { timeout, data, workspace, json = false }: GateOptions) => {
      const named = workspaceOfShell(env);
      if (named !== undefined && named !== workspace) throw byVariable(named);
      const command = given.length > 0 ? given : program;
      check?.(command);
      const say = (text: string): void =>
        terminal.err(json ? JSON.stringify({ message: text }) : `signalbox: ${text}`);
      say(`Signalbox must allow what ${command[0] ?? ""} asks for before it is done. ${unheld}`);
      const dir = wiring.folderForClients(data);
      const terms = { timeoutMs: timeout * 1_000, workspace, say };
      exitWith(await wiring.serveAgent(protocol, dir, command, terms));
    });
}
