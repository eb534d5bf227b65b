// replay
// Plays recorded files into an engine and tells what became of each request and call.
//
//   Owns:          the order of finding, playing and telling; the progress bar.
//   Does not own:  each of these (replay/).

import { SingleBar } from "cli-progress";
import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { sessionAnswer } from "../answers.ts";
import { Client } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { Failure } from "../failure.ts";
import {
  envelopeOf,
  type SessionName,
  sessionOfLine,
  workspaceOfNowhere,
  workspacesOf,
} from "../replay/envelope.ts";
import { type Complaint, findFiles, linesOf, type ReplayFile } from "../replay/files.ts";
import { atOnce, paced } from "../replay/pace.ts";
import { reportOf, type SessionReport, summaryOf, tableOf } from "../replay/report.ts";
import { Sender } from "../replay/send.ts";
import { plural } from "../wording.ts";

type Options = Common & { readonly speed?: number };

export function replay(context: Context): Command {
  return clientCommand(
    "replay",
    "play recorded hooks, streams and transcripts",
    "replay test/recordings/s1-ten-allowed/hooks.jsonl",
  )
    .argument("<file...>", "JSON-lines files, or folders of them")
    .option(
      "--speed <n>",
      "1 plays as fast as it happened, 10 ten times as fast (default: no pauses)",
      speedOf,
    )
    .addHelpText("after", "\nWithout --url it plays to a private engine that keeps nothing.")
    .action(async (paths: readonly string[], options: Options) => {
      const { files, refused, skipped } = await findFiles(paths, context.wiring.claudeCode);
      for (const path of skipped)
        context.terminal.err(`${path}: skipped, it is no hook recording, stream or transcript.`);
      if (files.length === 0 && refused.length === 0)
        throw new Failure("There is nothing to play.", "Give a file of hooks, a stream or a transcript.");
      const privately = options.url === undefined ? await context.wiring.privateEngine() : undefined;
      try {
        const client = privately
          ? new Client(privately.url, privately.token, "the private engine")
          : await engineOf(context, options);
        await perform(client, files, refused, options, context);
      } finally {
        await privately?.stop();
      }
    });
}

function speedOf(text: string): number {
  const speed = Number(text);
  if (speed > 0 && Number.isFinite(speed)) return speed;
  throw new InvalidArgumentError("It must be a number above 0.");
}

async function perform(
  client: Client,
  files: readonly ReplayFile[],
  refused: readonly Complaint[],
  options: Options,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const complain = ({ file, line, reason }: Complaint): void => {
    terminal.err(`${file}${line === undefined ? "" : `:${line}`}: ${reason}`);
    context.exitWith(1);
  };
  for (const complaint of refused) complain(complaint);
  const { sender, sessions } = await play(client, files, options, context, complain);
  for (const complaint of sender.tally.refused) complain(complaint);
  const found = await Promise.all([...sessions.values()].map((name) => reportOf(client, name)));
  const reports = found.filter((report): report is SessionReport => report !== undefined);
  if (options.json === true) for (const line of jsonLines(reports)) terminal.json(line);
  else tellResult(reports, sender, context);
}

async function play(
  client: Client,
  files: readonly ReplayFile[],
  options: Options,
  context: Context,
  complain: (complaint: Complaint) => void,
): Promise<{ readonly sender: Sender; readonly sessions: ReadonlyMap<string, SessionName> }> {
  const fixed = context.env["SIGNALBOX_WORKSPACE"] || undefined;
  const guessed = workspacesOf(files, fixed);
  const sessions = new Map<string, SessionName>();
  const sender = new Sender(client);
  const { speed } = options;
  const lines = (file: ReplayFile) => linesOf(file, context.wiring.claudeCode, complain);
  const bar = new SingleBar({
    format: "{bar} {value}/{total} lines",
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false,
  });
  bar.start(
    files.reduce((sum, file) => sum + file.lines, 0),
    0,
  );
  try {
    for await (const { file, ...numbered } of speed === undefined
      ? atOnce(files, lines)
      : paced(files, lines, speed)) {
      const session = sessionOfLine(file, numbered);
      const name =
        sessions.get(session) ??
        (await nameOf(client, session, guessed.get(session) ?? workspaceOfNowhere(fixed)));
      sessions.set(session, name);
      const envelope = envelopeOf(file, numbered, name);
      await sender.add({
        envelope,
        characters: numbered.text.length,
        file: file.path,
        line: numbered.number,
      });
      if (speed !== undefined) await sender.flush();
      bar.increment();
    }
    await sender.flush();
  } finally {
    bar.stop();
  }
  return { sender, sessions };
}

/** A session the engine knows already keeps its workspace. */
async function nameOf(client: Client, session: string, guessed: string): Promise<SessionName> {
  const known = sessionAnswer.safeParse((await client.send("GET", `/v1/sessions/${session}`)).body);
  return { session, workspace: known.success ? known.data.workspace : guessed };
}

function* jsonLines(reports: readonly SessionReport[]): Generator {
  for (const { session, requests, calls } of reports) {
    yield { kind: "session", ...session };
    for (const request of requests) yield { kind: "request", ...request };
    for (const call of calls) yield { kind: "call", ...call };
  }
}

function tellResult(reports: readonly SessionReport[], { tally }: Sender, { terminal }: Context): void {
  for (const report of reports) terminal.out(tableOf(report));
  for (const { file, line, reason } of tally.unapplied)
    terminal.err(`${file}:${line ?? ""}: changed nothing: ${reason}`);
  if (tally.duplicate > 0)
    terminal.out(`${plural(tally.duplicate, "line")} had been played before and changed nothing.`);
  terminal.out(summaryOf(reports));
}
