// ls
// Lists sessions, requests, or the calls of a session.
//
//   Owns:          the three lists and their columns.
//   Does not own:  the states and their words (wording.ts).

import { Argument, type Command, Option } from "commander";
import { titleLine } from "../../../runtime/text/title-line.ts";
import { callAnswer, requestAnswer, sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { toolOf } from "../nested.ts";
import { noneThere } from "../output/none-there.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import { agoOf, causeOfCall, gistIn, intentIn, plural, stateOfRequest } from "../wording.ts";

type Options = Common & { readonly state?: string; readonly workspace?: string; readonly limit: number };
interface Listing {
  readonly items: readonly unknown[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function ls(context: Context): Command {
  return clientCommand(
    "ls",
    "list sessions, requests, or the calls of a session",
    "ls requests --state processing",
  )
    .addArgument(
      new Argument("[what]", "what to list").choices(["sessions", "requests", "calls"]).default("sessions"),
    )
    .argument("[session]", "for calls: the session's id")
    .addOption(new Option("--state <state>", "only those in this state"))
    .option("--workspace <id>", "only those of this workspace")
    .option("--limit <n>", "how many at most, newest first", wholeNumber(1), 50)
    .action(async (what: string, session: string | undefined, options: Options) => {
      if ((what === "calls") !== (session !== undefined)) {
        throw misused("Only calls are listed by session.", "Write `npx signalbox ls calls SESSION`.");
      }
      const client = await engineOf(context, options);
      const { items, head, rows } = await listing(client, what, session ?? "", options, context.now());
      const { terminal } = context;
      if (options.json === true) for (const item of items) terminal.json(item);
      else if (items.length > 0) terminal.out(table(head, rows, columnsOf(terminal)));
      else terminal.out(await noneThere(`No ${what} yet`, client, options.workspace));
    });
}

function listing(
  client: Client,
  what: string,
  session: string,
  options: Options,
  now: number,
): Promise<Listing> {
  const query = { state: options.state, workspace: options.workspace };
  if (what === "requests") return requests(client, query, options.limit, now);
  if (what === "calls") return calls(client, session, query, options.limit);
  return sessions(client, query, options.limit, now);
}

type Query = Readonly<Record<string, string | undefined>>;

async function sessions(client: Client, query: Query, limit: number, now: number): Promise<Listing> {
  const items = await client.list("/v1/sessions", sessionAnswer, query, limit);
  const rows = items.map(({ id, state, counts, lastEvent, title, cwd, branch, client = "" }) => [
    id,
    state,
    counts.pendingApprovals > 0
      ? `${plural(counts.calls, "call")}, ${counts.pendingApprovals} to approve`
      : plural(counts.calls, "call"),
    agoOf(lastEvent.at, now),
    titleLine(title ?? ""),
    [cwd, branch].filter(Boolean).join(" · "),
    client,
  ]);
  return { items, head: ["SESSION", "STATE", "CALLS", "LAST", "TITLE", "FOLDER", "CLIENT"], rows };
}

async function requests(client: Client, query: Query, limit: number, now: number): Promise<Listing> {
  const items = await client.list("/v1/requests", requestAnswer, query, limit);
  const rows = items.map((item) => [
    item.requestId,
    stateOfRequest(item),
    agoOf(item.createdAt, now),
    item.error ?? "",
    titleLine(item.prompt ?? ""),
  ]);
  return { items, head: ["REQUEST", "STATE", "AGE", "ERROR", "PROMPT"], rows };
}

async function calls(client: Client, session: string, query: Query, limit: number): Promise<Listing> {
  const items = await client.list(
    `/v1/sessions/${encodeURIComponent(session)}/tool-calls`,
    callAnswer,
    query,
    limit,
  );
  const rows = items.map((item) => [
    item.id,
    toolOf(item),
    item.execution,
    causeOfCall(item),
    intentIn(item),
    gistIn(item),
  ]);
  return { items, head: ["CALL", "TOOL", "STATE", "CAUSE", "INTENT", "INPUT"], rows };
}
