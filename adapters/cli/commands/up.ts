// up
// Runs the engine, and starts it again when it fails.
//
//   Owns:          the options of an engine, what is said when it runs.
//   Does not own:  its journal (prepare.ts), keeping it running (supervisor), the engine (serve.ts).

import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { defined } from "../../../machines/defined.ts";
import type { Quota } from "../../../runtime/quota.ts";
import type { Lost } from "../../../runtime/turn/missing.ts";
import { type Context, plainCommand, wholeNumber } from "../command.ts";
import { DEFAULT_PORT } from "../connection.ts";
import { already, type Behind, behindText, keeperOf, runBehind, startBehind } from "../background/behind.ts";
import { checkNats } from "../journal/choose.ts";
import { prepareJournal } from "../journal/prepare.ts";
import { Failure } from "../failures/failure.ts";
import { runningOn } from "../running.ts";
import { serve } from "../serve.ts";
import type { Note } from "../supervisor/child.ts";
import { supervise } from "../supervisor/supervisor.ts";
import { quotaText, readQuota } from "../quota-option.ts";
import { clientFor, hooksText, type Welcome, welcomeText } from "../welcome.ts";
import type { FoundClient } from "../hooks-form.ts";
import type { Folder, JournalBinding } from "../wiring.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface Options {
  readonly data?: string;
  readonly port: number;
  readonly nats: string;
  readonly adoptJournal?: boolean;
  readonly acceptClock?: boolean;
  readonly notifyCmd?: string;
  readonly checkpointFile?: string;
  readonly checkpointCmd?: string;
  readonly stateFiles?: string;
  readonly transcripts?: readonly string[];
  readonly quota?: Partial<Quota>;
  readonly pastApprovals?: number;
  readonly cedar?: string;
  readonly host?: string;
  readonly public?: boolean;
  readonly name: readonly string[];
  readonly json?: boolean;
  readonly detach?: boolean;
  /** Set in the process that stays, where one waits for it to be ready. */
  readonly detached?: boolean;
  /** Set in the engine's own process, together with `journal`. */
  readonly child?: boolean;
  readonly journal: JournalBinding["kind"];
}

export function up(context: Context): Command {
  return plainCommand("up", "run the engine until Ctrl-C", "up --port 4280")
    .option("--data <dir>", "the data folder (default: SIGNALBOX_DATA, or else the platform's state folder)")
    .option("--port <n>", "the port on 127.0.0.1; 0 takes any", wholeNumber(0, 65_535), DEFAULT_PORT)
    .option(
      "--nats <url>",
      "the journal: auto takes SIGNALBOX_NATS_URL, else a private nats-server, else the built-in journal; off takes the built-in one",
      "auto",
    )
    .option(
      "--adopt-journal",
      "go on with another journal than before, or without the entries that are gone from this one",
    )
    .option("--accept-clock", "believe the clock, however much time has passed since the last entry")
    .option(
      "--host <address>",
      "the address to listen on; other machines can reach it only after `token add` (default: 127.0.0.1)",
    )
    .option("--public", "listen on every address: the same as --host 0.0.0.0")
    .option(
      "--name <host...>",
      "the name by which others reach it: a host, or a proxy's origin such as https://box.example; any other Host is refused",
      [],
    )
    .option(
      "--quota <limits>",
      "how much one workspace may send a second, and have kept; or off (default: messages=2000,bytes=8mb,kept=64gb)",
      readQuota,
    )
    .option(
      "--past-approvals <days>",
      "how long approvals are kept to try rules on; 0 keeps none (default: 90)",
      wholeNumber(0, 3_650),
    )
    .option(
      "--cedar <file>",
      "a policy in Cedar's language, which answers beside the rules; none lets go of it (default: the one of before)",
    )
    .option(
      "--notify-cmd <command>",
      "a command to run for each new approval and alarm, with their ids in SIGNALBOX_APPROVAL_ID, … (docs/away.md)",
    )
    .option("--checkpoint-file <file>", "append each checkpoint of the audit log there, best on another disk")
    .option("--checkpoint-cmd <command>", "a command to run for each, with it in SIGNALBOX_CHECKPOINT")
    .option("--state-files <dir>", "also keep each request there as a file, for scripts that read")
    .option(
      "--transcripts <dir...>",
      "the folders in which the transcripts that hooks name may be read; off reads none (default: the client's own)",
    )
    .option("-d, --detach", "run in the background: return once the engine is ready; `down` ends it")
    .option("--json", "print JSON, one value a line")
    .addOption(new Option("--detached", "be the process that stays").hideHelp())
    .addOption(new Option("--child", "run the engine in this process, without a supervisor").hideHelp())
    .addOption(new Option("--journal <kind>").default("embedded").hideHelp())
    .action(async (options: Options) => {
      const folder = context.wiring.folder(options.data);
      const code =
        options.child === true
          ? await serve({ dataDir: folder.dir, ...engineOptions(options, context) }, context)
          : await (options.detached === true
              ? runBehind(folder, context, (within) =>
                  runSupervised(folder, { ...options, json: false }, within),
                )
              : options.detach === true
                ? runDetached(folder, options, context)
                : runSupervised(folder, options, context));
      if (code !== 0) context.exitWith(code);
    });
}

