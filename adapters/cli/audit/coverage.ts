// Coverage text
// Reads the engine's calls, and prints how many of the calls that ran were allowed, and by whom.
//
//   Owns:          which calls are read, columns and words.
//   Does not own:  whose answer allowed a call (runtime/audit/coverage).

import { z } from "zod";
import {
  COVERAGE_TABLES,
  type Coverage,
  coverageOf,
  type CoverageTable,
} from "../../../runtime/audit/coverage.ts";
import { callAnswer, sessionAnswer } from "../answers.ts";
import { type Context, engineOf } from "../command.ts";
import { table } from "../output/table.ts";
import { type AuditOptions, filterOf } from "./open.ts";

const answer = callAnswer.extend({
  permission: z.looseObject({ decision: z.string() }).optional(),
  allowedBy: z.unknown().optional(),
});

export const PER = COVERAGE_TABLES;

/** Counts the calls that the engine still has: those of requests that were closed at most a day ago. */
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
    `Of ${ran} calls that ran and are still kept, a person allowed ${person} here, a rule ${rule}, a policy ${policy}, a model ${model}, the client itself ${client}.`,
    `It is not known who allowed ${none}, and ${denied} ran although they were denied. So an answer covers ${share} of 100 calls.`,
  ];
  const rows = tables[per].map((row) => [row.name, ...HEADS.map((name) => String(row[name]))]);
  if (rows.length === 0) return words.join("\n");
  return `${words.join("\n")}\n\n${table(
    [per, ...HEADS].map((name) => name.toUpperCase()),
    rows,
  )}`;
}
