// acp
// The proxy between an editor and an agent that speaks the Agent Client Protocol, on standard input and output.
//
//   Owns:          its options, what it says at its start.
//   Does not own:  serving (wiring).
//
// CLIENT-ACP-1. Started by an editor, it is told by its command line alone: a project can set its variables. One that says
//     otherwise is refused.
// CLIENT-ACP-2. It says at its start what it cannot hold.

import type { Command } from "commander";
import { type Context, workspaceOfShell } from "../../command.ts";
import { gateCommand, type GateOptions, byVariable } from "../../approval/index.ts";

export function acp({ terminal, wiring, env, exitWith }: Context): Command {
  return gateCommand("acp", "ask here about what an agent of the Agent Client Protocol asks its editor", {
    what: "a request",
    example: "acp -- opencode acp",
  })
    .argument("<command...>", "the agent's program and its arguments, behind --")
    .option("--json", "say what there is to say on standard error as JSON, one message a line")
    .action(async (command: readonly string[], { timeout, data, workspace, json = false }: GateOptions) => {
      const named = workspaceOfShell(env);
      if (named !== undefined && named !== workspace) throw byVariable(named);
      const say = (text: string): void =>
        terminal.err(json ? JSON.stringify({ message: text }) : `signalbox: ${text}`);
      say(
        `It asks before ${command[0] ?? ""} is let do what it asks for. What an agent does without asking, Signalbox cannot hold.`,
      );
      const dir = wiring.folderForClients(data);
      exitWith(await wiring.acp(dir, command, { timeoutMs: timeout * 1_000, workspace, say }));
    });
}
