// approve
// Allows the call a question is about, on the exact input that is printed.
//
//   Owns:          the refusal to be run by an agent.
//   Does not own:  the answer itself (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { decide, refuseAgents } from "../decide.ts";

export function approve(context: Context): Command {
  return clientCommand("approve", "allow a call, on the input that is printed", "approve a_kq3v5z2m")
    .argument("<id>", "the approval's id, from `signalbox approvals`")
    .action(async (id: string, options: Common) => {
      refuseAgents(context.env);
      await decide(
        await engineOf(context, options),
        id,
        { decision: "approve" },
        context,
        options.json === true,
      );
    });
}
