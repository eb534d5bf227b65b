// deny
// Turns down the call a question is about, and tells the agent why.
//
//   Owns:          its options.
//   Does not own:  the answer itself (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { decide } from "../decide.ts";

type Options = Common & { readonly message?: string; readonly interrupt?: boolean };

export function deny(context: Context): Command {
  return clientCommand("deny", "turn a call down", 'deny a_kq3v5z2m -m "use the staging database"')
    .argument("<id>", "the approval's id, from `signalbox approvals`")
    .option("-m, --message <text>", "what the agent is told")
    .option("--interrupt", "end the agent's whole turn")
    .action(async (id: string, { message, interrupt, json, ...target }: Options) => {
      const decision = {
        decision: "deny" as const,
        ...(message !== undefined && { message }),
        ...(interrupt && { interrupt }),
      };
      await decide(await engineOf(context, target), id, decision, context, json === true);
    });
}
