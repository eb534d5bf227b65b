// alarms
// Lists the calls that ran although they should not have, newest first.
//
//   Owns:          the options and columns of `alarms`, the exit code of `--check`.
//   Does not own:  which calls raise an alarm (machines/evidence/alarm).

import type { Command } from "commander";
import { alarmAnswer } from "../answers.ts";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../command.ts";
import { noneThere } from "../output/none-there.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import { timeOf, whyOfAlarm } from "../wording.ts";

type Options = Common & {
  readonly state?: string;
  readonly workspace?: string;
  readonly limit: number;
  readonly check?: boolean;
};

export function alarms(context: Context): Command {
  return clientCommand("alarms", "list calls that ran and should not have", "alarms --check")
    .option("--state <kind>", "only those of this kind")
    .option("--workspace <id>", "only those of this workspace")
    .option("--limit <n>", "how many at most, newest first", wholeNumber(1), 50)
    .option("--check", "exit with 1 if there are any")
    .action(async ({ state, workspace, limit, check, json, ...target }: Options) => {
      const client = await engineOf(context, target);
      const items = await client.list("/v1/alarms", alarmAnswer, { state, workspace }, limit);
      if (json === true) for (const item of items) context.terminal.json(item);
      else if (items.length === 0)
        context.terminal.out(await noneThere("No call ran without permission", client, workspace));
      else {
        const rows = items.map((each) => [
          timeOf(each.at),
          each.tool,
          whyOfAlarm(each),
          each.callId,
          `${each.workspace}/${each.sessionId}`,
        ]);
        context.terminal.out(
          table(["AT", "TOOL", "ALARM", "CALL", "SESSION"], rows, columnsOf(context.terminal)),
        );
      }
      if (check === true && items.length > 0) context.exitWith(1);
    });
}
