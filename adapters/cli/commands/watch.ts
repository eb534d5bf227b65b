// watch
// Shows sessions and their calls while they change.
//
//   Owns:          the choice between a screen, lines and JSON as the form of the output.
//   Does not own:  the board on the screen (watch/board.ts), following the change stream (client.ts).

import type { Command } from "commander";
import { type ChangeAnswer, type SessionAnswer, sessionAnswer } from "../answers.ts";
import { waitingOf } from "../approval/read.ts";
import { type Client, succeeded } from "../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { drawing, stoppedBySignal } from "../output/drawing.ts";
import { untilAnswered } from "../patience.ts";
import { Board } from "../watch/board.ts";

const LISTED_MAX = 50;

interface Options extends Common {
  readonly session?: string;
  readonly workspace?: string;
  readonly bell: boolean;
}

export function watch(context: Context): Command {
  return clientCommand("watch", "follow the sessions and their calls as they happen", "watch")
    .option("--session <id>", "only this session")
    .option("--workspace <id>", "only this workspace")
    .option("--no-bell", "do not ring for a new approval")
    .action(async (options: Options) => {
      const { terminal } = context;
      const { session, workspace } = options;
      const client = await engineOf(context, options);
      const signal = stoppedBySignal();
      const board = new Board(session);
      const screen =
        terminal.isScreen && options.json !== true
          ? drawing(() => board.frame(terminal.size, context.now()), terminal, signal)
          : undefined;
      const patience = { stallMs: Infinity, signal };
      const seed = async (): Promise<void> => {
        const asked = untilAnswered(
          () => Promise.all([sessionsOf(client, session, workspace), waitingOf(client, workspace)]),
          patience,
        );
        const [sessions, waiting] = await asked.catch((error: unknown) => {
          // If the command is ending, it no longer matters that a query failed.
          if (signal.aborted) return [[], []];
          throw error;
        });
        board.seed(
          sessions,
          waiting.filter(({ approval }) => session === undefined || approval.sessionId === session),
        );
      };
      let isLost = false;
      for await (const followed of client.follow({ session, workspace }, signal)) {
        if (followed.type === "lost") {
          terminal.err("The connection is lost. Trying again.");
          isLost = true;
        } else if (followed.type !== "change") await seed();
        else if (options.json === true) terminal.json(followed.change);
        else {
          const line = board.apply(followed.change);
          if (line !== undefined && !screen) terminal.out(line);
          if (options.bell && isPendingApproval(followed.change)) terminal.bell();
        }
        screen?.touch();
        if (followed.type === "change" || followed.type === "lost") continue;
        if (isLost) terminal.err("The engine answers again.");
        else if (!screen) terminal.err(beginning(board, client));
        isLost = false;
      }
    });
}

const beginning = ({ waitsFor }: Board, { url }: Client): string =>
  `${waitsFor === undefined ? "" : `${waitsFor}\n`}Watching ${url}. End with Ctrl-C.`;

async function sessionsOf(
  client: Client,
  session: string | undefined,
  workspace: string | undefined,
): Promise<readonly SessionAnswer[]> {
  if (session === undefined) return client.list("/v1/sessions", sessionAnswer, { workspace }, LISTED_MAX);
  const path = `/v1/sessions/${encodeURIComponent(session)}`;
  const found = await client.send("GET", path, { query: { workspace } });
  return found.status === 404 ? [] : [sessionAnswer.parse(succeeded(found).body)];
}

const isPendingApproval = ({ entity, to }: ChangeAnswer): boolean =>
  entity === "approval" && to === "pending";
