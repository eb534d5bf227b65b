// export
// Prints, as JSON lines, what the engine and its peers know of sessions; or prints the definition of a machine.
//
//   Owns:          which lists are printed, and in which order; the progress bar.
//   Does not own:  the views that are printed (the engine), drawing a machine (mermaid.ts).

import { type Command, Option } from "commander";
import { z } from "zod";
import {
  approvalAnswer,
  callAnswer,
  changeAnswer,
  requestAnswer,
  type SessionAnswer,
  sessionAnswer,
} from "../answers.ts";
import { defined } from "../../../machines/defined.ts";
import type { Client } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { Failure, misused } from "../failures/failure.ts";
import { withProgress } from "../output/progress.ts";
import { mermaid } from "../../../runtime/reading/mermaid.ts";

type Options = Common & {
  readonly machine?: string;
  readonly format: "json" | "mermaid";
  readonly workspace?: string;
};

const machines = z.looseObject({
  machines: z.record(z.string(), z.looseObject({ version: z.string(), definition: z.unknown() })),
});

export function exportCommand(context: Context): Command {
  return clientCommand(
    "export",
    "print sessions, requests, calls, approvals and changes as JSON lines, or a machine",
    "export > signalbox.jsonl",
  )
    .argument("[session]", "only this session (default: all)")
    .option("--workspace <id>", "the workspace, if several have the session id")
    .option("--machine <name>", "the definition of a machine instead: session, request, call or approval")
    .addOption(new Option("--format <format>", "for a machine").choices(["json", "mermaid"]).default("json"))
    .action(async (session: string | undefined, options: Options) => {
      if (options.machine === undefined && options.format === "mermaid") {
        throw misused(
          "--format mermaid draws a machine only.",
          "Write `npx signalbox export --machine call --format mermaid`.",
        );
      }
      const client = await engineOf(context, options);
      if (options.machine !== undefined)
        return printMachine(client, options.machine, options.format, context);
      const { workspace } = options;
      const sessions =
        session === undefined
          ? await client.list("/v1/sessions", sessionAnswer, { workspace })
          : [await client.get(`/v1/sessions/${encodeURIComponent(session)}`, sessionAnswer, { workspace })];
      await printSessions(client, [...sessions].reverse(), context);
    });
}

/** The progress bar is on standard error. If the lines go to a screen, there is no bar, because they would break it. */
async function printSessions(
  client: Client,
  sessions: readonly SessionAnswer[],
  context: Context,
): Promise<void> {
  const approvals = approvalsIn(client);
  const words = context.terminal.isScreen ? undefined : "{value}/{total} sessions";
  await withProgress(words, sessions.length, async (show) => {
    for (const [done, session] of sessions.entries()) {
      show(done, sessions.length);
      await printSession(client, session, await approvals(session), context);
    }
  });
}

type Approval = z.output<typeof approvalAnswer>;

/** A session's approvals. The engine lists the approvals of a whole workspace, so each workspace's list is read only once. */
function approvalsIn(client: Client): (session: SessionAnswer) => Promise<readonly Approval[]> {
  const read = new Map<string, Map<string, Approval[]>>();
  return async ({ workspace, id, engine }) => {
    const place = `${engine ?? ""}/${workspace}`;
    const known = read.get(place) ?? new Map<string, Approval[]>();
    if (!read.has(place)) {
      for (const each of await client.list("/v1/approvals", approvalAnswer, { workspace, engine }))
        known.set(each.sessionId, [...(known.get(each.sessionId) ?? []), each]);
      read.set(place, known);
    }
    return known.get(id) ?? [];
  };
}

async function printSession(
  client: Client,
  session: SessionAnswer,
  approvals: readonly Approval[],
  { terminal }: Context,
): Promise<void> {
  const { id, workspace, engine } = session;
  const of = { workspace, engine };
  const path = `/v1/sessions/${encodeURIComponent(id)}`;
  terminal.json({ kind: "session", ...session });
  const print = (kind: string, items: readonly object[]): void => {
    for (const item of [...items].reverse()) terminal.json({ kind, ...item, ...defined({ engine }) });
  };
  print("request", await client.list("/v1/requests", requestAnswer, { ...of, session: id }));
  print("call", await client.list(`${path}/tool-calls`, callAnswer, of));
  print("approval", approvals);
  print("change", await client.list(`${path}/history`, changeAnswer, of));
}

async function printMachine(
  client: Client,
  name: string,
  format: Options["format"],
  { terminal }: Context,
): Promise<void> {
  const { machines: known } = await client.get("/v1/machines", machines);
  const machine = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!machine)
    throw new Failure(`There is no machine "${name}".`, `There are ${Object.keys(known).join(", ")}.`);
  if (format === "json") terminal.json({ kind: "machine", name, ...machine });
  else terminal.out(mermaid(machine.definition));
}
