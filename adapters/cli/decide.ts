// Decide
// One person's answer to one question: read it, show it, answer what was shown.
//
//   Owns:          the order of these, and the refusal to answer for an agent.
//   Does not own:  who wins when two answer (the engine).
//
// Q2. What is approved is the hash of the input that was printed a moment before; if it changed meanwhile, the engine
//     refuses. An input that is lost or damaged cannot be shown, so it is not approved.
// Q3. An agent does not approve its own calls: under the client's environment `approve` refuses.

import { z } from "zod";
import { approvalAnswer } from "./answers.ts";
import { type Client, succeeded } from "./client.ts";
import type { Context } from "./command.ts";
import { Failure } from "./failure.ts";
import { described, sessionOf } from "./question.ts";

export interface Decision {
  readonly decision: "approve" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
}

const outcome = z.looseObject({ result: z.string(), state: z.string() });

/** @throws Failure when run by an agent: the shells it starts carry these variables. */
export function refuseAgents(env: NodeJS.ProcessEnv): void {
  const found = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"].find((name) => env[name]);
  if (found === undefined) return;
  throw new Failure(
    `Approving is refused here: ${found} is set, so an agent runs this command.`,
    "A person approves, in a terminal of their own.",
  );
}

const unseen = (id: string, missing: string): Failure =>
  new Failure(
    `The input of ${id} is ${missing}: it cannot be shown, so it is not approved here.`,
    "Deny it, or answer in the client's own dialog.",
  );

/** Prints the question, then sends the answer with the hash that was printed. */
export async function decide(
  client: Client,
  id: string,
  decision: Decision,
  context: Context,
  json: boolean,
): Promise<void> {
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const approval = await client.get(path, approvalAnswer);
  if (!json) {
    const session = await sessionOf(client, approval);
    context.terminal.out(described(approval, session, context.now()));
  }
  const { inputHash, inputMissing } = approval;
  if (inputMissing !== undefined && decision.decision === "approve") throw unseen(id, inputMissing);
  const answer = await client.send("POST", `${path}/decision`, { body: { ...decision, inputHash } });
  if (json) context.terminal.json(answer.body);
  if (json && answer.status === 409) {
    context.exitWith(1);
    return;
  }
  const { state } = outcome.parse(succeeded(answer).body);
  if (!json) context.terminal.out(`\n${id} is ${state}.`);
}
