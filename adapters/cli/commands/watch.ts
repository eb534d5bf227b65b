// watch
// Shows the sessions and their calls as they happen.
//
//   Owns:          the choice between a screen, lines and JSON.
//   Does not own:  the board (watch/board.ts), following (client.ts).

import type { Command } from "commander";
import { type ChangeAnswer, sessionAnswer } from "../answers.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { drawing, stoppedBySignal } from "../drawing.ts";
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
    .option("--no-bell", "do not ring when a question is asked")
    .action(async (options: Options) => {
      const { terminal } = context;
      const { session, workspace } = options;
      const client = await engineOf(context, options);
      const signal = stoppedBySignal();
      const board = new Board();
      const screen =
        terminal.isScreen && options.json !== true
          ? drawing(() => board.frame(terminal.size, context.now()), terminal, signal)
          : undefined;
      const seed = async (): Promise<void> =>
        board.seed(
          (await client.list("/v1/sessions", sessionAnswer, { workspace }, LISTED_MAX)).filter(
            ({ id }) => session === undefined || id === session,
          ),
        );
      for await (const followed of client.follow({ session, workspace }, signal)) {
        if (followed.type === "lost") terminal.err("The connection is lost. Trying again.");
        else if (followed.type !== "change") await seed();
        else if (options.json === true) terminal.json(followed.change);
        else {
          const line = board.apply(followed.change);
          if (line !== undefined && !screen) terminal.out(line);
          if (options.bell && isQuestion(followed.change)) terminal.bell();
        }
        screen?.touch();
        if (followed.type === "ready" && !screen) terminal.err(`Watching ${client.url}. End with Ctrl-C.`);
      }
    });
}

const isQuestion = ({ entity, to }: ChangeAnswer): boolean => entity === "approval" && to === "pending";
