// up
// Runs the engine, and starts it again when it fails.
//
//   Owns:          the options that count for one start only, what a running engine prints.
//   Does not own:  the settings (settings/), choosing the journal (prepare.ts), restarts (supervisor), the engine (serve.ts).

import { type Command, Option } from "commander";
import { defined } from "../../../machines/defined.ts";
import type { Lost } from "../../../runtime/turn/missing.ts";
import { type Context, plainCommand } from "../command.ts";
import { already, type Behind, behindText, keeperOf, runBehind, startBehind } from "../background/behind.ts";
import { prepareJournal } from "../journal/prepare.ts";
import { Failure, reasonText } from "../failures/failure.ts";
import { runningOn } from "../running.ts";
import { serve } from "../serve.ts";
import { settingsOf } from "../settings/file.ts";
import { engineOptions, environmentFor, flagsFor } from "../settings/hand-over.ts";
import { withSettings } from "../settings/origins.ts";
import { noteStarted } from "../settings/shown.ts";
import { fromEnvironment, fromFlags, settled, type Told } from "../settings/origins.ts";
import type { Settings } from "../settings/table.ts";
import type { Note } from "../supervisor/child.ts";
import { supervise } from "../supervisor/supervisor.ts";
import { clientFor, hooksText, type Welcome, welcomeText } from "../welcome.ts";
import type { FoundClient } from "../hooks-form.ts";
import type { Folder, JournalBinding } from "../wiring.ts";

interface Options {
  readonly data?: string;
  readonly adoptJournal?: boolean;
  readonly acceptClock?: boolean;
  readonly json?: boolean;
  readonly detach?: boolean;
  /** True in the background process that `up --detach` starts. */
  readonly detached?: boolean;
  /** True in the engine's own process, which the supervisor starts. `journal` is set only there. */
  readonly child?: boolean;
  readonly journal: JournalBinding["kind"];
}

interface Start extends Options {
  readonly told: Told;
}

export function up(context: Context): Command {
  const command = plainCommand("up", "run the engine until Ctrl-C", "up --port 4280").option(
    "--data <dir>",
    "the data folder (default: SIGNALBOX_DATA, or else the platform's state folder)",
  );
  return withSettings(command)
    .option(
      "--adopt-journal",
      "go on with another journal than before, or without the entries that are gone from this one",
    )
    .option("--accept-clock", "believe the clock, however much time has passed since the last entry")
    .option("-d, --detach", "run in the background: return once the engine is ready; `down` ends it")
    .option("--json", "print JSON, one value a line")
    .addOption(new Option("--detached", "be the process that stays").hideHelp())
    .addOption(new Option("--child", "run the engine in this process, without a supervisor").hideHelp())
    .addOption(new Option("--journal <kind>").default("embedded").hideHelp())
    .action(async (options: Options) => {
      const folder = context.wiring.folder(options.data);
      const code =
        options.child === true
          ? await serveHere(folder, options, context)
          : await started(
              folder,
              { ...options, told: await settingsOf({ ...options }, folder, context) },
              context,
            );
      if (code !== 0) context.exitWith(code);
    });
}

/** HAND-OVER-1: runs the engine in this process, with the settings that the supervisor passed. */
function serveHere({ dir }: Folder, options: Options, context: Context): Promise<number> {
  const layers = [fromFlags({ ...options }), fromEnvironment(environmentFor(context.env))];
  const { settings } = settled(layers, (url) => context.wiring.shownAddress(url));
  const once = { adopts: options.adoptJournal === true, acceptsClock: options.acceptClock === true };
  return serve({ dataDir: dir, ...once, ...engineOptions(settings, options.journal) }, context);
}

function started(folder: Folder, start: Start, context: Context): Promise<number> {
  if (start.detached === true)
    return runBehind(folder, context, (within) => runSupervised(folder, { ...start, json: false }, within));
  return start.detach === true ? runDetached(folder, start, context) : runSupervised(folder, start, context);
}

async function runDetached(folder: Folder, { json, told }: Start, context: Context): Promise<number> {
  const { terminal } = context;
  const found = await startBehind(folder, context);
  if ("said" in found) throw new Failure("The engine did not start.", found.said);
  const { url, pid } = found;
  const { dir, log } = folder;
  if (json === true) terminal.json({ type: "ready", url, data: dir, pid, log });
  else
    terminal.out(
      await behindText(url, pid, folder, { names: told.settings.name ?? [], isScreen: terminal.isScreen }),
    );
  return 0;
}

