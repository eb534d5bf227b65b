// Gate command
// What the commands share that ask a user before a call runs: the time-out, the workspace, the engine.
//
//   Owns:          the options, the message about a workspace that only a variable names.
//   Does not own:  when that message is printed (the commands).

import type { Command } from "commander";
import { plainCommand, wholeNumber, workspaceId } from "../command.ts";
import { Failure } from "../failures/failure.ts";

export interface GateOptions {
  /** Seconds. */
  readonly timeout: number;
  readonly workspace?: string;
  readonly data?: string;
  readonly json?: boolean;
}

const TIMEOUT_S = 3_600;

/** @param what what waits for an answer: `a call`. */
export function gateCommand(
  name: string,
  summary: string,
  { what, example }: { readonly what: string; readonly example: string },
): Command {
  return plainCommand(name, summary, example)
    .option(
      "--timeout <seconds>",
      `how long ${what} waits before it is denied`,
      wholeNumber(1, 86_400),
      TIMEOUT_S,
    )
    .option(
      "--workspace <id>",
      "the workspace whose rules answer (default: that of the session's folder)",
      workspaceId,
    )
    .option("--data <dir>", "the engine's data folder");
}

export const byVariable = (workspace = ""): Failure =>
  new Failure(
    `SIGNALBOX_WORKSPACE is ${workspace} for this program. The variable is ignored here, because a project could set it.`,
    "If that is your workspace, add --workspace ID to the command that starts this program.",
  );
