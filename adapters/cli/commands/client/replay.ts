// replay
// Plays recorded files into an engine, and reports the final state of each request and call.
//
//   Owns:          the order of the steps: find the files, play them, report the result; the progress bar.
//   Does not own:  the code of each step (replay/).

import { type Command, InvalidArgumentError } from "commander";
import { sessionAnswer } from "../../answers.ts";
import { Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { Failure } from "../../failures/failure.ts";
import { Contact } from "../../replay/contact.ts";
import {
  envelopeOf,
  type SessionName,
  sessionOfLine,
  workspaceOfNowhere,
  workspacesOf,
} from "../../replay/envelope.ts";
import { type Complaint, findFiles, linesOf, type ReplayFile } from "../../replay/files.ts";
import { atOnce, paced } from "../../replay/pace.ts";
import { reportOf, type SessionReport, summaryOf, tableOf } from "../../replay/report.ts";
import { Sender } from "../../replay/send.ts";
import { withProgress } from "../../output/progress.ts";
import { columnsOf } from "../../output/terminal.ts";
import { plural } from "../../wording.ts";

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
      "1 plays at the recorded pace, 10 plays ten times as fast (default: no pauses)",
      speedOf,
    )
    .addHelpText("after", "\nWithout --url it plays into a private engine, which keeps nothing.")
    .action(async (paths: readonly string[], options: Options) => {
      const { files, refused, skipped } = await findFiles(paths, context.wiring.claudeCode);
      if (skipped.length > 0) context.terminal.err(skippedLine(skipped));
      for (const complaint of refused) complain(complaint, context);
      if (files.length === 0 && refused.length > 0) return;
      if (files.length === 0)
        throw new Failure("There is nothing to replay.", "Give a file of hooks, a stream or a transcript.");
      const privately = options.url === undefined ? await context.wiring.privateEngine() : undefined;
      try {
        const client = privately
          ? new Client(
              context.wiring.withToken(privately.url, privately.token),
              privately.url,
              "the private engine",
            )
          : await engineOf(context, options);
        await perform(client, files, options, context);
      } finally {
        await privately?.stop();
      }
    });
}

const SKIPPED_SHOWN = 3;

function skippedLine(paths: readonly string[]): string {
  const [are, their] = paths.length === 1 ? ["is", "its"] : ["are", "their"];
  const rest = paths.length > SKIPPED_SHOWN ? [`and ${paths.length - SKIPPED_SHOWN} more`] : [];
  const names = [...paths.slice(0, SKIPPED_SHOWN), ...rest].join(", ");
  return `${plural(paths.length, "file")} ${are} left out, none of ${their} lines is a hook payload, a stream line or a transcript line: ${names}`;
}

function complain({ file, line, reason }: Complaint, { terminal, exitWith }: Context): void {
  terminal.err(`${file}${line === undefined ? "" : `:${line}`}: ${reason}`);
  exitWith(1);
}

function speedOf(text: string): number {
  const speed = Number(text);
  if (speed > 0 && Number.isFinite(speed)) return speed;
  throw new InvalidArgumentError("The speed must be a number above 0.");
}

async function perform(
  client: Client,
  files: readonly ReplayFile[],
  options: Options,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const contact = new Contact(files.reduce((sum, file) => sum + file.lines, 0));
  const { sender, sessions } = await play(client, contact, files, options, context);
  for (const complaint of sender.tally.refused) complain(complaint, context);
  const report = (name: SessionName) => contact.ask(() => reportOf(client, name));
  const found = await Promise.all([...sessions.values()].map(report));
  const reports = found.filter((report): report is SessionReport => report !== undefined);
  if (options.json === true) for (const line of jsonLines(reports)) terminal.json(line);
  else tellResult(reports, sender, context);
}

async function play(
  client: Client,
  contact: Contact,
  files: readonly ReplayFile[],
  { speed }: Options,
  context: Context,
): Promise<{ readonly sender: Sender; readonly sessions: ReadonlyMap<string, SessionName> }> {
  const fixed = context.env["SIGNALBOX_WORKSPACE"] || undefined;
  const guessed = workspacesOf(files, fixed);
  const sessions = new Map<string, SessionName>();
  const sender = new Sender(client, contact);
  const lines = (file: ReplayFile) =>
    linesOf(file, context.wiring.claudeCode, (complaint) => complain(complaint, context));
  let done = 0;
  await withProgress("{value}/{total} lines", contact.lines, async (show) => {
    for await (const { file, ...numbered } of speed === undefined
      ? atOnce(files, lines)
      : paced(files, lines, speed)) {
      const session = sessionOfLine(file, numbered);
      const guess = guessed.get(session) ?? workspaceOfNowhere(fixed);
      const told = fixed === undefined ? undefined : { session, workspace: guess };
      const name = sessions.get(session) ?? told ?? (await contact.ask(() => nameOf(client, session, guess)));
      sessions.set(session, name);
      const envelope = envelopeOf(file, numbered, name);
      await sender.add({
        envelope,
        characters: numbered.text.length,
        file: file.path,
        line: numbered.number,
      });
      if (speed !== undefined) await sender.flush();
      show((done += 1), contact.lines);
    }
    await sender.flush();
  });
  return { sender, sessions };
}

/**
 * A session that the engine already has keeps its workspace, unless the user names another.
 * @throws Away if the engine does not answer, or is busy.
 */
async function nameOf(client: Client, session: string, guessed: string): Promise<SessionName> {
  const found = await client.send("GET", `/v1/sessions/${session}`);
  if (found.status === 503) succeeded(found);
  const known = sessionAnswer.safeParse(found.body);
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
  for (const report of reports) terminal.out(tableOf(report, columnsOf(terminal)));
  for (const { file, line, reason } of tally.unapplied)
    terminal.err(`${file}:${line ?? ""}: changed nothing: ${reason}`);
  if (tally.duplicate > 0)
    terminal.out(`${plural(tally.duplicate, "line")} had been played before and changed nothing.`);
  terminal.out(summaryOf(reports));
}
