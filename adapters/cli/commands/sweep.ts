// sweep
// Has the engine remove everything past its retention now, or reports what would be removed.
//
//   Owns:          repeating the request until nothing is left to remove, the progress bar, the table.
//   Does not own:  what is past its retention (the engine).

import type { Command } from "commander";
import { z } from "zod";
import { type Client, succeeded } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { withProgress } from "../output/progress.ts";
import { table } from "../output/table.ts";

type Options = Common & { readonly dryRun?: boolean };

const KINDS = {
  requests: "requests",
  sessions: "sessions",
  changes: "changes",
  auditRows: "audit rows",
  deadLetters: "dead letters",
  replies: "replies under a key",
  tombstones: "tombstones of what was removed",
  ledgers: "counts of removed sessions",
  pastApprovals: "past approvals, kept to try rules on",
  rules: "rules that ended",
  journalEntries: "journal entries",
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as readonly Kind[];
/**
 * Kinds that no sweep removes, and that the progress bar so does not count: the engine removes them when their own deadlines
 * end.
 */
const BY_THEMSELVES: readonly Kind[] = ["requests", "sessions"];

const counts = z.partialRecord(z.string(), z.number());
type Counts = z.infer<typeof counts>;
const dueAnswer = z.looseObject({ due: counts });
const sweptAnswer = z.looseObject({ swept: counts, more: z.boolean() });

export function sweep(context: Context): Command {
  return clientCommand("sweep", "remove now what has been kept long enough", "sweep --dry-run")
    .option("--dry-run", "only count what would be removed")
    .action(async (options: Options) => {
      const { terminal } = context;
      const client = await engineOf(context, options);
      const { due } = await client.get("/v1/sweep", dueAnswer);
      const { dryRun = false } = options;
      const found = dryRun ? due : await sweepAll(client, due);
      if (options.json === true) return terminal.json({ dryRun, ...known(found) });
      const rows = NAMES.filter((kind) => (found[kind] ?? 0) > 0);
      if (rows.length === 0)
        return terminal.out("Nothing is old enough to be removed, except what the engine removes by itself.");
      terminal.out(
        table(
          [dryRun ? "WOULD GO" : "WENT", "COUNT"],
          rows.map((kind) => [KINDS[kind], String(found[kind] ?? 0)]),
        ),
      );
    });
}

const known = (found: Counts): Counts => Object.fromEntries(NAMES.map((kind) => [kind, found[kind] ?? 0]));
const sum = (found: Counts): number =>
  NAMES.filter((kind) => !BY_THEMSELVES.includes(kind)).reduce((all, kind) => all + (found[kind] ?? 0), 0);

const sweepAll = (client: Client, due: Counts): Promise<Counts> =>
  withProgress("{value}/{total} rows", sum(due), async (show) => {
    const total: Counts = {};
    for (let goesOn = true; goesOn;) {
      const { body } = succeeded(await client.send("POST", "/v1/sweep", { body: {} }));
      const { swept, more } = sweptAnswer.parse(body);
      for (const kind of NAMES) total[kind] = (total[kind] ?? 0) + (swept[kind] ?? 0);
      show(sum(total), Math.max(sum(due), sum(total)));
      goesOn = more;
    }
    return total;
  });
