// Attest
// Prints a signed statement of which calls users approved.
//
//   Owns:          the range of the statement.
//   Does not own:  the statement's content and form (runtime/audit/statement).

import { writeFile } from "node:fs/promises";
import { rowsIn } from "../../../runtime/audit/rows-in.ts";
import { approvedStatement, signedStatement } from "../../../runtime/audit/statement.ts";
import type { Context } from "../command.ts";
import { type AuditOptions, filterOf, folderOf, ownLog } from "./open.ts";

export async function attest(options: AuditOptions, context: Context): Promise<void> {
  const log = await ownLog(folderOf(options, context));
  const filter = filterOf(options, context.now());
  const statement = approvedStatement(log, [...rowsIn(log, filter)].reverse(), filter);
  const text = JSON.stringify(signedStatement(statement, log.signer));
  const { out } = options;
  if (out !== undefined) await writeFile(out, `${text}\n`);
  context.terminal.out(out === undefined ? text : `Wrote a signed statement to ${out}.`);
}
