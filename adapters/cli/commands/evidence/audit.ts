// audit
// The command `audit`: shows and checks the audit log, proves single rows, counts who allowed the calls that ran.
//
//   Owns:          the options of `audit` and what each action does; printing a signed statement of which calls users approved.
//   Does not own:  the code of the other actions (adapters/cli/audit), the audit log (runtime/audit).

import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { showCoverage } from "../../audit/coverage.ts";
import { exportLog, proveRows } from "../../audit/export.ts";
import { type AuditOptions, filterOf, noLog, ownLog } from "../../audit/open.ts";
import { showLog } from "../../audit/show.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { type Context, folderCommand, groupCommand, wholeNumber } from "../../command.ts";
import { COVERAGE_TABLES } from "../../../../runtime/audit/coverage.ts";
import { rowsIn } from "../../../../runtime/audit/rows-in.ts";
import { approvedStatement, signedStatement } from "../../../../runtime/audit/statement.ts";

export function audit(context: Context): Command {
  return groupCommand("audit", "the log that proves what was decided", "audit verify", [
    filtered(
      folderCommand(
        "show",
        "show the rows of the log, the newest first",
        "audit show --by local:ann --since 7d",
      ),
    )
      .option("--limit <n>", "how many at most", wholeNumber(1), 50)
      .action((options: AuditOptions) => showLog(options, context)),
    folderCommand("verify", "check the whole log", "audit verify --against /mnt/elsewhere/checkpoints")
      .argument("[what]", "a log's folder or an exported file (default: the data folder's log)")
      .option("--key <key>", "the log's public key, or a file that holds it, from elsewhere")
      .option("--against <file>", "checkpoints that were kept elsewhere")
      .action((what: string | undefined, options: AuditOptions) => verifyAudit(what, options, context)),
    folderCommand(
      "prove",
      "prove what was decided on one approval or call",
      "audit prove a-12 --out a-12.jsonl",
    )
      .argument("<id>", "the id of the approval or call")
      .option("--out <file>", "write the proof to this file")
      .option("--tlog-proof", "the newest row alone, in the form c2sp.org/tlog-proof")
      .action((id: string, options: AuditOptions) => proveRows(id, options, context)),
    filtered(
      folderCommand("export", "copy rows with their proofs", "audit export january.jsonl --since 2026-01-01"),
    )
      .argument("[file]", "the file to write to")
      .option("--out <file>", "the file to write to, as an option")
      .action((file: string | undefined, options: AuditOptions) =>
        exportLog(file ?? options.out, options, context),
      ),
    filtered(
      folderCommand(
        "attest",
        "sign what was approved",
        "audit attest --since 2026-01-01 --out approved.json",
      ),
    )
      .option("--out <file>", "write the statement to this file")
      .action((options: AuditOptions) => attest(options, context)),
    ofTimeAndPlace(
      folderCommand(
        "coverage",
        "count who allowed the calls that ran; asks the engine",
        "audit coverage --since 12h --per agent",
      ),
    )
      .addOption(new Option("--per <what>", "what the rows are").choices(COVERAGE_TABLES).default("session"))
      .option("--url <url>", "the engine's address (default: the data folder's)")
      .action((options: AuditOptions) => showCoverage(options, context)),
    folderCommand("keys", "print the key by which others check the log", "audit keys").action(
      (options: AuditOptions) => printKey(options, context),
    ),
  ]).addHelpText(
    "after",
    "\nAll actions but coverage read only files, whether or not an engine runs. docs/reference/audit.md says what is proven.",
  );
}

const ofTimeAndPlace = (command: Command): Command =>
  command
    .option("--since <time>", "from then on: 7d, or 2026-01-31")
    .option("--until <time>", "before that time")
    .option("--workspace <id>", "only this workspace")
    .option("--session <id>", "only this session");

const filtered = (command: Command): Command =>
  ofTimeAndPlace(command)
    .option("--by <who>", "only what this decider decided, such as local:ann or rule:r_1k")
    .option("--kind <kind>", "only rows of this kind, such as decision");

async function printKey(options: AuditOptions, context: Context): Promise<void> {
  const folder = context.wiring.audit(options.data);
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  if (options.json === true) context.terminal.json({ name: signer.name, id: signer.id, key: signer.text });
  else context.terminal.out(signer.text);
}

async function attest(options: AuditOptions, context: Context): Promise<void> {
  const log = await ownLog(options, context);
  const filter = filterOf(options, context.now());
  const statement = approvedStatement(log, [...rowsIn(log, filter)].reverse(), filter);
  const text = JSON.stringify(signedStatement(statement, log.signer));
  const { out } = options;
  if (out !== undefined) await writeFile(out, `${text}\n`);
  context.terminal.out(out === undefined ? text : `Wrote a signed statement to ${out}.`);
}
