// approvals
// Lists the questions that wait for an answer, the oldest first, each with all there is to judge it by.
//
//   Owns:          the order of questions.
//   Does not own:  the words of one (question.ts).

import type { Command } from "commander";
import { approvalAnswer, type SessionAnswer } from "../answers.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { consequenceOf } from "../consequence.ts";
import { described, isWatched, sessionOf } from "../question.ts";

export function approvals(context: Context): Command {
  return clientCommand("approvals", "list what waits for your answer, oldest first", "approvals")
    .option("--workspace <id>", "only those of this workspace")
    .action(async (options: Common & { readonly workspace?: string }) => {
      const { terminal } = context;
      const client = await engineOf(context, options);
      const pending = await client.list("/v1/approvals", approvalAnswer, {
        state: "pending",
        workspace: options.workspace,
      });
      const oldestFirst = [...pending].sort((a, b) => a.askedAt - b.askedAt);
      if (options.json === true) {
        for (const approval of oldestFirst) terminal.json(approval);
        return;
      }
      if (oldestFirst.length === 0) return terminal.out("Nothing waits for an answer.");
      const sessions = new Map<string, SessionAnswer>();
      for (const approval of oldestFirst) {
        const key = `${approval.workspace}/${approval.sessionId}`;
        const session = sessions.get(key) ?? (await sessionOf(client, approval));
        sessions.set(key, session);
        const denial = await consequenceOf(client, approval, false);
        terminal.out(`${described(approval, session, denial, context.now())}\n`);
      }
      const answerable = oldestFirst.filter((approval) => !isWatched(approval));
      if (answerable.length === 0) return terminal.out("Claude Code asks at its own terminal: answer there.");
      const which = answerable.length < oldestFirst.length ? ", of those without that note" : "";
      terminal.out(`Answer with \`npx signalbox approve ID\` or \`npx signalbox deny ID -m TEXT\`${which}.`);
    });
}
