// stats
// Counts how approvals were answered: by whom, how soon, and for which tools.
//
//   Owns:          the options, words and columns of `stats`; comma-separated values (RFC 4180) that are safe in a spreadsheet.
//   Does not own:  counting the answers (runtime/reading/figures/answers).
//
// COMMANDS-STATS-1. A reader that follows RFC 4180 gets back the same cells, except where COMMANDS-STATS-2 changes a cell.
// COMMANDS-STATS-2. No cell begins like a formula: if a text would, an apostrophe is written before the text. Hidden
//     characters are made visible.

import { type Command, Option } from "commander";
import { z } from "zod";
import { TABLES } from "../../../runtime/reading/figures/counted.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { table } from "../output/table.ts";
import { durationMs } from "../rules/terms.ts";
import { agoOf, plural } from "../wording.ts";

type Options = Common & {
  readonly since: string;
  readonly by: (typeof TABLES)[number];
  readonly workspace?: string;
  readonly csv?: boolean;
};

const row = z.looseObject({
  name: z.string(),
  asked: z.number(),
  allowed: z.number(),
  denied: z.number(),
  person: z.number(),
  client: z.number(),
  rule: z.number(),
  model: z.number().default(0),
  nobody: z.number(),
  waiting: z.number(),
  // For several engines together there is no p50 and no p90: they cannot be computed from the engines' own percentiles.
  waitMs: z.looseObject({
    count: z.number(),
    p50: z.number().optional(),
    p90: z.number().optional(),
    longest: z.number(),
  }),
});
type Row = z.infer<typeof row>;

const followed = z.looseObject({
  denials: z.number(),
  same: z.number(),
  changed: z.number(),
  other: z.number(),
  none: z.number(),
});

const answersAnswer = z.looseObject({
  all: row,
  afterDenials: followed.optional(),
  tables: z.record(z.enum(TABLES), z.array(row)),
  more: z.boolean(),
});

const HEADS = [
  "asked",
  "allowed",
  "denied",
  "person",
  "client",
  "rule",
  "model",
  "nobody",
  "waiting",
] as const;
const WAITS = ["count", "p50", "p90", "longest"] as const;

export function stats(context: Context): Command {
  return clientCommand(
    "stats",
    "how approvals were answered: by whom, how soon, of what",
    "stats --since 7d --by tool",
  )
    .addOption(new Option("--by <what>", "what the rows are").choices(TABLES).default("day"))
    .option("--since <duration>", "what was asked in the last 30d, 12h", "30d")
    .option("--workspace <id>", "only those of this workspace")
    .option("--csv", "print the rows for a spreadsheet; waits in ms")
    .action(async ({ since, by, workspace, csv: asCsv, json, ...target }: Options) => {
      const from = context.now() - durationMs(since);
      const client = await engineOf(context, target);
      const query = { since: from, workspace };
      const found = await client.get("/v1/answers", answersAnswer, query);
      const rows = found.tables[by];
      const { terminal } = context;
      if (json === true) terminal.json(found);
      else if (asCsv === true) terminal.out(csvOf(by, rows));
      else terminal.out(textOf(found, since, by, rows));
    });
}

const csvOf = (by: string, rows: readonly Row[]): string =>
  csv(
    [by, ...HEADS, ...WAITS.map((name) => `wait_${name}`)],
    rows.map((each) => [
      each.name,
      ...HEADS.map((name) => each[name]),
      ...WAITS.map((name) => each.waitMs[name] ?? ""),
    ]),
  );

export const csv = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => row.map(cellOf).join(",")).join("\n");

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = oneLine(value);
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function afterText({ denials, same, changed, other, none }: z.infer<typeof followed>): string {
  const next = `the same call again after ${same}, the same tool on other input after ${changed}, another tool after ${other}, nothing more after ${none}`;
  return `What agents did after a denial (${plural(denials, "denial")} whose calls are still kept): ${next}.`;
}

const spanOf = (ms: number): string => agoOf(0, ms);

type Found = z.infer<typeof answersAnswer>;

function textOf({ all, afterDenials, more }: Found, since: string, by: string, rows: readonly Row[]): string {
  const of = `Of ${plural(all.asked, "approval")}${more ? ", the newest," : ""} asked in the last ${since}`;
  const whom = `people answered ${all.person} here and ${all.client} at the client, rules ${all.rule}, models ${all.model}; nobody answered ${all.nobody}, and ${all.waiting} wait.`;
  const { count, p50, p90, longest } = all.waitMs;
  const waits =
    count === 0
      ? "How long people took to answer is not known."
      : p50 === undefined || p90 === undefined
        ? `The longest answer given here took ${spanOf(longest)}.`
        : `Half of the answers given here came within ${spanOf(p50)}, nine of ten within ${spanOf(p90)}; the longest took ${spanOf(longest)}.`;
  const lines = [`${of}, ${whom}`, `${all.allowed} were allowed, ${all.denied} denied. ${waits}`];
  if (afterDenials && afterDenials.denials > 0) lines.push(afterText(afterDenials));
  if (rows.length === 0) return lines.join("\n");
  const cells = rows.map((each) => [
    each.name === "" ? "(not known)" : each.name,
    ...HEADS.map((name) => String(each[name])),
    each.waitMs.count === 0 || each.waitMs.p50 === undefined ? "" : spanOf(each.waitMs.p50),
  ]);
  const head = [by, ...HEADS, "half within"].map((name) => name.toUpperCase());
  return `${lines.join("\n")}\n\n${table(head, cells)}`;
}
