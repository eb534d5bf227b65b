// audit
// The command of the audit log: shows it, checks it, proves single rows of it, counts which calls were asked about.
//
//   Owns:          its options, which action does what; printing a signed statement of which calls users approved.
//   Does not own:  the actions (adapters/cli/audit), the log (runtime/audit).

import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { PER, showCoverage } from "../../audit/coverage.ts";
import { exportLog, proveRows } from "../../audit/export.ts";
import { type AuditOptions, filterOf, folderOf, noLog, ownLog } from "../../audit/open.ts";
import { showLog } from "../../audit/show.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { type Context, groupCommand, plainCommand, wholeNumber } from "../../command.ts";
import { rowsIn } from "../../../../runtime/audit/rows-in.ts";
import { approvedStatement, signedStatement } from "../../../../runtime/audit/statement.ts";

type Act = (options: AuditOptions, context: Context) => Promise<void>;
type ActOn<T> = (what: T, options: AuditOptions, context: Context) => Promise<void>;

export function audit(context: Context): Command {
  return groupCommand("audit", "the log that proves what was decided", "audit verify", [
    filtered(auditCommand("show", "show its rows, the newest first", "audit show --by local:ann --since 7d"))
      .option("--limit <n>", "how many at most", wholeNumber(1), 50)
      .action(by(showLog, context)),
    auditCommand("verify", "check the whole log", "audit verify --against /mnt/elsewhere/checkpoints")
      .argument("[what]", "a log's folder or an exported file (default: the data folder's log)")
      .option("--key <key>", "the log's public key, or a file that holds it, from elsewhere")
      .option("--against <file>", "checkpoints that were kept elsewhere")
      .action(on(verifyAudit, context)),
    auditCommand(
      "prove",
      "prove what was decided on one approval or call",
      "audit prove a-12 --out a-12.jsonl",
    )
      .argument("<id>", "the approval's or the call's")
      .option("--out <file>", "write it there")
      .option("--tlog-proof", "the newest row alone, in the form c2sp.org/tlog-proof")
      .action(on(proveRows, context)),
    filtered(
      auditCommand("export", "copy rows with their proofs", "audit export january.jsonl --since 2026-01-01"),
    )
      .argument("[file]", "write them there")
      .option("--out <file>", "the same")
      .action(
        on((file: string | undefined, options) => exportLog(file ?? options.out, options, context), context),
      ),
    filtered(
      auditCommand("attest", "sign what was approved", "audit attest --since 2026-01-01 --out approved.json"),
    )
      .option("--out <file>", "write it there")
      .action(by(attest, context)),
    auditCommand(
      "coverage",
      "count who allowed the calls that ran; asks the engine",
      "audit coverage --since 12h --per agent",
    )
      .option("--since <time>", "from then on: 7d, or 2026-01-31")
      .option("--until <time>", "before that time")
      .option("--workspace <id>", "only this workspace")
      .option("--session <id>", "only this session")
      .addOption(new Option("--per <what>", "what the rows are").choices(PER).default("session"))
      .option("--url <url>", "the engine's address (default: the data folder's)")
      .action(by(showCoverage, context)),
    auditCommand("keys", "print the key by which others check it", "audit keys").action(
      by(printKey, context),
    ),
  ]).addHelpText(
    "after",
    "\nAll actions but coverage read only files, whether or not an engine runs. docs/reference/audit.md says what is proven.",
  );
}

const by =
  (act: Act, context: Context) =>
  (options: AuditOptions): Promise<void> =>
    act(options, context);
const on =
  <T>(act: ActOn<T>, context: Context) =>
  (what: T, options: AuditOptions): Promise<void> =>
    act(what, options, context);

const auditCommand = (name: string, summary: string, example: string): Command =>
  plainCommand(name, summary, example)
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON, one value a line");

const filtered = (command: Command): Command =>
  command
    .option("--since <time>", "from then on: 7d, or 2026-01-31")
    .option("--until <time>", "before that time")
    .option("--workspace <id>", "only this workspace")
    .option("--session <id>", "only this session")
    .option("--by <who>", "only what they decided, such as local:ann or rule:r_1k")
    .option("--kind <kind>", "only rows of this kind, such as decision");

async function printKey(options: AuditOptions, context: Context): Promise<void> {
  const folder = folderOf(options, context);
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  if (options.json === true) context.terminal.json({ name: signer.name, id: signer.id, key: signer.text });
  else context.terminal.out(signer.text);
}

async function attest(options: AuditOptions, context: Context): Promise<void> {
  const log = await ownLog(folderOf(options, context));
  const filter = filterOf(options, context.now());
  const statement = approvedStatement(log, [...rowsIn(log, filter)].reverse(), filter);
  const text = JSON.stringify(signedStatement(statement, log.signer));
  const { out } = options;
  if (out !== undefined) await writeFile(out, `${text}\n`);
  context.terminal.out(out === undefined ? text : `Wrote a signed statement to ${out}.`);
}
