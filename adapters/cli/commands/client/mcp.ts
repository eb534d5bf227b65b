// mcp
// Serves the permission tool for Claude Code's `--permission-prompt-tool` on standard input and output.
//
//   Owns:          its options.
//   Does not own:  the server (wiring).
//
// CLIENT-MCP-1. A client starts this command, and a project can set a client's variables. So only the command line sets its
//     options, and a variable that says otherwise is refused. The printed settings entry has all options, and clears the
//     environment.

import type { Command } from "commander";
import { type Context, workspaceOfShell } from "../../command.ts";
import { gateCommand, type GateOptions, byVariable } from "../../approval/index.ts";

export function mcp({ terminal, wiring, env }: Context): Command {
  return gateCommand(
    "mcp",
    "serve the tool `approve` for Claude Code's --permission-prompt-tool, on standard input and output",
    { what: "a call", example: "mcp --json" },
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
