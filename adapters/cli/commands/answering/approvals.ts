// approvals
// Lists the pending approvals, the most urgent first, with all that a user needs to judge each.
//
//   Owns:          which approvals are listed, and how much is printed about each approval.
//   Does not own:  the words about an approval (approval/), following changes (waiting/).

import type { Command } from "commander";
import type { Client } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { stoppedBySignal } from "../../output/drawing.ts";
import { misused } from "../../failures/failure.ts";
import {
  type Found,
  oneApproval,
  type ShownApproval,
  shownApprovalOf,
  waitingOf,
} from "../../approval/read.ts";
import { riskMark, risksIn, toneOfRisks, tonedLines } from "../../approval/risk-text.ts";
import { described, isShared, rowOf, jsonOf } from "../../approval/text.ts";
import { isWatched } from "../../../../runtime/channels.ts";
import { noneThere } from "../../output/none-there.ts";
import { table } from "../../output/table.ts";
import { columnsOf } from "../../output/terminal.ts";
import { followApprovals } from "../../waiting/follow.ts";
import { WaitingList } from "../../waiting/list.ts";
import { inJson, inText } from "../../waiting/telling.ts";

interface Options extends Common {
  readonly workspace?: string;
  readonly short?: boolean;
  readonly follow?: boolean;
  readonly bell: boolean;
}

export function approvals(context: Context): Command {
  return clientCommand(
    "approvals",
    "list what waits for your answer, the most urgent first",
    "approvals --follow",
  )
    .argument("[id...]", "only these approvals, each with its whole input, however long")
    .option("--workspace <id>", "only those of this workspace; needed if several workspaces have the id")
    .option("--short", "one line for each")
    .option("--follow", "keep running: print each new approval and each answer; ring")
    .option("--no-bell", "do not ring for a new approval")
    .action(async (ids: readonly string[], options: Options) => {
      if (options.follow === true && (ids.length > 0 || options.short === true))
        throw misused(
          "--follow cannot be combined with ids or --short.",
          "Write `npx signalbox approvals --follow`.",
        );
      const client = await engineOf(context, options);
      if (options.follow === true) return follow(client, options, context);
      const { workspace } = options;
      const named = (id: string) => oneApproval(client, { id, workspace }, `npx signalbox approvals ${id}`);
      const found = ids.length > 0 ? await Promise.all(ids.map(named)) : await waitingOf(client, workspace);
      if (found.length === 0 && options.json !== true) {
        context.terminal.out(await noneThere("Nothing waits for an answer", client, workspace));
        return;
      }
      if (options.short === true && options.json !== true) return tellShort(found, context);
      const approvals: ShownApproval[] = [];
      for (const each of found) approvals.push(await shownApprovalOf(client, each));
      tell(approvals, options, context);
    });
}

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

function tellShort(found: readonly Found[], { terminal, now }: Context): void {
  const isFor = ({ approval: { assigned } }: Found): readonly string[] => (assigned ? [assigned.to] : []);
  const columns = found.some((each) => isFor(each).length > 0) ? ["FOR"] : [];
  const rows = found.map((each) => [
    ...rowOf(each, now()).toSpliced(3, 0, riskMark(risksIn(each))),
    ...columns.map(() => isFor(each).join()),
  ]);
  const head = ["APPROVAL", "WAITING", "TOOL", "RISK", "INPUT", "SESSION", ...columns];
  const [first = "", ...lines] = table(head, rows, columnsOf(terminal)).split("\n");
  const toned = lines.map((text, at) => ({ text, tone: found.slice(at, at + 1).map(toneOfRisks)[0] }));
  terminal.out([{ text: first }, ...toned]);
}

function tell(approvals: readonly ShownApproval[], { json }: Options, context: Context): void {
  const { terminal, now } = context;
  if (json === true) {
    for (const shown of approvals) terminal.json(jsonOf(shown));
    return;
  }
  const columns = columnsOf(terminal);
  for (const shown of approvals) {
    const look = { now: now(), columns, hasCommands: true, isShared: isShared(shown, approvals) };
    terminal.out(tonedLines(`${described(shown, look)}\n`));
  }
  if (approvals.every(({ approval }) => isWatched(approval)))
    terminal.out("The client asks in its own dialog: answer in that dialog.");
}

async function follow(client: Client, { workspace, bell, json }: Options, context: Context): Promise<void> {
  const list = new WaitingList();
  const signal = stoppedBySignal();
  const { url } = client;
  const telling = json === true ? inJson(context, url) : inText(context, { list, url, rings: bell, signal });
  await followApprovals({ client, workspace, list, telling, signal, after });
}
