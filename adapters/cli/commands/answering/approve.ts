// approve
// Allows the calls of the given approvals, with the printed input or with another input that the user gives.
//
//   Owns:          the options of `approve`, refusing to run if an agent starts the command.
//   Does not own:  sending the answer (decide.ts).

import type { Command } from "commander";
import { isFields } from "../../../../machines/json.ts";
import { type AnswerOptions, answerCommand } from "../../approval/answer-command.ts";
import { type Context, engineOf } from "../../command.ts";
import { decideAll, refuseAgents } from "../../decide.ts";
import { misused } from "../../failures/failure.ts";
import { givenJson } from "../../given-json.ts";

type Options = AnswerOptions & { readonly input?: string };

export function approve(context: Context): Command {
  return answerCommand("approve", "allow a call, on the input that is printed", "approve a_kq3v5z2m")
    .option(
      "--input <json>",
      "the input that the tool gets instead: a JSON object, @FILE, or @- for standard input",
    )
    .action(async (ids: readonly string[], options: Options) => {
      refuseAgents(context.env);
      const { input } = options;
      const updatedInput = input === undefined ? undefined : objectOf(await givenJson(input));
      const decision = { decision: "approve" as const, ...(updatedInput && { updatedInput }) };
      await decideAll(await engineOf(context, options), ids, decision, options, context);
    });
}

function objectOf(value: unknown): object {
  if (isFields(value)) return value;
  throw misused("The input of a tool is a JSON object.", `Write the input as --input '{"command":"ls"}'.`);
}
