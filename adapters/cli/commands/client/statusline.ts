// statusline
// Prints one short line for the client's status line: the approvals that wait in other sessions.
//
//   Owns:          reading what the client writes to standard input, the words of the line, the time limit.
//   Does not own:  which approvals wait (the engine).
//
// STATUSLINE-1. Even after a failure, `statusline` prints one line and exits with 0, because the client shows the output.
// STATUSLINE-2. `statusline` ends within a time limit, even if its input does not end or the engine does not answer.
// STATUSLINE-3. Only the command line sets which engine `statusline` asks, and with which token: a client starts the command,
//     and a project can set that client's variables. If a variable names another engine or token, the line says that the
//     variable is ignored.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { jsonIn } from "../../../../machines/json.ts";
import { defined } from "../../../../machines/defined.ts";
import { RefusedError } from "../../../../runtime/errors/errors.ts";
import { oneLine } from "../../../../runtime/text/visible.ts";
import { type ApprovalAnswer, approvalAnswer, sessionAnswer } from "../../answers.ts";
import { byTheirUrgency, riskMark, risksIn } from "../../approval/risk-text.ts";
import { clientCommand, type Common, type Context, wholeNumber } from "../../command.ts";
import { connect } from "../../connection.ts";
import { cut } from "../../output/width.ts";
import { agoOf, firstLine, gistIn } from "../../wording.ts";
import { quoted } from "../../../../runtime/text/quoted.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

const INPUT_MS = 40;
const ANSWER_MS = 80;
const COLUMNS = 110;
const GIST_MAX = 32;
const PLACE_MAX = 24;
/** How many approvals are read, the oldest first. If more wait, the line says "20+", and names the most urgent of these. */
const LISTED_MAX = 20;

const given = z.looseObject({ session_id: z.string().optional() });
const asked = approvalAnswer.extend({ session: sessionAnswer.optional() });
const page = z.looseObject({ items: z.array(asked), nextCursor: z.string().optional() });
type Page = z.infer<typeof page>;

type Options = Common & { readonly wait: number; readonly tokenFile?: string };

/**
 * The text for the client's settings, with absolute paths and without variables, because a project could set PATH and
 * NODE_OPTIONS.
 */
const settingsText = (programs: readonly string[]): string => `
In the client's settings:
  "statusLine": ${JSON.stringify({ type: "command", command: `/usr/bin/env -i ${programs.map(quoted).join(" ")} statusline` })}
It asks the engine of your account's own data folder; --data and --url name another one, and no variable does.

One line costs about four times the processor time of \`node -e 0\`.`;

export function statusline(context: Context): Command {
  return clientCommand(
    "statusline",
    "print one line for Claude Code's status line: what waits in other sessions",
    "statusline",
  )
    .addHelpText("after", settingsText(process.argv.slice(0, 2)))
    .option("--wait <ms>", "how long to wait for the engine's answer", wholeNumber(1, 60_000), ANSWER_MS)
    .option("--token-file <file>", "the file of the token to ask with (default: the data folder's)")
    .action(async (options: Options) => {
      const { terminal, now } = context;
      const session = await sessionGiven(process.stdin);
      const found = await waitingOf(context, options).catch(wordFor);
      if (typeof found === "string") {
        if (options.json === true) terminal.json({ engine: found });
        else terminal.out(cut(`Signalbox: ${found}`, COLUMNS));
      } else if (options.json === true)
        terminal.json({ engine: "here", waiting: elsewhere(found, session).length });
      else terminal.out(lineOf(found, session, now()));
    });
}

/** @returns the client's own session, if the client sends it in time. */
async function sessionGiven(input: NodeJS.ReadStream): Promise<string | undefined> {
  if (input.isTTY) return undefined;
  let text = "";
  input.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(input, "end", { signal: AbortSignal.timeout(INPUT_MS) }).catch(() => undefined);
  input.destroy();
  return given.safeParse(jsonIn(text)).data?.session_id;
}

const wordFor = (error: unknown): string => {
  if (error instanceof RefusedError || error instanceof ByVariable) return oneLine(error.message);
  const isSlow =
    error instanceof Error && error.cause instanceof Error && error.cause.name === "TimeoutError";
  return isSlow ? "busy" : "away";
};

async function waitingOf({ env, wiring }: Context, options: Options): Promise<Page> {
  const { url, tokenFile, wait } = options;
  const data = wiring.folderForClients(options.data);
  if (url === undefined && env["SIGNALBOX_URL"]) throw new ByVariable("SIGNALBOX_URL", "--url");
  if (tokenFile === undefined && env["SIGNALBOX_TOKEN"])
    throw new ByVariable("SIGNALBOX_TOKEN", "--token-file");
  const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, "utf8")).trim();
  const target = { data, ...defined({ url }) };
  const client = await connect(target, defined({ SIGNALBOX_TOKEN: token }), wiring);
  const query = { state: "pending", order: "oldest", with: "session", limit: LISTED_MAX };
  return client.get("/v1/approvals", page, query, AbortSignal.timeout(wait));
}

class ByVariable extends Error {
  constructor(variable: string, option: string) {
    super(`${variable} is ignored here, because a project can set it: use ${option}.`);
  }
}

const elsewhere = ({ items }: Page, session: string | undefined): Page["items"] =>
  items
    .filter(({ sessionId, lastSeenAt }) => sessionId !== session && lastSeenAt === undefined)
    .toSorted((one, other) => byTheirUrgency(seen(one), seen(other)));

const seen = ({ session, ...approval }: Page["items"][number]) => ({ approval, ...defined({ session }) });

function lineOf(found: Page, session: string | undefined, now: number): string {
  const others = elsewhere(found, session);
  const [first] = others;
  if (!first) return "Signalbox: nothing waits elsewhere";
  const more = found.nextCursor === undefined ? "" : "+";
  const place = cut(placeOf(first), PLACE_MAX);
  const gist = cut(oneLine(firstLine(gistIn(first))), GIST_MAX);
  const mark = riskMark(risksIn(seen(first)));
  const what = [mark && `[${mark}]`, oneLine(first.tool), gist, place && `in ${place}`]
    .filter(Boolean)
    .join(" ");
  const line = `Signalbox: ${others.length}${more} waiting elsewhere, ${agoOf(first.askedAt, now)}: ${what}`;
  return cut(line, COLUMNS);
}

/** The name of the session's folder, which tells users more than a title; without a known folder, the title or the id. */
function placeOf({ session, sessionId }: ApprovalAnswer & Pick<Page["items"][number], "session">): string {
  const folder = session?.cwd?.split(/[/\\]/).findLast(Boolean);
  return oneLine(folder ?? titleLine(session?.title ?? sessionId));
}
