// approve
// Allows the calls of the approvals given, on the exact input that is printed, or on another one.
//
//   Owns:          its options, the refusal to run for an agent.
//   Does not own:  the answer itself (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../command.ts";
import { decideAll, refuseAgents } from "../decide.ts";
import { misused } from "../failure.ts";
import { givenJson } from "../given-json.ts";

type Options = Common & {
  readonly wait: number;
  readonly alike?: boolean;
  readonly input?: string;
  readonly workspace?: string;
};

export function approve(context: Context): Command {
  return clientCommand("approve", "allow a call, on the input that is printed", "approve a_kq3v5z2m")
    .argument("<id...>", "ids of approvals, from `npx signalbox approvals`")
    .option("--workspace <id>", "the workspace, if several have the id")
    .option(
      "--alike",
      "also every pending approval in its workspace with the same tool and exactly the same input",
    )
    .option(
      "--input <json>",
      "the input that the tool gets instead: a JSON object, @FILE, or @- for standard input",
    )
    .option(
      "--wait <seconds>",
      "wait for what becomes of the answer: taken, then confirmed",
      wholeNumber(0),
      0,
    )
    .action(async (ids: readonly string[], { alike, input, workspace, wait, json, ...target }: Options) => {
      refuseAgents(context.env);
      const updatedInput = input === undefined ? undefined : objectOf(await givenJson(input));
      const decision = { decision: "approve" as const, ...(updatedInput && { updatedInput }) };
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

function objectOf(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw misused("The input of a tool is a JSON object.", `Write it as --input '{"command":"ls"}'.`);
}
