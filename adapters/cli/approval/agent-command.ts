// Agent command
// What commands share that stand between an agent and its client, on standard input and output.
//
//   Owns:          their options, that they are told by their command line alone, what they say at their start.
//   Does not own:  the agent's program and what is not held (the commands), serving (wiring).
//
// AGENT-COMMAND-1. Started by a client, it is told by its command line alone: a project can set its variables. One that says
//     otherwise is refused.
// AGENT-COMMAND-2. It says at its start what it cannot hold.

import type { Command } from "commander";
import { type Context, workspaceOfShell } from "../command.ts";
import type { AgentProtocol } from "../serve-agent.ts";
import { byVariable, gateCommand, type GateOptions } from "./gate-command.ts";

export interface AgentWords {
  readonly summary: string;
  readonly example: string;
  /** The argument as commander writes it: `<command...>`. */
  readonly argument: string;
  /** Where none is given. */
  readonly program: readonly string[];
  /** @throws Failure for a program that this cannot stand before. */
  readonly check?: (command: readonly string[]) => void;
  /** What the agent does all the same, in sentences. */
  readonly unheld: string;
}

export function agentCommand(
  protocol: AgentProtocol,
  { terminal, wiring, env, exitWith }: Context,
  { summary, example, argument, program, check, unheld }: AgentWords,
): Command {
  return gateCommand(protocol, summary, { what: "a request", example })
    .argument(argument, "the agent's program and its arguments, behind --")
    .option("--json", "say what there is to say on standard error as JSON, one message a line")
    .action(async (given: readonly string[], { timeout, data, workspace, json = false }: GateOptions) => {
      const named = workspaceOfShell(env);
      if (named !== undefined && named !== workspace) throw byVariable(named);
      const command = given.length > 0 ? given : program;
      check?.(command);
      const say = (text: string): void =>
        terminal.err(json ? JSON.stringify({ message: text }) : `signalbox: ${text}`);
      say(`It asks before ${command[0] ?? ""} is let do what it asks for. ${unheld}`);
      const dir = wiring.folderForClients(data);
      const terms = { timeoutMs: timeout * 1_000, workspace, say };
      exitWith(await wiring.serveAgent(protocol, dir, command, terms));
    });
}
