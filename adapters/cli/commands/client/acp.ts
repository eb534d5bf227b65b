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
import { type Context, plainCommand, wholeNumber, workspaceId, workspaceOfShell } from "../../command.ts";
import { Failure } from "../../failures/failure.ts";

interface Options {
  readonly timeout: number;
  readonly workspace?: string;
  readonly data?: string;
  readonly json?: boolean;
}

const TIMEOUT_S = 3_600;

export function acp({ terminal, wiring, env, exitWith }: Context): Command {
  return plainCommand(
    "acp",
    "ask here about what an agent of the Agent Client Protocol asks its editor",
    "acp -- opencode acp",
  )
    .argument("<command...>", "the agent's program and its arguments, behind --")
    .option(
      "--timeout <seconds>",
      "how long a request waits before it is denied",
      wholeNumber(1, 86_400),
      TIMEOUT_S,
    )
    .option(
      "--workspace <id>",
      "the workspace whose rules answer (default: that of the session's folder)",
      workspaceId,
    )
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "say what there is to say on standard error as JSON, one message a line")
    .action(async (command: readonly string[], { timeout, data, workspace, json = false }: Options) => {
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

const byVariable = (workspace: string): Failure =>
  new Failure(
    `SIGNALBOX_WORKSPACE is ${workspace} for this program. It does not count here, where a project can set it.`,
    "If that is your workspace, name it where this program is started: --workspace ID.",
  );
