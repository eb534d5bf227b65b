// config
// Prints the settings that an engine would start with, and where each comes from. Checks a file of settings.
//
//   Owns:          the actions and output of `config`.
//   Does not own:  which settings there are, and which of their values may be printed (settings/).

import { resolve } from "node:path";
import { Argument, type Command } from "commander";
import { type Context, type OfFolder, plainCommand } from "../../command.ts";
import { misused } from "../../failures/failure.ts";
import { table } from "../../output/table.ts";
import { runningOn } from "../../running.ts";
import { fromFile, noFile, settingsOf } from "../../settings/file.ts";
import { withSettings } from "../../settings/origins.ts";
import { settled } from "../../settings/origins.ts";
import { shownSettings, startedWith } from "../../settings/shown.ts";
import { settingsSchema } from "../../settings/table.ts";
import { plural } from "../../wording.ts";

interface Options extends OfFolder {
  readonly config?: string;
}

const MORE = `
  $ npx signalbox config --port 4281 --json
  $ npx signalbox config check signalbox.config.yaml
  $ npx signalbox config schema > signalbox.config.schema.json

A flag counts before a variable, a variable before the file, the file before the default: docs/reference/configuration.md.`;

export function config(context: Context): Command {
  const { terminal } = context;
  const command = plainCommand(
    "config",
    "what an engine would be started with, and where each setting comes from: show, check FILE, schema",
    "config",
  )
    .addHelpText("after", MORE)
    .addArgument(new Argument("[action]", "what to do").choices(["show", "check", "schema"]).default("show"))
    .argument("[file]", "for check: the file");
  return withSettings(command)
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON, a setting a line")
    .action(async (action: "show" | "check" | "schema", file: string | undefined, options: Options) => {
      if ((action === "check") !== (file !== undefined))
        throw misused(
          "Only `npx signalbox config check` takes a file.",
          "For example: npx signalbox config check signalbox.config.yaml",
        );
      if (action === "schema") return terminal.out(JSON.stringify(settingsSchema(), undefined, 2));
      return file === undefined ? show(options, context) : check(resolve(file), options, context);
    });
}

async function show(options: Options, { terminal, wiring, env }: Context): Promise<void> {
  const { data, json = false } = options;
  const folder = wiring.folder(data);
  const told = await settingsOf({ ...options }, folder, { env, wiring });
  const url = await runningOn(folder);
  const running = url === undefined ? undefined : await startedWith(folder.started, url);
  const shown: readonly Shown[] = [
    { setting: "data", value: folder.dir, ...dataOrigin(data, env) },
    {
      ...{ setting: "config", value: told.isFileThere ? told.file : `${told.file} (not there)` },
      ...(options.config === undefined ? { origin: "default" } : { origin: "flag", at: "--config" }),
    },
    ...shownSettings(told, (address) => wiring.shownAddress(address)).map((each) => {
      const now = running?.[each.setting];
      return { ...each, ...(now !== undefined && now !== each.value && { running: now }) };
    }),
  ];
  if (json) {
    for (const each of shown) terminal.json(each);
    return;
  }
  const rows = shown.map(({ setting, value, origin, at, running: now }) => [
    setting,
    at?.replace(`${told.file}:`, "line ") ?? origin,
    now === undefined ? value : `${value} (the running engine: ${now})`,
  ]);
  terminal.out(table(["SETTING", "FROM", "VALUE"], rows));
  if (url === undefined) return;
  terminal.out(
    `\nAn engine runs at ${url}. It goes on with what it was started with; what is above counts from its next start.`,
  );
}

interface Shown {
  readonly setting: string;
  readonly value: string;
  readonly origin: string;
  readonly at?: string;
  readonly running?: string;
}

function dataOrigin(data: string | undefined, env: NodeJS.ProcessEnv): { origin: string; at?: string } {
  if (data !== undefined) return { origin: "flag", at: "--data" };
  return env["SIGNALBOX_DATA"] ? { origin: "environment", at: "SIGNALBOX_DATA" } : { origin: "default" };
}

async function check(file: string, { json = false }: Options, { terminal, wiring }: Context): Promise<void> {
  const inFile = await fromFile(file, wiring);
  if (inFile === undefined) throw noFile(file);
  const { said } = settled([inFile], (url) => wiring.shownAddress(url));
  const settings = Object.keys(said).length;
  if (json) terminal.json({ file, settings });
  else terminal.out(`${file} is valid: ${plural(settings, "setting")}.`);
}
