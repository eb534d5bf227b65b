// mcp
// Serves the permission tool for Claude Code's `--permission-prompt-tool` on standard input and output.
//
//   Owns:          the options of `mcp`.
//   Does not own:  the MCP server (wiring).
//
// CLIENT-MCP-1. Only the command line sets the options of `mcp` (AGENT-COMMAND-1). The settings entry that `mcp --json` prints
//     has all options, and starts the server with an empty environment.

import type { Command } from "commander";
import { type Context, workspaceOfShell } from "../../command.ts";
import { gateCommand, type GateOptions, byVariable } from "../../approval/agent-command.ts";

export function mcp({ terminal, wiring, env }: Context): Command {
  return gateCommand(
    "mcp",
    "serve the tool `approve` for Claude Code's --permission-prompt-tool, on standard input and output",
    "mcp --json",
    "a call",
  )
    .option("--json", "print the entry for Claude Code's --mcp-config instead, and end")
    .action(async ({ timeout, data, workspace, json = false }: GateOptions) => {
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