/** What the supervisor has settled (prepare.ts). */
function engineOptions(options: Options, { env }: Context) {
  const { port, name, journal, notifyCmd, stateFiles, transcripts, quota, pastApprovals, cedar } = options;
  const { checkpointFile, checkpointCmd: checkpointCommand } = options;
  const host = hostOf(options);
  const { SIGNALBOX_NATS_URL: url = "", SIGNALBOX_NATS_NKEY: nkey } = env;
  const nats = { url, isPrivate: journal === "private", ...(nkey && { nkey }) };
  return {
    port,
    adopts: options.adoptJournal === true,
    acceptsClock: options.acceptClock === true,
    names: name,
    ...defined({
      host,
      notifyCommand: notifyCmd,
      stateFiles,
      quota,
      cedar,
      checkpointFile,
      checkpointCommand,
    }),
    ...(transcripts && { transcripts: foldersOf(transcripts) }),
    ...(pastApprovals !== undefined && { approvalsKeptMs: pastApprovals * DAY_MS }),
    ...(journal !== "embedded" && { nats }),
  };
}

/** Starts it in the background, and says so once it is ready. */
async function runDetached(folder: Folder, { json, name }: Options, context: Context): Promise<number> {
  const { terminal } = context;
  const found = await startBehind(folder, context);
  if ("said" in found) throw new Failure("The engine did not start.", found.said);
  const { url, pid } = found;
  const { dir, log } = folder;
  if (json === true) terminal.json({ type: "ready", url, data: dir, pid, log });
  else terminal.out(await behindText(url, pid, folder, { names: name, isScreen: terminal.isScreen }));
  return 0;
}

async function runSupervised(folder: Folder, options: Options, context: Behind): Promise<number> {
  const { told } = context;
  checkNats(options.nats, (url) => context.wiring.shownAddress(url));
  const running = await runningOn(folder);
  if (running !== undefined) throw already(folder, await keeperOf(folder, context), running);
  // Only a person is told how the hooks stand; the client answers while the engine starts.
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
  options: Options,
  context: Behind,
  client: Promise<FoundClient> | undefined,
): Promise<number> {
  const { terminal, output, told } = context;
  const { dir } = folder;
  const journal = await prepareJournal(folder, options.nats, options.adoptJournal === true, context);
  const { line, kind, at } = journal;
  const say = (text: string, value: object): void =>
    options.json === true ? terminal.json(value) : terminal.out(text);
  let hasEnded = false;
  const greet = async (url: string, client: Promise<FoundClient>): Promise<void> => {
    const { services } = journal;
    const { wiring } = context;
    const welcome: Welcome = { folder, wiring, services, names: options.name, isScreen: terminal.isScreen };
    terminal.out(await welcomeText(url, welcome));
    const hooks = await hooksText(welcome, client);
    if (!hasEnded) terminal.out(hooks);
  };
  let isBack = false;
  // Whoever was told the first one's address finds the next one there.
  let { port } = options;
  const onNote = (note: Note): void => {
    if (note.type === "lost") return say(withoutText(note), note);
    // What was said of the server at the first start holds for the next ones.
    if (note.type === "warning" && isBack) return;
    told?.(note);
    if (note.type !== "ready") return terminal.err([note.reason, note.next].filter(Boolean).join("\n"));
    // Only now it has read from that journal.
    if (!isBack) say(line, { type: "journal", journal: kind, ...defined({ nats: at }), why: line });
    const ready = { type: "ready", url: note.url, data: dir };
    if (!isBack && client !== undefined) void greet(note.url, client);
    else say(`Signalbox runs ${isBack ? "again " : ""}at ${note.url}.`, ready);
    isBack = true;
    port = Number(new URL(note.url).port);
  };
  let code = 1;
  try {
    code = await supervise({
      args: () => childArguments(dir, kind, { ...options, port }, isBack),
      env: journal.env,
      onNote,
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

const withoutText = ({ reason }: Lost): string =>
  [
    `The engine goes on without them. ${reason} The dead letter JOURNAL_GAP records this.`,
    "Approvals that were requested before cannot be approved here any more. Deny them, or answer them where they were requested.",
  ].join("\n");

const hostOf = ({ host, public: isPublic }: Pick<Options, "host" | "public">): string | undefined =>
  host ?? (isPublic === true ? "0.0.0.0" : undefined);

const foldersOf = (transcripts: readonly string[]): readonly string[] =>
  transcripts.filter((each) => each !== "off").map((each) => resolve(each));

/** What is asked for once, such as another journal or policy, is not asked for again after a failure: nobody wishes it. */
function childArguments(
  dir: string,
  kind: JournalBinding["kind"],
  options: Options,
  isBack: boolean,
): readonly string[] {
  const [program = ""] = process.argv.slice(1);
  const { port, name, notifyCmd, stateFiles, transcripts, quota, pastApprovals, cedar } = options;
  const given = (option: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [`--${option}=${value}`];
  const once = [
    ...(options.adoptJournal === true ? ["--adopt-journal"] : []),
    ...(options.acceptClock === true ? ["--accept-clock"] : []),
    ...given("cedar", cedar && fileOf(cedar, "none")),
  ];
  return [
    ...process.execArgv,
    program,
    "up",
    "--child",
    ...["--data", dir, "--port", String(port), "--journal", kind],
    ...given("host", hostOf(options)),
    ...name.map((each) => `--name=${each}`),
    ...given("notify-cmd", notifyCmd),
    ...given("checkpoint-file", options.checkpointFile && resolve(options.checkpointFile)),
    ...given("checkpoint-cmd", options.checkpointCmd),
    ...given("state-files", stateFiles && resolve(stateFiles)),
    ...(transcripts?.map((each) => `--transcripts=${fileOf(each, "off")}`) ?? []),
    ...given("quota", quota && quotaText(quota)),
    ...given("past-approvals", pastApprovals),
    ...(isBack ? [] : once),
  ];
}

/** @param word what means no file. */
const fileOf = (path: string, word: string): string => (path === word ? word : resolve(path));
