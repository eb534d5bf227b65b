// callback
// Records whether the result of a request was delivered, for the hook or service that delivers it.
//
//   Owns:          finding the session of the request, making the envelope.
//   Does not own:  delivering the result (a script in ops/hooks: no part of the engine calls an address).
//
// CALLBACK-1. The record is an input like any other: no command edits a state file (S1.41, S1.43).

import { Argument, type Command } from "commander";
import { v7 } from "uuid";
import { requestAnswer } from "../../answers.ts";
import { succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf } from "../../command.ts";

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
    .addArgument(new Argument("<state>", "how it stands").choices(STATES))
    .option("--error <text>", "why it failed")
    .option("--id <id>", "the record's id: the same one twice is one record (default: a new one)")
    .option("--workspace <id>", "for an id that more than one workspace has")
    .action(async (requestId: string, state: State, options: Options) => {
      const { error, id = v7(), workspace: within, json, ...target } = options;
      const client = await engineOf(context, target);
      const path = `/v1/requests/${encodeURIComponent(requestId)}`;
      const found = await client.send("GET", path, { query: { workspace: within } });
      const typed = `npx signalbox callback ${requestId} ${state}`;
      const { workspace, sessionId } = requestAnswer.parse(succeeded(found, typed).body);
      const body = {
        specversion: "1.0",
        id,
        source: "signalbox-callback",
        type: "request.callback",
        subject: `${workspace}/${sessionId}`,
        time: new Date(context.now()).toISOString(),
        data: { requestId, state, ...(error !== undefined && { error }) },
      };
      const answer = succeeded(await client.send("POST", "/v1/events", { body })).body;
      if (json === true) context.terminal.json(answer);
      else context.terminal.out(`The delivery of ${requestId} is recorded: ${state}.`);
    });
}
