// restore
// Makes a data folder from a backup.
//
//   Owns:          the messages of `restore`.
//   Does not own:  reading the backup (wiring), the passphrase (passphrase.ts).

import type { Command } from "commander";
import type { Restored } from "../backup-form.ts";
import { type Context, type OfFolder, plainCommand } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { withProgress } from "../output/progress.ts";
import { passphraseOf, type PassphraseOptions, withPassphrase } from "../passphrase.ts";
import { contentOf, tokensOf } from "./backup.ts";
import { pasted } from "../../../runtime/text/quoted.ts";

interface Options extends PassphraseOptions, OfFolder {
  readonly check?: boolean;
}

const PROMPT = "The passphrase of the key and the tokens in it:";

export function restore(context: Context): Command {
  const { terminal, wiring } = context;
  const command = plainCommand(
    "restore",
    "make a data folder from a backup; the folder must be new or empty",
    "restore signalbox.backup --data ~/restored",
  );
  return withPassphrase(command, "restore without the seal's key and people's tokens")
    .argument("<file>", "what `npx signalbox backup` wrote")
    .option("--data <dir>", "the new data folder")
    .option("--check", "only look whether the backup is whole")
    .option("--json", "print JSON")
    .action(async (file: string, { data, check: isCheck = false, json = false, ...options }: Options) => {
      const isSealed = await wiring.backups.isSealed(file);
      const isGiven = options.passphraseFile !== undefined || Boolean(context.env["SIGNALBOX_PASSPHRASE"]);
      const passphrase =
        isSealed || isGiven ? await passphraseOf(context, options, PROMPT, false) : undefined;
      if (isSealed && options.key && !isCheck && passphrase === undefined) throw needsPassphrase();
      const found = await withProgress("{percentage}% of the backup", 1, (progress) =>
        wiring.backups.restore(data, file, { passphrase, isCheck, progress }),
      );
      if (json) return terminal.json({ ...found, isCheck });
      terminal.out((isCheck ? checked : reportOf)(found));
    });
}

const from = (found: Restored): string =>
  `made by version ${found.build} on ${new Date(found.madeAt).toISOString()}, as of entry ${found.position}: ${contentOf(found)}`;

function checked(found: Restored): string {
  const opened = found.isOpened ? "the passphrase opens it" : "the passphrase was not tried";
  const seal = found.isSealed
    ? `The backup has the seal's key and tokens; ${opened}.`
    : "The backup holds no key and no tokens.";
  return `The backup is whole, ${from(found)}.\n${seal}`;
}

function reportOf(found: Restored): string {
  const { dir, journal, hasJournal, hasKey, tokens, isSealed, isOpened } = found;
  const left = isSealed ? "as you asked" : "the backup has none";
  const noKey = journal === "embedded" ? [] : [NO_KEY];
  return [
    `Restored ${dir} from a backup ${from(found)}.`,
    ...(isOpened
      ? [`Also restored: ${[...(hasKey ? ["the seal's key"] : []), `the ${tokensOf(tokens)}`].join(", ")}.`]
      : [`No key and no tokens were restored: ${left}.`, ...noKey]),
    ...(journal === "private" && !hasJournal ? [NO_JOURNAL] : []),
    `Start it: npx signalbox up --data ${pasted(dir)}`,
    "On another machine put the hooks in anew: npx signalbox install",
  ].join("\n");
}

const NO_JOURNAL =
  "The journal is not in this backup. Stop the old folder's engine, and copy that folder's `nats` into the restored folder. Without a journal, start with `up --adopt-journal`; older approvals can then not be approved.";

const NO_KEY =
  "Copy the old folder's `key` into the restored folder. Without the seal's key the engine cannot tell its own messages in the journal from forged ones, and may refuse to start.";

const needsPassphrase = (): Failure =>
  new Failure(
    "The seal's key and tokens in the backup are encrypted with a passphrase, and none was given.",
    "Set SIGNALBOX_PASSPHRASE, or name a file with --passphrase-file. `--no-key` restores everything else.",
  );
