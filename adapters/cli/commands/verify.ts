// verify
// Replays the journal, and names each entry whose result differs from the recorded one, and each altered row of the store.
//
//   Owns:          the progress bar of `verify`, the exit code.
//   Does not own:  replaying the journal (wiring), comparing results (the engine), the words of the report (verified-text.ts).
//
// COMMANDS-VERIFY-1. The exit code of `verify` is 1 if an entry or row differs although this build made it, or if an entry that
//     was applied is missing. The exit code is 3 if another build may have made all that differs.

import type { Command } from "commander";
import { defined } from "../../../machines/defined.ts";
import { type Context, type OfFolder, folderCommand, wholeNumber } from "../command.ts";
import { withProgress } from "../output/progress.ts";
import { settingsOf } from "../settings/file.ts";
import { serverIn } from "../settings/origins.ts";
import { exitCodeOf, reportOf } from "../verified-text.ts";

const MORE = `
It exits with 1 if something differs that this build made, or is missing, and with 3 if another build may have made all that differs.

Where the journal is on a NATS server of your own, by the environment or the file of settings:
  SIGNALBOX_NATS_URL   its address, as for \`npx signalbox up\`
  SIGNALBOX_NATS_NKEY  the file with the key, where the server wants one`;

interface Options extends OfFolder {
  readonly config?: string;
  readonly from?: number;
  readonly session?: string;
}

export function verify({ terminal, wiring, exitWith, env }: Context): Command {
  return folderCommand(
    "verify",
    "replay the journal, and name each entry and each row of the store that differs from the result; stop the engine first",
    "verify --session chat-7",
    "print JSON: one line an entry or row that differs, then the sums",
  )
    .option("--from <position>", "name entries from this journal position on", wholeNumber(1))
    .option("--session <id>", "name entries and rows of this session only")
    .option("--config <file>", "the file of settings that `up` was told")
    .addHelpText("after", MORE)
    .action(async ({ data, config, from, session, json = false }: Options) => {
      const { settings } = await settingsOf(defined({ config }), wiring.folder(data), { env, wiring });
      const server = { url: serverIn(settings), nkey: settings.natsNkey };
      const found = await withProgress("{value}/{total} entries", 0, (progress) =>
        wiring.verify(data, { ...defined({ from, session }), progress }, server),
      );
      exitWith(exitCodeOf(found));
      if (!json) return terminal.out(reportOf(found));
      const { differences, rows, ...sums } = found;
      for (const difference of [...differences, ...rows.differences]) terminal.json(difference);
      const { compared, unchecked } = rows;
      terminal.json({
        ...sums,
        differences: differences.length,
        rows: { compared, differences: rows.differences.length, unchecked },
      });
    });
}
