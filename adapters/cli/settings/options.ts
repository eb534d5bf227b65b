// Options
// Adds the flags of the settings to the commands that start an engine or print its settings.
//
//   Owns:          adding the flags, with their help.
//   Does not own:  the settings (table), the commands' other options.

import { type Command, Option } from "commander";
import { flagOf, settingNames, settingOf } from "./table.ts";

/** Adds the flag of every setting that has one, `--public` and `--config`. */
export function withSettings(command: Command): Command {
  for (const name of settingNames) {
    const { argument, about, unset, choices } = settingOf(name);
    if (argument === undefined) continue;
    const option = new Option(`${flagOf(name)} ${argument}`, `${about} (default: ${unset})`);
    command.addOption(choices ? option.choices(choices) : option);
  }
  return command
    .option("--public", "listen on every address: the same as --host 0.0.0.0")
    .option("--config <file>", "a file of settings (default: signalbox.config.yaml in the data folder)");
}
