// Answer command
// What the commands `approve` and `deny` have in common: which approvals they answer, and how long they then
// wait to learn whether the agent has taken the answer and obeyed it.
//
//   Owns:          the arguments and options that `approve` and `deny` have in common, and parsing them.
//   Does not own:  whether the answer allows or denies (commands/answering), sending the answer (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, wholeNumber } from "../command.ts";

export interface AnswerOptions extends Common {
  readonly alike?: boolean;
  /** How long to wait for news of what the agent did, s. */
  readonly wait: number;
  readonly workspace?: string;
}

export function answerCommand(name: string, summary: string, example: string): Command {
  return clientCommand(name, summary, example)
    .argument("<id...>", "ids of approvals, from `npx signalbox approvals`")
    .option("--workspace <id>", "the workspace, if several have the id")
    .option(
      "--alike",
      "also every pending approval in its workspace and folder with the same tool and exactly the same input",
    )
    .option(
      "--wait <seconds>",
      "how long to wait until the agent has taken the answer, and has obeyed it",
      wholeNumber(0),
      0,
    );
}
