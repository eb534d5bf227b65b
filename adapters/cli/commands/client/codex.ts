// codex
// Runs a proxy on standard input and output, between Codex's app-server and the client that uses the app-server.
//
//   Owns:          the words of the help of `codex`, which programs the command refuses to run.
//   Does not own:  the options of `codex` (agent-command), the proxy (wiring).
//
// CLIENT-CODEX-1. `codex` does not start an app-server that listens at an address: clients that connect to the address would
//     bypass the proxy.

import type { Command } from "commander";
import type { Context } from "../../command.ts";
import { agentCommand } from "../../approval/agent-command.ts";
import { Failure } from "../../failures/failure.ts";

export const codex = (context: Context): Command =>
  agentCommand("codex", context, {
    summary: "ask here about what Codex's app-server asks its client",
    example: "codex -- codex app-server",
    argument: "[command...]",
    program: ["codex", "app-server"],
    check: onStandardInput,
    unheld:
      "Signalbox cannot hold what Codex does without asking (approval policies), has a model review (auto-review), " +
      "or runs for its client (thread/shellCommand, command/exec).",
  });

const LISTEN = /^--listen(?:=(.*))?$/s;

function onStandardInput(command: readonly string[]): void {
  const at = command.findIndex((word) => LISTEN.test(word));
  if (at < 0) return;
  const place = LISTEN.exec(command[at] ?? "")?.[1] ?? command[at + 1];
  if (place === "stdio://") return;
  throw new Failure(
    "With --listen, Codex does not use standard input, so Signalbox cannot ask about its calls.",
    "Leave out --listen.",
  );
}
