// acp
// Runs a proxy on standard input and output, between an editor and an agent that speak the Agent Client Protocol.
//
//   Owns:          the words of the help of `acp`.
//   Does not own:  the options of `acp` (agent-command), the proxy (wiring).

import type { Command } from "commander";
import type { Context } from "../../command.ts";
import { agentCommand } from "../../approval/agent-command.ts";

export const acp = (context: Context): Command =>
  agentCommand("acp", context, {
    summary: "ask here about what an agent of the Agent Client Protocol asks its editor",
    example: "acp -- opencode acp",
    argument: "<command...>",
    program: [],
    unheld: "Signalbox cannot hold what an agent does without asking.",
  });
