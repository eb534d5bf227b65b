// verify
// Replays the journal and names each entry that leads to something else than it did.
//
//   Owns:          the progress bar, the table, the exit code.
//   Does not own:  replaying (wiring), what is compared (the engine).
//
// COMMANDS-VERIFY-1. The exit code is 1 if an entry differs under the build that applied it, else 0.

import { SingleBar } from "cli-progress";
import type { Command } from "commander";
import { type Context, plainCommand, wholeNumber } from "../command.ts";
import { table } from "../table.ts";
import type { VerifiedFolder } from "../wiring.ts";

interface Options {
  readonly data?: string;
  readonly from?: number;
  readonly session?: string;
  readonly json?: boolean;
}

export function verify({ terminal, wiring, exitWith }: Context): Command {
  return plainCommand(
    "verify",
    "replay the journal and name each entry that leads to something else now; stop the engine first",
    "verify --session chat-7",
  )
    .option("--from <position>", "name entries from this journal position on", wholeNumber(1))
    .option("--session <id>", "name entries of this session only")
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON: one line an entry that differs, then the sums")
    .action(async ({ data, from, session, json = false }: Options) => {
      const bar = new SingleBar({
        format: "{bar} {value}/{total} entries",
        clearOnComplete: true,
        hideCursor: true,
        noTTYOutput: false,
      });
      bar.start(0, 0);
      const found = await wiring
        .verify(data, {
          ...(from !== undefined && { from }),
          ...(session !== undefined && { session }),
          progress: (done, all) => {
            bar.setTotal(all);
            bar.update(done);
          },
        })
        .finally(() => bar.stop());
      const { differences, ...sums } = found;
      if (differences.some(({ isOtherBuild }) => !isOtherBuild)) exitWith(1);
      if (json) {
        for (const difference of differences) terminal.json(difference);
        return terminal.json({ ...sums, differences: differences.length });
      }
      if (differences.length > 0) terminal.out(tableOf(differences));
      terminal.out(summary(found));
    });
}

const tableOf = (differences: VerifiedFolder["differences"]): string =>
  table(
    ["POSITION", "WORKSPACE", "SESSION", "TYPE", "KEPT", "NOW", "BUILD"],
    differences.map((each) => [
      String(each.position),
      each.workspace ?? "-",
      each.session ?? "-",
      each.type ?? "-",
      each.kept,
      each.found,
      each.isOtherBuild ? "another" : "this one",
    ]),
  );

function summary({ dir, first, last, compared, earlier, unproven, differences }: VerifiedFolder): string {
  const notes = [
    earlier > 0
      ? `${earlier} depend on what came before the journal's first entry and were not compared.`
      : "",
    unproven > 0
      ? `${unproven} have no proof: a version that kept none applied them, or the row is damaged.`
      : "",
    differences.some(({ isOtherBuild }) => isOtherBuild)
      ? "Where another build was at work, its rules may be the reason: nothing is corrected."
      : "",
    differences.some(({ isOtherBuild }) => !isOtherBuild)
      ? "An entry that differs under its own build is a defect: keep the folder and report it."
      : "",
  ];
  const told = `Replayed entries ${first} to ${last} of ${dir}: ${compared} compared, ${differences.length} differ.`;
  return [told, ...notes].filter(Boolean).join("\n");
}
