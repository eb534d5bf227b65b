// deny
// Denies the calls of the approvals given, and tells the agent why.
//
//   Owns:          its options.
//   Does not own:  the answer itself (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../command.ts";
import { decideAll } from "../decide.ts";

type Options = Common & {
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly alike?: boolean;
  readonly wait: number;
  readonly workspace?: string;
};

export function deny(context: Context): Command {
  return clientCommand("deny", "turn a call down", 'deny a_kq3v5z2m -m "use the staging database"')
    .argument("<id...>", "ids of approvals, from `npx signalbox approvals`")
    .option("-m, --message <text>", "the reason that the agent is given")
    .option("--interrupt", "end the agent's whole turn")
    .option("--workspace <id>", "the workspace, if several have the id")
    .option(
      "--alike",
      "also every pending approval in its workspace with the same tool and exactly the same input",
    )
    .option(
      "--wait <seconds>",
      "wait for what becomes of the answer: taken, then confirmed",
      wholeNumber(0),
      0,
    )
    .action(async (ids: readonly string[], options: Options) => {
      const { message, interrupt, alike, workspace, wait, json, ...target } = options;
      const decision = {
        decision: "deny" as const,
        ...(message !== undefined && { message }),
        ...(interrupt && { interrupt }),
      };
      const asked = {
        ids,
        workspace,
        decision,
        withAlike: alike === true,
        waitMs: wait * 1_000,
        json: json === true,
      };
      await decideAll(await engineOf(context, target), asked, context);
    });
}
