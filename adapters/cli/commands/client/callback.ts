// callback
// Records how the delivery of a request's result goes. The hook or service that delivers the result runs this command.
//
//   Owns:          finding the session of the request, making the event that is sent.
//   Does not own:  delivering the result: a script in ops/hooks does that, because the engine itself calls no address.
//
// CALLBACK-1. `callback` sends its record to the engine as an event, and never edits a state file (S1.41, S1.43).

import { Argument, type Command } from "commander";
import { v7 } from "uuid";
import { defined } from "../../../../machines/defined.ts";
import { requestAnswer } from "../../answers.ts";
import { succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";
import { sent } from "./emit.ts";

const STATES = ["delivering", "delivered", "failed"] as const;
type State = (typeof STATES)[number];
type Options = Common & { readonly error?: string; readonly id?: string; readonly workspace?: string };

const MEANING = `
delivering: another try begins; each counts as an attempt. delivered: it has arrived, which is final. failed: given up, for now.
The engine calls no address itself: ops/hooks/deliver-callback.sh does, and records it.`;

export function callback(context: Context): Command {
  return clientCommand(
    "callback",
    "record how the delivery of a request's result goes",
    'callback r1 failed --error "the gateway answered 503"',
  )
    .addHelpText("after", MEANING)
    .argument("<request>", "the request's id")
    .addArgument(new Argument("<state>", "how the delivery stands").choices(STATES))
    .option("--error <text>", "why the delivery failed")
    .option("--id <id>", "the record's id: the same one twice is one record (default: a new one)")
    .option("--workspace <id>", "the workspace, if several have the id")
    .action(async (requestId: string, state: State, options: Options) => {
      const { error, id = v7(), workspace: within, json, ...target } = options;
      const client = await engineOf(context, target);
      const path = `/v1/requests/${encodeURIComponent(requestId)}`;
      const found = await client.send("GET", path, { query: { workspace: within } });
      const typed = `npx signalbox callback ${requestId} ${state}`;
      const { workspace, sessionId } = requestAnswer.parse(succeeded(found, typed).body);
      const event = { id, source: "signalbox-callback", type: "request.callback" };
      const data = { requestId, state, ...defined({ error }) };
      const answer = await sent(client, { ...event, subject: `${workspace}/${sessionId}`, data }, context);
      if (json === true) context.terminal.json(answer);
      else context.terminal.out(`The callback of request ${requestId} is recorded: ${state}.`);
    });
}
