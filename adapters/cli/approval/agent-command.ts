// Agent command
// What the proxy commands share: they run between an agent and its client, on standard input and output.
//
//   Owns:          their options, that they read no variables, the lines they print at their start.
//   Does not own:  the agent's program and what the proxy cannot hold (the commands), serving (wiring).
//
// AGENT-COMMAND-1. A client starts these commands, and a project can set a client's variables. So only the command line sets
//     their options, and a variable that says otherwise is refused.
// AGENT-COMMAND-2. A proxy command prints at its start what it cannot hold.

import type { Command } from "commander";
import { type Context, workspaceOfShell } from "../command.ts";
import type { AgentProtocol } from "../serve-agent.ts";
import { byVariable, gateCommand, type GateOptions } from "./gate-command.ts";

export interface AgentWords {
  readonly summary: string;
  readonly example: string;
  /** The argument as commander writes it: `<command...>`. */
  readonly argument: string;
  /** The agent's program if the command line names none. */
  readonly program: readonly string[];
  /** @throws Failure for a program that this proxy cannot run. */
  readonly check?: (command: readonly string[]) => void;
  /** What the agent does without asking, in sentences. */
  readonly unheld: string;
}

export function agentCommand(
  protocol: AgentProtocol,
  { terminal, wiring, env, exitWith }: Context,
  { summary, example, argument, program, check, unheld }: AgentWords,
): Command {
  return gateCommand(protocol, summary, { what: "a request", example })
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
