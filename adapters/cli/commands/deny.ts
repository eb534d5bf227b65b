// deny
// Turns down the calls that questions are about, and tells the agent why.
//
//   Owns:          its options.
//   Does not own:  the answer itself (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { decideAll } from "../decide.ts";

type Options = Common & {
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly alike?: boolean;
};

export function deny(context: Context): Command {
  return clientCommand("deny", "turn a call down", 'deny a_kq3v5z2m -m "use the staging database"')
    .argument("<id...>", "approvals' ids, from `npx signalbox approvals`")
    .option("-m, --message <text>", "what the agent is told")
    .option("--interrupt", "end the agent's whole turn")
    .option("--alike", "also every waiting question of the same tool about the very same input")
    .action(async (ids: readonly string[], { message, interrupt, alike, json, ...target }: Options) => {
      const decision = {
        decision: "deny" as const,
        ...(message !== undefined && { message }),
        ...(interrupt && { interrupt }),
      };
      const asked = { ids, decision, withAlike: alike === true, json: json === true };
      await decideAll(await engineOf(context, target), asked, context);
    });
}
