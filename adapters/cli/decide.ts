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
import { type ApprovalAnswer, approvalAnswer } from "./answers.ts";
import { type Client, succeeded } from "./client.ts";
import type { Context } from "./command.ts";
import { Failure } from "./failure.ts";
import { consequenceOf } from "./consequence.ts";
import { described, isWatched, sessionOf } from "./question.ts";
import { agoOf, stateOfApproval } from "./wording.ts";

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

const unknown = (id: string): Failure =>
  new Failure(`There is no approval ${id}.`, "`npx signalbox approvals` lists those that wait.");

/** One that was answered, by whom and when. @param now ms. */
function closed({ id, by, closedAt, ...approval }: ApprovalAnswer, now: number): Failure {
  const when = closedAt === undefined ? "" : ` ${agoOf(closedAt, now)} ago`;
  const who = by === undefined || by === "elsewhere" ? "" : ` by ${by}`;
  return new Failure(`${id} was ${stateOfApproval(approval)}${when}${who}. Nothing changed.`);
}

/** Prints the question, then sends the answer with the hash that was printed. */
export async function decide(
  client: Client,
  id: string,
  decision: Decision,
  context: Context,
  json: boolean,
): Promise<void> {
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const found = await client.send("GET", path);
  if (found.status === 404) throw unknown(id);
  const approval = approvalAnswer.parse(succeeded(found).body);
  if (!json) {
    if (approval.state !== "pending") throw closed(approval, context.now());
    const session = await sessionOf(client, approval);
    const denial = await consequenceOf(client, approval, decision.interrupt === true);
    context.terminal.out(described(approval, session, denial, context.now()));
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
  if (json) return;
  context.terminal.out(`\n${id} is ${state}.`);
  if (isWatched(approval))
    context.terminal.out("Recorded only. Claude Code still asks at its own terminal: answer there.");
}
