// forget
// Removes what the engine has stored about a session.
//
//   Owns:          the confirmation, repeating the request until nothing is left to remove, the output of `forget`.
//   Does not own:  which facts about a session are removed and which stay (the engine).
//
// EVIDENCE-FORGET-1. `forget` removes nothing without `--yes`. If an agent starts `forget --yes`, the command refuses to run.

import type { Command } from "commander";
import { z } from "zod";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { refuseAgents } from "../../decide.ts";
import { Failure } from "../../failures/failure.ts";
import { withProgress } from "../../output/progress.ts";
import { oneLine } from "../../../../runtime/text/visible.ts";
import { plural } from "../../wording.ts";

type Options = Common & { readonly workspace?: string; readonly yes?: boolean; readonly now?: boolean };

const KINDS = {
  actors: (n: number) => `${plural(n, "row")} of requests, calls and approvals`,
  pastApprovals: (n: number) => plural(n, "past approval"),
  auditRows: (n: number) => `what was asked in ${plural(n, "audit row")}`,
  deadLetters: (n: number) => plural(n, "dead letter"),
  blobs: (n: number) => plural(n, "large input"),
  openings: (n: number) => `the content of ${plural(n, "entry", "entries")} of the audit log`,
} as const;
type Kind = keyof typeof KINDS;
type Counts = Readonly<Record<Kind, number>>;
const NAMES = Object.keys(KINDS) as readonly Kind[];

const forgottenAnswer = z.looseObject({
  workspace: z.string(),
  sessionId: z.string(),
  actors: z.number(),
  pastApprovals: z.number(),
  auditRows: z.number(),
  deadLetters: z.number(),
  blobs: z.number(),
  openings: z.number(),
  more: z.boolean(),
  heldUntil: z.number().optional(),
  backups: z.array(z.object({ file: z.string(), at: z.number() })).optional(),
  changes: z.number().optional(),
  journalEntries: z.number().optional(),
});
type Forgotten = z.infer<typeof forgottenAnswer>;

const MORE = `
What stays: the ids, who decided what and when (without what was asked), and how often. Changes and
the journal's entries tell of the session for seven days more. With --now they go at once, and with
them those of all other sessions: nobody can look back, and \`verify\` begins anew.`;

export function forget(context: Context): Command {
  return clientCommand(
    "forget",
    "remove what is kept of a session that has ended",
    "forget 5f0c0c52-8ed8-4c6b-9d1b-8a4fd0e1c7aa --yes",
  )
    .addHelpText("after", MORE)
    .argument("<session>", "the session's id")
    .option("--workspace <id>", "its workspace, for one that was removed already")
    .option("--yes", "remove it; without this option, only print what would be removed")
    .option("--now", "cut the log of changes and the journal, too")
    .action(async (session: string, options: Options) => {
      const { terminal, env } = context;
      const { yes = false, now = false, json = false, workspace } = options;
      if (yes) refuseAgents(env, "Forgetting");
      const client = await engineOf(context, options);
      const ask = askerOf(client, session);
      const counted = await ask({ ...(workspace !== undefined && { workspace }), check: true });
      if (!yes) {
        if (json) return terminal.json({ ...counted, forgotten: false });
        return terminal.out(
          `${textOf("Would be removed", counted)}\nNothing was removed. To remove it, add --yes.`,
        );
      }
      const gone = await all(ask, counted, now, json);
      if (json) return terminal.json({ ...gone, backups: counted.backups, forgotten: true });
      terminal.out([textOf("Gone", gone), heldText(gone), ...backupsText(counted), ELSEWHERE].join("\n"));
    });
}

type Ask = (wish: object) => Promise<Forgotten>;

const askerOf = (client: Client, session: string): Ask => {
  const path = `/v1/sessions/${encodeURIComponent(session)}/forget`;
  return async (body) => forgottenAnswer.parse(succeeded(await client.send("POST", path, { body })).body);
};

const all = (ask: Ask, counted: Forgotten, now: boolean, json: boolean): Promise<Forgotten> =>
  withProgress(json ? undefined : "{value}/{total} rows", sum(counted), async (show) => {
    let total: Forgotten = { ...counted, ...countsOf(() => 0) };
    for (;;) {
      const went = await ask({ workspace: counted.workspace, now });
      if (went.more && sum(went) === 0)
        throw new Failure(
          `Some data of the session ${went.sessionId} could not be removed.`,
          "See `npx signalbox status`, and run this command again.",
        );
      const before = total;
      total = { ...went, ...countsOf((name) => before[name] + went[name]) };
      show(sum(total), Math.max(sum(counted), sum(total)));
      if (!went.more) return total;
    }
  });

const countsOf = (of: (name: Kind) => number): Counts =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Counts;
const sum = (counts: Counts): number => NAMES.reduce((all, name) => all + counts[name], 0);

function textOf(began: string, { workspace, sessionId, ...counts }: Forgotten): string {
  const found = NAMES.filter((name) => counts[name] > 0).map((name) => KINDS[name](counts[name]));
  return `${began}, of the session ${workspace}/${sessionId}: ${found.join(", ") || "nothing"}.`;
}

const BACKUPS_SHOWN = 20;
const dayAndTime = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

function heldText({ heldUntil, changes = 0, journalEntries = 0 }: Forgotten): string {
  if (heldUntil === undefined)
    return `Also gone, of all sessions: old changes (${changes}) and journal entries (${journalEntries}).`;
  return `The change log and the journal still hold data of the session until ${dayAndTime(heldUntil)} UTC at the latest; \`--now\` removes that, too.`;
}

/**
 * Names all backups that were made before the removal, even those from before the session began: the engine no longer knows when
 * the session began.
 */
function backupsText({ backups = [] }: Forgotten): readonly string[] {
  if (backups.length === 0) return [];
  const each = backups.toReversed().map(({ file, at }) => `  ${dayAndTime(at)}  ${oneLine(file)}`);
  const more =
    each.length > BACKUPS_SHOWN ? [`  and ${each.length - BACKUPS_SHOWN} older ones (--json)`] : [];
  return [
    "These backups still contain it, unless they were moved or deleted:",
    ...each.slice(0, BACKUPS_SHOWN),
    ...more,
  ];
}

const ELSEWHERE = `Data of the session may remain where the engine does not remove it: in backups, in copies of the folder that were made
without \`backup\`, in what went out over NATS (for a day; dead letters for 30 days), in programs that followed the engine,
and in the client's own transcript. Free pages of the store's file keep old bytes until you run \`npx signalbox compact\`.`;
