// verify
// Replays the journal, and names each entry that has another result than before, and each row that was altered in the store.
//
//   Owns:          the progress bar, the exit code.
//   Does not own:  replaying (wiring), the comparison (the engine), the words (verify/text).
//
// COMMANDS-VERIFY-1. The exit code is 1 if an entry or a row differs under the build that made it, or if an applied entry is
//     missing. Otherwise it is 0.

import type { Command } from "commander";
import { defined } from "../../../machines/defined.ts";
import { type Context, type OfFolder, plainCommand, wholeNumber } from "../command.ts";
import { progressOf } from "../output/progress.ts";
import { settingsOf } from "../settings/file.ts";
import { serverIn } from "../settings/origins.ts";
import { isSound, reportOf } from "../verified-text.ts";

/** A private server needs neither option. */
const SERVER = `
Where the journal is on a NATS server of your own, by the environment or the file of settings:
  SIGNALBOX_NATS_URL   its address, as for \`npx signalbox up\`
  SIGNALBOX_NATS_NKEY  the file with the key, where the server wants one`;

interface Options extends OfFolder {
  readonly config?: string;
  readonly from?: number;
  readonly session?: string;
}

export function verify({ terminal, wiring, exitWith, env }: Context): Command {
  return plainCommand(
    "verify",
    "replay the journal, and name each entry and each row of the store that differs from the result; stop the engine first",
    "verify --session chat-7",
  )
    .option("--from <position>", "name entries from this journal position on", wholeNumber(1))
    .option("--session <id>", "name entries and rows of this session only")
    .option("--data <dir>", "the engine's data folder")
    .option("--config <file>", "the file of settings that `up` was told")
    .option("--json", "print JSON: one line an entry or row that differs, then the sums")
    .addHelpText("after", SERVER)
    .action(async ({ data, config, from, session, json = false }: Options) => {
      const { settings } = await settingsOf(defined({ config }), wiring.folder(data), { env, wiring });
      const server = { url: serverIn(settings), nkey: settings.natsNkey };
      const bar = progressOf("{value}/{total} entries");
      const found = await wiring
        .verify(data, { ...defined({ from, session }), progress: bar.show }, server)
        .finally(() => bar.stop());
      if (!isSound(found)) exitWith(1);
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
