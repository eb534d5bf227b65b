// assign
// Assigns pending approvals to a person, or withdraws their assignment.
//
//   Owns:          the options and messages of `assign`.
//   Does not own:  what an assignment changes (the engine).

import type { Command } from "commander";
import { oneLine } from "../../../../runtime/text/visible.ts";
import { oneApproval } from "../../approval/read.ts";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, each, engineOf } from "../../command.ts";

type Options = Common & { readonly to: string; readonly workspace?: string };

const NOBODY = "nobody";

export function assign(context: Context): Command {
  return clientCommand(
    "assign",
    "say who is to answer; anybody else still may",
    "assign a_kq3v5z2m --to anna",
  )
    .argument("<id...>", "ids of approvals, from `npx signalbox approvals`")
    .requiredOption("--to <name>", `the person, or \`${NOBODY}\` to take it back`)
    .option("--workspace <id>", "the workspace, if several have the id")
    .action(async (ids: readonly string[], options: Options) => {
      const client = await engineOf(context, options);
      await each([...new Set(ids)], (id) => assignOne(client, id, options, context), context);
    });
}

async function assignOne(
  client: Client,
  id: string,
  { to, workspace: named, json }: Options,
  { terminal, exitWith }: Context,
): Promise<void> {
  const { approval } = await oneApproval(client, { id, workspace: named }, `npx signalbox assign ${id}`);
  const { workspace } = approval;
  const answer = await client.send("POST", `/v1/approvals/${encodeURIComponent(id)}/assignment`, {
    query: { workspace },
    body: { to: to === NOBODY ? null : to },
  });
  if (json === true) terminal.json(answer.body);
  if (json === true && answer.status === 409) {
    exitWith(1);
    return;
  }
  succeeded(answer);
  if (json !== true) terminal.out(`${id} is assigned to ${oneLine(to)}.`);
}
