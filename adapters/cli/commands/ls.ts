// ls
// Lists sessions, requests, or the calls of a session.
//
//   Owns:          the lists of sessions, requests and calls, and their columns.
//   Does not own:  the words for states (wording.ts).

import { Argument, type Command, Option } from "commander";
import { titleLine } from "../../../runtime/text/title-line.ts";
import { callAnswer, requestAnswer, sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../command.ts";
import { misused } from "../failures/failure.ts";
import { CALL_HEAD, callCells } from "../nested.ts";
import { noneThere } from "../output/none-there.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import { agoOf, plural, stateOfRequest } from "../wording.ts";

interface Options extends Common {
  readonly state?: string;
  readonly workspace?: string;
  readonly limit: number;
}

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
    .addArgument(new Argument("[what]", "what to list").choices(Object.keys(LISTS)).default("sessions"))
    .argument("[session]", "for calls: the session's id")
    .addOption(new Option("--state <state>", "only those in this state"))
    .option("--workspace <id>", "only those of this workspace")
    .option("--limit <n>", "how many at most, newest first", wholeNumber(1), 50)
    .action(async (what: keyof typeof LISTS, session: string | undefined, options: Options) => {
      if ((what === "calls") !== (session !== undefined)) {
        throw misused("Only calls are listed by session.", "Write `npx signalbox ls calls SESSION`.");
      }
      const client = await engineOf(context, options);
      const { terminal, now } = context;
      const { items, head, rows } = await LISTS[what](client, options, now(), session);
      if (options.json === true) for (const item of items) terminal.json(item);
      else if (items.length > 0) terminal.out(table(head, rows, columnsOf(terminal)));
      else terminal.out(await noneThere(`No ${what} yet`, client, options.workspace));
    });
}

type List = (client: Client, options: Options, now: number, session?: string) => Promise<Listing>;

const sessions: List = async (client, { state: wanted, workspace, limit }, now) => {
  const items = await client.list("/v1/sessions", sessionAnswer, { state: wanted, workspace }, limit);
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
};

const requests: List = async (client, { state, workspace, limit }, now) => {
  const items = await client.list("/v1/requests", requestAnswer, { state, workspace }, limit);
  const rows = items.map((item) => [
    item.requestId,
    stateOfRequest(item),
    agoOf(item.createdAt, now),
    item.error ?? "",
    titleLine(item.prompt ?? ""),
  ]);
  return { items, head: ["REQUEST", "STATE", "AGE", "ERROR", "PROMPT"], rows };
};

const calls: List = async (client, { state, workspace, limit }, _now, session = "") => {
  const path = `/v1/sessions/${encodeURIComponent(session)}/tool-calls`;
  const items = await client.list(path, callAnswer, { state, workspace }, limit);
  return { items, head: CALL_HEAD, rows: items.map((item) => callCells(item)) };
};

const LISTS = { sessions, requests, calls };
