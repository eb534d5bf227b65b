// backup
// Writes a backup of the data folder into one file, while the folder's engine runs.
//
//   Owns:          the messages of `backup`.
//   Does not own:  making the backup (wiring), the passphrase (passphrase.ts).

import type { Command } from "commander";
import type { BackedUp } from "../backup-form.ts";
import { type Context, type OfFolder, folderCommand } from "../command.ts";
import { withProgress } from "../output/progress.ts";
import { passphraseOf, type PassphraseOptions, withPassphrase } from "../passphrase.ts";

const PROMPT = "A passphrase for the key and the tokens in it (empty: they are left out):";

export function backup(context: Context): Command {
  const { terminal, wiring } = context;
  const command = folderCommand(
    "backup",
    "write all that the data folder is made of into one file, while the engine runs",
    "backup signalbox.backup",
  );
  return withPassphrase(command, "leave the seal's key and people's tokens out")
    .argument("<file>", "the backup; another backup there is replaced once this one is whole")
    .action(async (file: string, { data, json = false, ...options }: OfFolder & PassphraseOptions) => {
      const passphrase = await passphraseOf(context, options, PROMPT, true);
      const made = await withProgress("{percentage}% of rows", 1, (progress) =>
        wiring.backups.backUp(data, file, { passphrase, progress }),
      );
      if (json) return terminal.json(made);
      terminal.out(reportOf(made));
      for (const name of made.damaged)
        terminal.err(`The blob ${name} is damaged in the folder, and is not in the backup.`);
    });
}

export const contentOf = ({ rows, entries, blobs }: Pick<BackedUp, "rows" | "entries" | "blobs">): string =>
  `${rows} rows, ${entries} entries of the journal, ${blobs} large inputs`;

function reportOf(made: BackedUp): string {
  const { dir, file, bytes, position, journal, hasJournal, isSealed, tokens, hasKey } = made;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    `Backed up ${dir} as of entry ${position}: ${contentOf(made)}. ${file} takes ${size}.`,
    ...(hasJournal || journal === "embedded" ? [] : [NO_JOURNAL[journal]]),
    isSealed
      ? `Encrypted with the passphrase: the ${[...(hasKey ? ["seal's key"] : []), tokensOf(tokens)].join(", the ")}. Anybody who has the file can read everything else.`
      : `No passphrase was given: the seal's key and the tokens of people are NOT in the backup. Copy ${dir}/key and ${dir}/tokens separately.`,
    ...(made.isNoted
      ? []
      : [
          `The list of backups in ${dir} could not be written: \`npx signalbox forget\` will not name this one.`,
        ]),
    `To check that it is whole: npx signalbox restore ${file} --check`,
  ].join("\n");
}

export const tokensOf = (tokens: number): string =>
  tokens === 1 ? "token of one person" : `tokens of ${tokens} people`;

const NO_JOURNAL = {
  private:
    "The journal is NOT in the backup: it is on the private NATS server, which runs. To have the journal in the backup, stop the engine first (`npx signalbox down`).",
  server:
    "The journal is not in the backup, but on its NATS server: the engine of a restored folder goes on reading the journal there.",
} as const;
