// deny
// Denies the calls of the given approvals, and tells the agent why.
//
//   Owns:          the options of `deny`.
//   Does not own:  sending the answer (decide.ts).

import type { Command } from "commander";
import { defined } from "../../../../machines/defined.ts";
import { type AnswerOptions, answerCommand } from "../../approval/answer-command.ts";
import { type Context, engineOf } from "../../command.ts";
import { decideAll } from "../../decide.ts";

type Options = AnswerOptions & { readonly message?: string; readonly interrupt?: boolean };

export function deny(context: Context): Command {
  return answerCommand("deny", "deny a call", 'deny a_kq3v5z2m -m "use the staging database"')
    .option("-m, --message <text>", "the reason that the agent is given")
    .option("--interrupt", "end the agent's whole turn")
    .action(async (ids: readonly string[], options: Options) => {
      const { message, interrupt } = options;
      const decision = { decision: "deny" as const, ...defined({ message, interrupt }) };
      await decideAll(await engineOf(context, options), ids, decision, options, context);
    });
}
