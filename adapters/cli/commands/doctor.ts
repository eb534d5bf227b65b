// doctor
// Checks all that Signalbox needs on this machine, and prints what to do about each fault.
//
//   Owns:          the order of the doctor's checks, the exit code, the output.
//   Does not own:  what each check does (doctor/).

import type { Command } from "commander";
import { type Context, type OfFolder, folderCommand } from "../command.ts";
import { checked } from "../doctor/checks.ts";
import { type Finding, linesOf } from "../doctor/finding.ts";
import { runningFindings } from "../doctor/running.ts";
import { runningOn } from "../running.ts";

export function doctor({ terminal, wiring, exitWith, env }: Context): Command {
  return folderCommand(
    "doctor",
    "check all that Signalbox needs here, and say what to do about faults",
    "doctor",
    "print JSON, a finding a line",
  )
    .addHelpText("after", "\nIt changes nothing, and exits with 1 if something is wrong.")
    .action(async ({ data, json = false }: OfFolder) => {
      const folder = wiring.folder(data);
      const all: Finding[] = [];
      const tell = (finding: Finding): void => {
        all.push(finding);
        if (json) terminal.json(finding);
        else for (const line of linesOf(finding)) terminal.out(line);
      };
      const engine = await runningOn(folder);
      for await (const finding of checked({ wiring, folder, env, engine })) tell(finding);
      for (const finding of await runningFindings(folder, engine)) tell(finding);
      if (all.some(({ is }) => is === "wrong")) exitWith(1);
      if (!json) terminal.out(summary(all));
    });
}

function summary(all: readonly Finding[]): string {
  const count = (is: Finding["is"]): number => all.filter((each) => each.is === is).length;
  const [bad, seen] = [count("wrong"), count("look")];
  if (bad + seen === 0) return `All ${all.length} checks found nothing wrong.`;
  return `Of ${all.length} checks, ${bad} found a fault, ${seen} something worth a look, ${all.length - bad - seen} nothing wrong.`;
}
