// Trial
// Has the engine test rules on past approvals, and prints the result.
//
//   Owns:          the progress bar; the words about the result; which fields of the engine's answer are read.
//   Does not own:  testing the rules (the engine).
//
// RULES-TRIAL-1. While a long test of rules runs, a progress bar is drawn on standard error if standard error is a screen. With
//     --json there is no bar.

import { z } from "zod";
import type { Client } from "../client.ts";
import { Failure } from "../failures/failure.ts";
import { withProgress } from "../output/progress.ts";
import { table } from "../output/table.ts";
import { agoOf, plural } from "../wording.ts";

const unaskedAnswer = z.looseObject({
  calls: z.number(),
  deny: z.number(),
  ask: z.number(),
  more: z.boolean(),
  items: z.array(
    z.looseObject({
      callId: z.string(),
      tool: z.string(),
      at: z.number(),
      input: z.string(),
      would: z.string(),
    }),
  ),
});

export const trialAnswer = z.looseObject({
  asked: z.number(),
  allow: z.number(),
  deny: z.number(),
  ask: z.number(),
  differing: z.number(),
  limited: z.number().default(0),
  more: z.boolean(),
  days: z.array(z.looseObject({ day: z.string(), asked: z.number(), answered: z.number() })).default([]),
  items: z.array(
    z.looseObject({
      approvalId: z.string(),
      sessionId: z.string(),
      tool: z.string(),
      askedAt: z.number(),
      input: z.string(),
      would: z.string(),
      rule: z.string().optional(),
      state: z.string(),
      by: z.string().optional(),
      differs: z.boolean(),
    }),
  ),
  unasked: unaskedAnswer.optional(),
});
export type TrialAnswer = z.infer<typeof trialAnswer>;
const progressEvent = z.looseObject({ looked: z.number(), of: z.number() });

export const askTrial = (client: Client, asked: object, hasBar: boolean): Promise<TrialAnswer> =>
  withProgress(hasBar ? "{value}/{total} approvals and calls" : undefined, 0, async (show) => {
    for await (const { event, data } of client.events("/v1/rules/test", asked)) {
      if (event === "trial") return trialAnswer.parse(JSON.parse(data));
      if (event !== "progress") continue;
      const { looked, of } = progressEvent.parse(JSON.parse(data));
      show(looked, of);
    }
    throw new Failure(
      "The engine stopped the trial before its end.",
      "Nothing was changed. Run the trial again.",
    );
  });

export function trialText(found: TrialAnswer, now: number): string {
  const { asked, more, allow, deny, differing, limited, days, items } = found;
  const of = `Of ${plural(asked, "approval")}${more ? ", the newest," : ""}`;
  const counts = `${of} the rule would have allowed ${allow}, denied ${deny}, and left ${asked - allow - deny} to a person.`;
  const people = `${differing === 0 ? "Nobody" : `In ${plural(differing, "case")} a person`} answered otherwise.`;
  const limits =
    limited === 0
      ? ""
      : `\nWithout its uses, its hourly limit and its end it would have answered ${limited} more.`;
  const told = `${counts}\n${people}${limits}${savedText(days)}${unaskedText(found)}`;
  const hasSeveral = new Set(items.map(({ rule }) => rule)).size > 1;
  const rows = items.map((item) => [
    item.differs ? "!" : "",
    item.approvalId,
    item.would,
    ...(hasSeveral ? [item.rule ?? ""] : []),
    item.by === undefined ? item.state : `${item.state} by ${item.by}`,
    agoOf(item.askedAt, now),
    item.tool,
    item.input,
  ]);
  const tables = [
    rows.length > 0
      ? table(["", "APPROVAL", "WOULD", ...(hasSeveral ? ["BY"] : []), "WAS", "AGE", "TOOL", "INPUT"], rows)
      : "",
    unaskedTable(found, now),
  ];
  return [told, ...tables].filter(Boolean).join("\n\n");
}

function savedText(days: TrialAnswer["days"]): string {
  if (days.length === 0) return "";
  const saved = days.reduce((sum, { answered }) => sum + answered, 0) / days.length;
  return `\nOn ${plural(days.length, "day")} with approvals it would have answered ${saved.toFixed(1)} a day.`;
}

function unaskedText({ unasked }: TrialAnswer): string {
  if (!unasked || unasked.calls === 0) return "";
  const { calls, deny, ask, more } = unasked;
  const of = `Of ${plural(calls, "call")}${more ? ", the newest," : ""} that nobody was asked about`;
  return `\n${of} it would deny ${deny} and ask a person about ${ask}, if the client asked.`;
}

function unaskedTable({ unasked }: TrialAnswer, now: number): string {
  const rows = (unasked?.items ?? []).map(({ callId, would, at, tool, input }) => [
    callId,
    would,
    agoOf(at, now),
    tool,
    input,
  ]);
  return rows.length > 0 ? table(["CALL", "WOULD", "AGE", "TOOL", "INPUT"], rows) : "";
}
