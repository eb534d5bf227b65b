// Coverage text
// Reads calls from the engine, and prints how many of the calls that ran were allowed, and by whom.
//
//   Owns:          which calls are read from the engine, the columns and sentences of the report.
//   Does not own:  finding out whose answer allowed a call (runtime/audit/coverage).

import { z } from "zod";
import { type Coverage, coverageOf, type CoverageTable } from "../../../runtime/audit/coverage.ts";
import { callAnswer, sessionAnswer } from "../answers.ts";
import { type Context, engineOf } from "../command.ts";
import { table } from "../output/table.ts";
import { type AuditOptions, filterOf } from "./open.ts";

const answer = callAnswer.extend({
  permission: z.looseObject({ decision: z.string() }).optional(),
  allowedBy: z.unknown().optional(),
});

/** Counts the calls that the engine still has: those of open requests, and of requests that ended within the last day. */
export async function showCoverage(options: AuditOptions, context: Context): Promise<void> {
  const { since = 0, until = Infinity, session, workspace } = filterOf(options, context.now());
  const client = await engineOf(context, options);
  const calls = [];
  for (const { id, workspace: home } of await client.list("/v1/sessions", sessionAnswer, { workspace })) {
    if (session !== undefined && session !== id) continue;
    const path = `/v1/sessions/${encodeURIComponent(id)}/tool-calls`;
    for (const call of await client.list(path, answer, { workspace: home }))
      if (call.createdAt >= since && call.createdAt < until) calls.push(call);
  }
  const found = coverageOf(calls);
  if (options.json === true) context.terminal.json(found);
  else context.terminal.out(textOf(found, options.per));
}

const HEADS = ["ran", "person", "rule", "policy", "model", "client", "denied", "none"] as const;

function textOf({ all, tables }: Coverage, per: CoverageTable): string {
  const { ran, person, rule, policy, model, client, denied, none } = all;
  const share = ran === 0 ? 100 : Math.floor(((ran - none - denied) / ran) * 100);
  const words = [
    `Of ${ran} calls that ran and are still kept, a person allowed ${person} through Signalbox, a rule ${rule}, a policy ${policy}, a model ${model}, and the client's own dialog, rules or mode ${client}.`,
    `Signalbox does not know who allowed ${none} calls, and ${denied} ran although they were denied. So ${share} % of the calls that ran had an answer that allowed them.`,
  ];
  const rows = tables[per].map((row) => [row.name, ...HEADS.map((name) => String(row[name]))]);
  if (rows.length === 0) return words.join("\n");
  return `${words.join("\n")}\n\n${table(
    [per, ...HEADS].map((name) => name.toUpperCase()),
    rows,
  )}`;
}
