// acp
// Runs the proxy between an editor and an agent of the Agent Client Protocol, on standard input and output.
//
//   Owns:          its words.
//   Does not own:  the command's options (agent-command), the proxy (wiring).

import type { Command } from "commander";
import type { Context } from "../../command.ts";
import { agentCommand } from "../../approval/index.ts";

export const acp = (context: Context): Command =>
  agentCommand("acp", context, {
    summary: "ask here about what an agent of the Agent Client Protocol asks its editor",
    example: "acp -- opencode acp",
    argument: "<command...>",
    program: [],
    unheld: "Signalbox cannot hold what an agent does without asking.",
  });
