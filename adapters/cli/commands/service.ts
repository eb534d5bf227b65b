// service
// Writes and removes a systemd user unit or a launchd agent that keeps an engine running.
//
//   Owns:          writing and removing the file, the output of `service`.
//   Does not own:  the file's text (background/service-text), enabling the service: the user does that.
//
// SERVICE-1. `service` neither replaces nor removes a file that Signalbox did not write.

import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import { unlessMissing } from "../../../runtime/errors/system-codes.ts";
import { defined } from "../../../machines/defined.ts";
import { type Service, serviceOf, SERVICE_MARK, type ServiceKind } from "../background/service-text.ts";
import { type Context, folderCommand, groupCommand, type OfFolder, wholeNumber } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import type { Wiring } from "../wiring.ts";

interface Options extends OfFolder {
  readonly for: ServiceKind;
  readonly port?: number;
  readonly nats?: string;
  readonly config?: string;
  readonly dryRun?: boolean;
}

type Action = "install" | "uninstall" | "print";

export function service(context: Context): Command {
  return groupCommand("service", "have the system keep an engine running", "service install", [
    actionOf("install", "write the file that has the system start the engine", context).option(
      "--dry-run",
      "say what would be written, and write nothing",
    ),
    actionOf("uninstall", "remove that file", context).option(
      "--dry-run",
      "say what would be removed, and remove nothing",
    ),
    actionOf("print", "print what would be written", context),
  ]);
}

const actionOf = (action: Action, summary: string, context: Context): Command =>
  folderCommand(action, summary, `service ${action}`)
    .addOption(
      new Option("--for <kind>", "for which system")
        .choices(["systemd", "launchd"])
        .default(process.platform === "darwin" ? "launchd" : "systemd"),
    )
    .option("--port <n>", "the engine's port (default: as its settings say)", wholeNumber(1, 65_535))
    .option("--nats <url>", "the engine's journal, as for `up`: auto, off, or an address (default: the same)")
    .option("--config <file>", "the engine's file of settings (default: the data folder's)")
    .action((options: Options) => act(action, options, context));

async function act(action: Action, options: Options, { terminal, env, wiring }: Context): Promise<void> {
  const { dir } = wiring.folder(options.data);
  const [program = ""] = process.argv.slice(1);
  const { port, nats, config, json = false } = options;
  const given = Object.entries(defined({ port, nats, config: config && resolve(config) }));
  const up = ["up", "--data", dir, ...given.flatMap(([name, value]) => [`--${name}`, String(value)])];
  const found = serviceOf(options.for, [process.execPath, program, ...up], env["HOME"] || homedir(), env);
  const isDry = options.dryRun === true || action === "print";
  const isChanged =
    action === "uninstall" ? await takeAway(found, isDry) : await put(found, isDry, wiring.makeDeep);
  if (json) {
    terminal.json({ ...found, action, isChanged, dryRun: isDry });
    return;
  }
  for (const line of linesOf(action, found, isChanged, isDry)) terminal.out(line);
  if (action === "install")
    terminal.out(
      `The service runs ${program}: if that program moves, run \`service install\` again from its new folder.`,
    );
}

function linesOf(action: Action, { path, text, start, stop }: Service, isChanged: boolean, isDry: boolean) {
  if (action === "print") return [text.trimEnd()];
  if (action === "uninstall") {
    if (!isChanged) return [`There is no file ${path}.`];
    return isDry
      ? [`Would take away ${path}. End it first: ${stop}`]
      : [`Took away ${path}.`, `End what still runs by it: ${stop}`];
  }
  if (isDry) return [`Would write ${path}:`, text.trimEnd()];
  return [isChanged ? `Wrote ${path}.` : `${path} needs no change.`, `Put it in force: ${start}`];
}

async function put({ path, text }: Service, isDry: boolean, makeDeep: Wiring["makeDeep"]): Promise<boolean> {
  const there = await ours(path);
  if (there === text) return false;
  if (isDry) return true;
  await makeDeep(dirname(path));
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
  return true;
}

async function takeAway({ path }: Service, isDry: boolean): Promise<boolean> {
  if ((await ours(path)) === undefined) return false;
  if (!isDry) await unlink(path);
  return true;
}

async function ours(path: string): Promise<string | undefined> {
  const text = await unlessMissing(readFile(path, "utf8"));
  if (text === undefined || text.includes(SERVICE_MARK)) return text;
  throw new Failure(
    `${path} was not written by Signalbox, so the file stays as it is.`,
    "Move that file away first, or write a file yourself with what `npx signalbox service print` prints.",
  );
}
