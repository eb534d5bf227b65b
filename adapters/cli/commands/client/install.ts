// install
// Puts Signalbox's hooks into Claude Code's settings.
//
//   Owns:          what is said of it.
//   Does not own:  doing it (wiring).

import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { type Context, plainCommand, wholeNumber } from "../../command.ts";
import { misused } from "../../failure.ts";
import { changeText } from "../../hooks-text.ts";
import type { GateChoice, Scope } from "../../wiring.ts";

interface Options {
  readonly scope: Scope;
  readonly gate: GateChoice;
  readonly timeout: number;
  readonly telemetry?: boolean;
  readonly dryRun?: boolean;
  readonly plugin?: string;
  readonly data?: string;
  readonly json?: boolean;
}

export const scopeOption = (): Option =>
  new Option("--scope <scope>", "whose settings: yours, this project's, or yours for this project")
    .choices(["user", "project", "local"])
    .default("user");

const TIMEOUT_S = 3_600;

export function install(context: Context): Command {
  return plainCommand("install", "put the hooks into Claude Code's settings", "install --gate permission")
    .addOption(scopeOption())
    .addOption(
      new Option(
        "--gate <which>",
        "the calls that wait for an answer here: those Claude Code asks about, every one, none",
      )
        .choices(["permission", "all", "none"])
        .default("permission"),
    )
    .option("--timeout <seconds>", "how long such a call waits at most", wholeNumber(10, 86_400), TIMEOUT_S)
    .option(
      "--telemetry",
      "also have Claude Code tell the engine of its decisions and results: an answer at its terminal is known here at once",
    )
    .option("--plugin <dir>", "write them as a plugin's folder there, and leave the settings as they are")
    .option("--dry-run", "say what would change, and change nothing")
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON")
    .action(async (options: Options) => {
      if (options.plugin === undefined) await intoSettings(context, options);
      else await intoPlugin(context, options.plugin, options);
    });
}

async function intoSettings({ terminal, wiring }: Context, options: Options): Promise<void> {
  const { scope, gate, timeout, telemetry = false, dryRun = false, data, json = false } = options;
  const wanted = { gate, timeoutS: timeout, hasTelemetry: telemetry };
  const change = await wiring.hooks(data).install(scope, wanted, dryRun);
  if (json) {
    terminal.json({ ...change, dryRun });
    return;
  }
  for (const line of changeText(change, dryRun)) terminal.out(line);
  if (dryRun) return;
  terminal.out(GATES[gate]);
  if (scope === "project") terminal.out(SHARED);
  if (telemetry) terminal.out(TELLS);
  terminal.out(
    "A session that runs already may have to be started anew. `npx signalbox status` tells how it is.",
  );
}

async function intoPlugin({ terminal, wiring }: Context, dir: string, options: Options): Promise<void> {
  const { gate, timeout, telemetry = false, dryRun = false, data, json = false } = options;
  if (telemetry)
    throw misused(
      "A plugin cannot set up telemetry.",
      "Leave out --telemetry, or install into the settings.",
    );
  const path = resolve(dir);
  const changed = await wiring.hooks(data).plugin(path, gate, timeout, dryRun);
  if (json) {
    terminal.json({ plugin: path, changed, dryRun });
    return;
  }
  for (const line of pluginText(path, changed, dryRun)) terminal.out(line);
  if (!dryRun) terminal.out(GATES[gate]);
}

const pluginText = (path: string, changed: readonly string[], dryRun: boolean): readonly string[] => [
  ...changed.map((file) => `${dryRun ? "Would write" : "Wrote"} ${file}.`),
  ...(changed.length === 0 ? [`${path} is as it should be.`] : []),
  `Start Claude Code with it: claude --plugin-dir '${path}'. Where the hooks are in the settings, too, each is heard twice.`,
];

const GATES: Readonly<Record<GateChoice, string>> = {
  permission: "What Claude Code asks about can now be answered here, too: `npx signalbox approvals`.",
  all: "Every call now waits for an answer here: `npx signalbox approvals`.",
  none: "Claude Code is watched; nothing waits for an answer here.",
};

const SHARED =
  "These settings belong to the project, and name programs of this machine: on another one they stop what they guard.";

const TELLS =
  "Claude Code tells the engine who decided about each call, and how it ended; what was typed and printed stays where it is.";
