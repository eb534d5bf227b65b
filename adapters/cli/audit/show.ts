// Show
// Prints the rows of an audit log, newest first.
//
//   Owns:          the columns of the table of audit rows, and the words in them.
//   Does not own:  which rows the audit log has (runtime/audit).

import { isOfRow, type OwnEntry } from "../../../runtime/audit/entry.ts";
import { type Placed, rowsIn } from "../../../runtime/audit/rows-in.ts";
import type { Context } from "../command.ts";
import { table } from "../output/table.ts";
import { type AuditOptions, filterOf, ownLog } from "./open.ts";

export async function showLog(options: AuditOptions, context: Context): Promise<void> {
  const { terminal, now } = context;
  const log = await ownLog(options, context);
  const rows: Placed[] = [];
  for (const each of rowsIn(log, filterOf(options, now()))) if (rows.push(each) === options.limit) break;
  if (options.json === true) for (const each of rows) terminal.json(jsonOf(each));
  else if (rows.length === 0)
    terminal.out("The audit log has no such row. A new row reaches the log within a minute.");
  else
    terminal.out(
      table(["index", "time", "kind", "decision", "by", "tool", "approval", "call"], rows.map(cellsOf)),
    );
}

export const jsonOf = ({ index, said, row }: Pick<Placed, "index" | "said" | "row">): object =>
  isOfRow(said)
    ? { index, n: said.n, at: said.at, kind: said.kind, ...(row ?? { removed: true }) }
    : { index, ...said };

function cellsOf({ index, said, row }: Placed): readonly string[] {
  const first = [String(index), new Date(said.at).toISOString(), said.kind];
  if (row) return [...first, row.decision, row.by, row.tool ?? "", row.approvalId ?? "", row.callId ?? ""];
  return [...first, isOfRow(said) ? "removed" : ownText(said), "", "", "", ""];
}

function ownText(said: OwnEntry): string {
  switch (said.kind) {
    case "log-begun":
      return `from row ${said.from} on`;
    case "rows-missing":
      return `rows ${said.from} to ${said.to}`;
    case "rows-erased":
      return `${said.count} removed`;
  }
}
