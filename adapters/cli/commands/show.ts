// show
// Shows the session, request, call or approval that an id belongs to.
//
//   Owns:          finding what has the given id; the choices that are printed if several things have that id.
//   Does not own:  the form of what is shown (runtime/rows/views).

import { titleLine } from "../../../runtime/text/title-line.ts";
import type { Command } from "commander";
import { z } from "zod";
import { callAnswer, requestAnswer } from "../answers.ts";
import { type Client, succeeded } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { CALL_HEAD, callCells, nested } from "../nested.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import { intentWithSource, stateOfRequest } from "../wording.ts";

const KINDS = {
  session: "sessions",
  request: "requests",
  call: "tool-calls",
  approval: "approvals",
} as const;
type Kind = keyof typeof KINDS;

type Options = Common & { readonly session?: string; readonly workspace?: string };

interface Found {
  readonly kind: Kind;
  readonly view: Readonly<Record<string, unknown>>;
}

const view = z.record(z.string(), z.unknown());

export function show(context: Context): Command {
  return clientCommand(
    "show",
    "show a session, request, call or approval",
    "show toolu_01S1call01xxxxxxxxxxxxxx",
  )
    .argument("<id>", "the id of a session, request, call or approval")
    .option("--session <id>", "the session, if several have a call with this id")
    .option("--workspace <id>", "the workspace, if several have the id")
    .action(async (id: string, options: Options) => {
      const client = await engineOf(context, options);
      const found = await lookUp(client, id, options);
      if (options.json === true) for (const { kind, view } of found) context.terminal.json({ kind, ...view });
      else
        for (const one of found)
          context.terminal.out(await described(client, one, columnsOf(context.terminal)));
    });
}

async function lookUp(
  client: Client,
  id: string,
  { session, workspace }: Options,
): Promise<readonly Found[]> {
  const kinds: readonly Kind[] = ["session", "request", "call", "approval"];
  const answers = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      answer: await client.send("GET", `/v1/${KINDS[kind]}/${encodeURIComponent(id)}`, {
        query: { workspace, ...(kind === "call" && { session }) },
      }),
    })),
  );
  const known = answers.filter(({ answer }) => answer.status !== 404);
  if (known.length === 0)
    throw new Failure(`Nothing here has the id ${id}.`, "`npx signalbox ls` lists the sessions.");
  const command = `npx signalbox show ${id}`;
  return known.map(({ kind, answer }) => ({ kind, view: view.parse(succeeded(answer, command).body) }));
}

async function described(client: Client, { kind, view }: Found, columns: number): Promise<string> {
  const name = (key: string): string =>
    `${key.padEnd(Math.max(...Object.keys(view).map(({ length }) => length)))}  `;
  const told = kind === "call" ? callAnswer.parse(view).intent : undefined;
  const lines = Object.entries(view).map(
    ([key, value]) => name(key) + (key === "intent" && told ? intentWithSource(told) : shown(key, value)),
  );
  return [kind.toUpperCase(), ...lines, ...(await parts(client, kind, view, columns)), ""].join("\n");
}

const TIME = /(?:^at|At|Since)$/;

/**
 * Writes a value as text, its times in readable form. A tool's input stays unchanged: no number in it is a time of the engine.
 */
function shown(key: string, value: unknown): string {
  if (key.toLowerCase().includes("input"))
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const timed = withTime(key, value);
  return typeof timed === "string" ? timed : JSON.stringify(timed, withTime);
}

const withTime = (key: string, value: unknown): unknown =>
  typeof value === "number" && TIME.test(key) ? new Date(value).toISOString() : value;

async function parts(
  client: Client,
  kind: Kind,
  view: Found["view"],
  columns: number,
): Promise<readonly string[]> {
  if (kind !== "session" && kind !== "request") return [];
  const session = z.string().parse(kind === "session" ? view["id"] : view["sessionId"]);
  const workspace = z.string().parse(view["workspace"]);
  const request = kind === "request" ? z.string().parse(view["requestId"]) : undefined;
  const path = `/v1/sessions/${encodeURIComponent(session)}/tool-calls`;
  const calls = [...(await client.list(path, callAnswer, { workspace, request }))].reverse();
  const requests =
    kind === "session"
      ? [...(await client.list("/v1/requests", requestAnswer, { workspace, session }))].reverse()
      : [];
  const requestRows = requests.map((one) => [
    one.requestId,
    stateOfRequest(one),
    titleLine(one.prompt ?? ""),
  ]);
  const callRows = nested(calls).map(({ call, depth }) => callCells(call, depth));
  const part = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
    rows.length === 0 ? [] : ["", table(head, rows, columns)];
  return [...part(["REQUEST", "STATE", "PROMPT"], requestRows), ...part(CALL_HEAD, callRows)];
}
