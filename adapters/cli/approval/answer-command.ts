// Answer command
// What `approve` and `deny` share: which approvals they answer, and how long they wait.
//
//   Owns:          these arguments and options, and how they are read.
//   Does not own:  which answer is sent (the commands), sending the answer (decide.ts).

import type { Command } from "commander";
import { clientCommand, type Common, wholeNumber } from "../command.ts";

export type AnswerOptions = Common & {
  readonly alike?: boolean;
  readonly wait: number;
  readonly workspace?: string;
};

/** Which approvals are answered, and how; times are in ms. */
export interface Answering {
  readonly ids: readonly string[];
  /** The workspace, for ids that several workspaces have. */
  readonly workspace: string | undefined;
  /** Whether all pending approvals that are like a given one are answered, too. */
  readonly withAlike: boolean;
  /** How long to wait for news of what the agent did. */
  readonly waitMs: number;
  readonly json: boolean;
}

/** A command that answers approvals. @param example what follows `signalbox` in its example. */
export function answerCommand(name: string, summary: string, example: string): Command {
  return clientCommand(name, summary, example)
    .argument("<id...>", "ids of approvals, from `npx signalbox approvals`")
    .option("--workspace <id>", "the workspace, if several have the id")
    .option(
      "--alike",
      "also every pending approval in its workspace with the same tool and exactly the same input",
    )
    .option(
      "--wait <seconds>",
      "how long to wait until the agent has taken the answer, and has obeyed it",
      wholeNumber(0),
      0,
    );
}

export function answering(
  ids: readonly string[],
  { alike, workspace, wait, json }: AnswerOptions,
): Answering {
  return { ids, workspace, withAlike: alike === true, waitMs: wait * 1_000, json: json === true };
}
