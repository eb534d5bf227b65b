// mcp
// The permission tool for Claude Code's `--permission-prompt-tool`, as a server on standard input and output.
//
//   Owns:          its options.
//   Does not own:  serving (wiring).
//
// CLIENT-MCP-1. Started by a client, it is told by its command line alone: a project can set its variables. One that says
//     otherwise is refused. The entry that a person prints has all that is needed, and clears the environment.

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

export function mcp({ terminal, wiring, env }: Context): Command {
  return plainCommand(
    "mcp",
    "serve the tool `approve` for Claude Code's --permission-prompt-tool, on standard input and output",
    "mcp --json",
  )
    .option(
      "--timeout <seconds>",
      "how long a call waits before it is denied",
      wholeNumber(1, 86_400),
      TIMEOUT_S,
    )
    .option(
      "--workspace <id>",
      "the workspace whose rules answer (default: that of the session's folder)",
      workspaceId,
    )
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print the entry for Claude Code's --mcp-config instead, and end")
    .action(async ({ timeout, data, workspace, json = false }: Options) => {
      const named = workspace ?? workspaceOfShell(env);
      if (!json) {
        if (named !== workspace) throw byVariable(named);
        return wiring.permissionTool(wiring.folderForClients(data), timeout * 1000, workspace);
      }
      const [program = ""] = process.argv.slice(1);
      const args = [
        ...["-i", process.execPath, program, "mcp", "--data", wiring.folder(data).dir],
        ...["--timeout", String(timeout), ...(named === undefined ? [] : ["--workspace", named])],
      ];
      terminal.json({ mcpServers: { signalbox: { command: "/usr/bin/env", args } } });
    });
}

const byVariable = (workspace = ""): Failure =>
  new Failure(
    `SIGNALBOX_WORKSPACE is ${workspace} for this program. It does not count here, where a project can set it.`,
    "If that is your workspace, name it where this program is started: --workspace ID.",
  );
