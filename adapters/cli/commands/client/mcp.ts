// mcp
// The permission tool for Claude Code's `--permission-prompt-tool`, as a server on standard input and output.
//
//   Owns:          its options.
//   Does not own:  serving (wiring).

import type { Command } from "commander";
import { type Context, plainCommand, wholeNumber } from "../../command.ts";

interface Options {
  readonly timeout: number;
  readonly data?: string;
  readonly json?: boolean;
}

const TIMEOUT_S = 3_600;

export function mcp({ terminal, wiring }: Context): Command {
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
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print the entry for Claude Code's --mcp-config instead, and end")
    .action(async ({ timeout, data, json = false }: Options) => {
      if (!json) return wiring.permissionTool(data, timeout * 1000);
      const [program = ""] = process.argv.slice(1);
      const args = [program, "mcp", "--data", wiring.folder(data).dir, "--timeout", String(timeout)];
      terminal.json({ mcpServers: { signalbox: { command: process.execPath, args } } });
    });
}
