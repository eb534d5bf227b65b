// audit
// The audit log: shows it, checks it, proves single rows of it, counts what was asked about.
//
//   Owns:          its options, which action does what.
//   Does not own:  the actions (adapters/cli/audit), the log (runtime/audit).

import { Argument, type Command, Option } from "commander";
import { attest } from "../../audit/attest.ts";
import { PER, showCoverage } from "../../audit/coverage.ts";
import { exportLog, proveRows } from "../../audit/export.ts";
import { type AuditOptions, folderOf, noLog } from "../../audit/open.ts";
import { showLog } from "../../audit/show.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { type Context, plainCommand, wholeNumber } from "../../command.ts";
import { misused } from "../../failures/failure.ts";

const ACTIONS = ["show", "verify", "prove", "export", "attest", "coverage", "keys"] as const;
type Action = (typeof ACTIONS)[number];

const MORE = `
  $ npx signalbox audit show --by local:ann --since 7d
  $ npx signalbox audit verify --against /mnt/elsewhere/checkpoints
  $ npx signalbox audit prove a-12 --out a-12.jsonl
  $ npx signalbox audit export january.jsonl --since 2026-01-01 --until 2026-02-01
  $ npx signalbox audit verify january.jsonl --key 'signalbox/audit/…+…+…'
  $ npx signalbox audit attest --since 2026-01-01 --out approved.json
  $ npx signalbox audit coverage --since 12h --per agent
  $ npx signalbox audit keys

All but coverage read files alone: an engine may run, or not. docs/reference/audit.md says what is proven.`;

export function audit(context: Context): Command {
  return plainCommand(
    "audit",
    "the log that proves what was decided: show, verify [FOLDER or FILE], prove ID, export [FILE], attest, coverage, keys",
    "audit verify",
  )
    .addHelpText("after", MORE)
    .addArgument(new Argument("<action>", "what to do").choices(ACTIONS))
    .argument(
      "[what]",
      "for verify: a log's folder or a file; for prove: an approval or a call; for export: a file",
    )
    .option("--since <time>", "from then on: 7d, or 2026-01-31")
    .option("--until <time>", "before that time")
    .option("--workspace <id>", "only this workspace")
    .option("--session <id>", "only this session")
    .option("--by <who>", "only what they decided, such as local:ann or rule:r_1k")
    .option("--kind <kind>", "only rows of this kind, such as decision")
    .option("--limit <n>", "for show: how many, the newest first", wholeNumber(1), 50)
    .option("--key <key>", "for verify: the log's public key, or a file that holds it, from elsewhere")
    .option("--against <file>", "for verify: checkpoints that were kept elsewhere")
    .option("--out <file>", "for prove, export and attest: write it there")
    .option("--tlog-proof", "for prove: the newest row alone, in the form c2sp.org/tlog-proof")
    .addOption(new Option("--per <what>", "for coverage: what the rows are").choices(PER).default("session"))
    .option("--url <url>", "for coverage: the engine's address (default: the data folder's)")
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON, one value a line")
    .action((action: Action, what: string | undefined, options: AuditOptions) =>
      act(action, what, options, context),
    );
}

async function act(
  action: Action,
  what: string | undefined,
  options: AuditOptions,
  context: Context,
): Promise<void> {
  switch (action) {
    case "show":
      return showLog(options, context);
    case "verify":
      return verifyAudit(what, options, context);
    case "prove":
      if (what === undefined)
        throw misused("Which approval or call?", "Write `npx signalbox audit prove ID`.");
      return proveRows(what, options, context);
    case "export":
      return exportLog(what ?? options.out, options, context);
    case "attest":
      return attest(options, context);
    case "coverage":
      return showCoverage(options, context);
    case "keys":
      return printKey(options, context);
  }
}

async function printKey(options: AuditOptions, context: Context): Promise<void> {
  const folder = folderOf(options, context);
  const signer = await folder.signer();
  if (!signer) throw noLog(folder);
  if (options.json === true) context.terminal.json({ name: signer.name, id: signer.id, key: signer.text });
  else context.terminal.out(signer.text);
}