export async function runSupervised(folder: Folder, options: Start, context: Behind): Promise<number> {
  const { told } = context;
  const running = await runningOn(folder);
  if (running !== undefined) throw already(folder, await keeperOf(folder, context), running);
  // The lines about hooks are printed unless the engine runs in the background (`told`) or prints JSON. They need the client's
  // version, so the client is asked for its version while the engine starts.
  const ending = new AbortController();
  const client = told || options.json === true ? undefined : clientFor(context.wiring, ending.signal);
  try {
    return await runReady(folder, options, context, client);
  } finally {
    ending.abort();
  }
}

async function runReady(
  folder: Folder,
  options: Start,
  context: Behind,
  client: Promise<FoundClient> | undefined,
): Promise<number> {
  const { terminal, output, told, stopping } = context;
  const { dir } = folder;
  const { settings } = options.told;
  const journal = await prepareJournal(folder, options.told, options.adoptJournal === true, context);
  const { line, kind, at, services } = journal;
  const say = (text: string, value: object): void =>
    options.json === true ? terminal.json(value) : terminal.out(text);
  let hasEnded = false;
  const { name: names = [] } = settings;
  const welcome: Welcome = { folder, wiring: context.wiring, services, names, isScreen: terminal.isScreen };
  let isBack = false;
  // Later starts of the engine use the port of the first start, because the address with that port was printed.
  let { port } = settings;
  const tellReady = (note: Note & { readonly type: "ready" }, isAgain: boolean): void => {
    told?.(note);
    // The line about the journal is printed only when the engine is ready: until then, the engine may refuse this journal.
    if (!isAgain) say(line, { type: "journal", journal: kind, ...defined({ nats: at }), why: line });
    if (!isAgain && client !== undefined)
      return void greet(note.url, client, welcome, (text) => (hasEnded ? undefined : terminal.out(text)));
    const ready = { type: "ready", url: note.url, data: dir };
    say(`Signalbox runs ${isAgain ? "again " : ""}at ${note.url}.`, ready);
  };
  const onNote = (note: Note): void => {
    if (note.type === "lost") return say(withoutText(note), note);
    // Once the engine has been ready, its warnings are dropped: it repeats them each time the supervisor starts it again.
    if (note.type === "warning" && isBack) return;
    if (note.type !== "ready") {
      told?.(note);
      return terminal.err(reasonText(note));
    }
    port = Number(new URL(note.url).port);
    if (isBack) return tellReady(note, true);
    isBack = true;
    // The settings of this start are written to a file before the line `ready` is printed, so that a `signalbox config` that is
    // called right after this line can already compare them.
    void noteStarted(folder.started, note.url, options.told, context.wiring).then(() =>
      tellReady(note, false),
    );
  };
  let code = 1;
  try {
    code = await supervise({
      args: () =>
        childArguments(dir, kind, { ...settings, ...defined({ port }) }, isBack ? undefined : options),
      env: journal.env,
      ...{ onNote, stopping },
      ...defined({ output }),
      onRestart: (why, waitMs) =>
        terminal.err(
          `The engine stopped: ${why}. Starting it again in ${waitMs} ms; nothing acknowledged is lost.`,
        ),
      onGivingUp: (why) =>
        terminal.err(
          `The engine keeps stopping (${why}), so it is not started again.\nLook at what it wrote above; its data is safe in ${dir}.`,
        ),
    });
  } finally {
    hasEnded = true;
    await journal.stop();
  }
  if (code === 0) say("Stopped in order.", { type: "stopped" });
  return code;
}

async function greet(
  url: string,
  client: Promise<FoundClient>,
  welcome: Welcome,
  out: (text: string) => void,
): Promise<void> {
  out(await welcomeText(url, welcome));
  out(await hooksText(welcome, client));
}

const withoutText = ({ reason }: Lost): string =>
  [
    `The engine goes on without the missing entries. ${reason} The dead letter JOURNAL_GAP records this.`,
    "Approvals that were requested before cannot be approved here any more. Deny these approvals, or answer them where they were requested.",
  ].join("\n");

function childArguments(
  dir: string,
  kind: JournalBinding["kind"],
  settings: Settings,
  once: Options | undefined,
): readonly string[] {
  const [program = ""] = process.argv.slice(1);
  return [
    ...process.execArgv,
    program,
    ...["up", "--child", "--data", dir],
    ...flagsFor(settings, once === undefined),
    ...(once?.adoptJournal === true ? ["--adopt-journal"] : []),
    ...(once?.acceptClock === true ? ["--accept-clock"] : []),
    ...["--journal", kind],
  ];
}
