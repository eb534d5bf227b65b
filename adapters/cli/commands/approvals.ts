// approvals
// Lists the questions that wait for an answer, the oldest first, each with all there is to judge it by.
//
//   Owns:          the order of questions.
//   Does not own:  the words of one (question.ts).

import type { Command } from "commander";
import { approvalAnswer, type SessionAnswer } from "../answers.ts";
import { clientCommand, type Common, type Context, engineOf } from "../command.ts";
import { described, sessionOf } from "../question.ts";

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
        terminal.out(`${described(approval, session, context.now())}\n`);
      }
      terminal.out("Answer with `npx signalbox approve ID` or `npx signalbox deny ID -m TEXT`.");
    });
}
