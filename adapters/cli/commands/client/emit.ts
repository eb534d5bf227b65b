// emit
// Sends the engine one event, as a service would.
//
//   Owns:          making the event's envelope.
//   Does not own:  what each type of event means (runtime/door).

import type { Command } from "commander";
import { v7 } from "uuid";
import { z } from "zod";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { misused } from "../../failures/failure.ts";
import { givenJson } from "../../given-json.ts";

type Options = Common & {
  readonly subject: string;
  readonly body: string;
  readonly id?: string;
  readonly source: string;
};

const APPROVAL = `
To request an approval, and to answer it:
  $ npx signalbox emit approval.requested --subject shop/chat-7 --body '{"approvalId":"a1","tool":"send_mail","input":{"to":"bob@example.com"}}'
  $ npx signalbox approve a1

The fields of each type: docs/reference/nats.md, Types.`;

const taken = z.looseObject({
  position: z.number(),
  outcome: z.string(),
  reason: z.string().optional(),
  warning: z.looseObject({ message: z.string() }).optional(),
});

interface Event {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
}

export async function sent(client: Client, event: Event, { now }: Context): Promise<unknown> {
  const body = { specversion: "1.0", ...event, time: new Date(now()).toISOString() };
  return succeeded(await client.send("POST", "/v1/events", { body })).body;
}

export function emit(context: Context): Command {
  return clientCommand(
    "emit",
    "send one event",
    `emit request.created --subject shop/chat-7 --body '{"requestId":"r1"}'`,
  )
    .addHelpText("after", APPROVAL)
    .argument("<type>", "the event's type, such as request.created")
    .requiredOption("--subject <workspace/session>", "the session that the event is about")
    .option("--body <json>", "the event's data: JSON, @FILE, or @- for standard input", "{}")
    .option("--id <id>", "the event's id; an id that is sent twice counts once (default: a new id)")
    .option("--source <name>", "who sends the event", "signalbox-cli")
    .action(async (type: string, options: Options) => {
      const { subject, source, id = v7(), json, body: text, ...target } = options;
      if (/^[{@]/.test(target.data ?? ""))
        throw misused("--data names the engine's folder.", "Give the event's data by --body.");
      const data = await givenJson(text);
      const client = await engineOf(context, target);
      const answer = await sent(client, { id, source, type, subject, data }, context);
      const { position, outcome, reason, warning } = taken.parse(answer);
      if (json === true) context.terminal.json(answer);
      else context.terminal.out([`${outcome}, at position ${position}`, reason].filter(Boolean).join(": "));
      if (warning) context.terminal.err(`Warning: ${warning.message}`);
    });
}
