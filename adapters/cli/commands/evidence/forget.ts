// forget
// Removes what the engine keeps of a session.
//
//   Owns:          the confirmation, repeating until nothing is left, its output.
//   Does not own:  what is removed and what stays (the engine).
//
// EVIDENCE-FORGET-1. Only `--yes` removes anything; without it, the command prints what would be removed. An agent cannot use
//     this command.

import type { Command } from "commander";
import { z } from "zod";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { refuseAgents } from "../../decide.ts";
import { Failure } from "../../failures/failure.ts";
import { progressOf } from "../../output/progress.ts";
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
type Counts = Readonly<Record<keyof typeof KINDS, number>>;
const NAMES = Object.keys(KINDS) as readonly (keyof typeof KINDS)[];

const count = z.number();
const forgottenAnswer = z.looseObject({
  workspace: z.string(),
  sessionId: z.string(),
  ...{
    actors: count,
    pastApprovals: count,
    auditRows: count,
    deadLetters: count,
    blobs: count,
    openings: count,
  },
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

const askerOf =
  (client: Client, session: string): Ask =>
  async (body) =>
    forgottenAnswer.parse(
      succeeded(await client.send("POST", `/v1/sessions/${encodeURIComponent(session)}/forget`, { body }))
        .body,
    );

/** Repeats until nothing is left. @param counted the totals for the bar. @throws Failure if a repetition removes nothing. */
async function all(ask: Ask, counted: Forgotten, now: boolean, json: boolean): Promise<Forgotten> {
  const { workspace } = counted;
  const bar = json ? undefined : progressOf("{value}/{total} rows", sum(counted));
  let total: Forgotten = { ...counted, ...NOTHING };
  try {
    for (;;) {
      const went = await ask({ workspace, now });
      if (went.more && sum(went) === 0)
        throw new Failure(
          `Some data of the session ${went.sessionId} could not be removed.`,
          "See `npx signalbox status`, and run this command again.",
        );
      total = {
        ...went,
        ...(Object.fromEntries(NAMES.map((name) => [name, total[name] + went[name]])) as Counts),
      };
      bar?.show(sum(total), Math.max(sum(counted), sum(total)));
      if (!went.more) return total;
    }
  } finally {
    bar?.stop();
  }
}

const NOTHING = {
  actors: 0,
  pastApprovals: 0,
  auditRows: 0,
  deadLetters: 0,
  blobs: 0,
  openings: 0,
} satisfies Counts;
const sum = (counts: Counts): number => NAMES.reduce((all, name) => all + counts[name], 0);

function textOf(began: string, { workspace, sessionId, ...counts }: Forgotten): string {
  const found = NAMES.filter((name) => counts[name] > 0).map((name) => KINDS[name](counts[name]));
  return `${began}, of the session ${workspace}/${sessionId}: ${found.join(", ") || "nothing"}.`;
}

const BACKUPS_SHOWN = 20;
const dayAndTime = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

function heldText({ heldUntil, changes = 0, journalEntries = 0 }: Forgotten): string {
  if (heldUntil === undefined)
    return `Changes (${changes}) and entries of the journal (${journalEntries}) of all sessions are gone, too.`;
  return `Changes and the journal still hold it until ${dayAndTime(heldUntil)} UTC at the latest; \`--now\` removes it from these, too.`;
}

/** Names the backups made before the removal: the engine no longer knows when the session began. */
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

const ELSEWHERE = `Not removed: backups, copies of the folder that were made without \`backup\`, what went out over NATS (kept there for a
day, dead letters for 30), whoever followed the engine, and the client's own transcript. The file's free pages keep
old bytes until \`npx signalbox compact\`.`;
