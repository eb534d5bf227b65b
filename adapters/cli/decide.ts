// Decide
// Answers one or several approvals: for each, reads the approval, prints it, and sends the answer.
//
//   Owns:          the order of reading, printing and answering, which approvals are alike, refusing to run for an agent.
//   Does not own:  whose answer counts if two users answer the same approval (the engine).
//
// CLI-DECIDE-1. An answer carries the hash of the input that the command has just printed; if the input has changed since, the
//     engine refuses the answer. If the input is lost or damaged, the command cannot print it, and so does not approve the call.
// CLI-DECIDE-2. An agent cannot approve its own calls with `approve`: the command refuses to run if the variables of an agent's
//     client are set.
// CLI-DECIDE-3. With `--alike`, two pending approvals count as alike if their workspace, folder, tool and input hash are the
//     same.

import { z } from "zod";
import type { ApprovalAnswer } from "./answers.ts";
import { Away, type Client, succeeded } from "./client.ts";
import { type Context, each } from "./command.ts";
import { Failure } from "./failures/failure.ts";
import type { AnswerOptions } from "./approval/answer-command.ts";
import {
  approvalOf,
  oneApproval,
  type Found,
  type ApprovalRef,
  shownApprovalOf,
  waitingOf,
} from "./approval/read.ts";
import { described } from "./approval/text.ts";
import { isWatched } from "../../runtime/channels.ts";
import { columnsOf } from "./output/terminal.ts";
import { followReceipt } from "./receipt.ts";
import { agoOf, stateOfApproval } from "./wording.ts";

export interface Decision {
  readonly decision: "approve" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: unknown;
}

const outcome = z.looseObject({ result: z.string(), state: z.string() });

export const isOfAgent = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env["CLAUDECODE"] || env["CLAUDE_CODE_ENTRYPOINT"]);

/**
 * @param what the action to refuse, as the message names it.
 * @throws Failure if `env` has a variable that an agent's client sets for the shells it starts.
 */
export function refuseAgents(env: NodeJS.ProcessEnv, what = "Approving"): void {
  if (!isOfAgent(env)) return;
  throw new Failure(
    `${what} is refused here: CLAUDECODE or CLAUDE_CODE_ENTRYPOINT is set, so an agent runs this command.`,
    "Only a person may run this command, in a terminal of their own.",
  );
}

const unseen = (id: string, missing: string): Failure =>
  new Failure(
    `The input of ${id} is ${missing}: it cannot be shown, so it is not approved here.`,
    "Deny the approval, or answer in the client's own dialog.",
  );

function closed({ id, by, closedAt, ...approval }: ApprovalAnswer, now: number): Failure {
  const when = closedAt === undefined ? "" : ` ${agoOf(closedAt, now)} ago`;
  const who = by === undefined || by === "elsewhere" ? "" : ` by ${by}`;
  return new Failure(`${id} was ${stateOfApproval(approval)}${when}${who}. Nothing changed.`);
}

/**
 * Answers all given approvals, also after one of them could not be answered.
 * @throws Failure if only one approval is given, and it cannot be answered.
 */
export async function decideAll(
  client: Client,
  ids: readonly string[],
  decision: Decision,
  options: AnswerOptions,
  context: Context,
): Promise<void> {
  const { workspace, alike = false } = options;
  const given = [...new Set(ids)].map((id): ApprovalRef => ({ id, workspace }));
  const all = alike ? await withThoseAlike(client, given) : given;
  await each(all, (named) => decide(client, named, decision, options, context), context);
}

async function withThoseAlike(
  client: Client,
  given: readonly ApprovalRef[],
): Promise<readonly ApprovalRef[]> {
  const found = await Promise.all(given.map((named) => readable(client, named)));
  const known = found.flatMap((one) => (one ? [one] : []));
  const places = [...new Set(known.map(({ approval }) => approval.workspace))];
  const waiting = (await Promise.all(places.map((workspace) => waitingOf(client, workspace)))).flat();
  const isSame = ({ approval: one }: Found, { approval: other }: Found): boolean =>
    one.workspace === other.workspace && one.id === other.id;
  const more = waiting
    .filter((each) => known.some((one) => isLike(one, each)) && !known.some((one) => isSame(one, each)))
    .map(({ approval }) => approval);
  return [...given, ...more];
}

const isLike = ({ approval: one, session }: Found, { approval: other, ...found }: Found): boolean =>
  one.workspace === other.workspace &&
  session?.cwd === found.session?.cwd &&
  one.tool === other.tool &&
  one.inputHash !== undefined &&
  one.inputHash === other.inputHash;

/** @returns the approval; undefined if none or several have the id: `decide` reports that later, in the given order. */
async function readable(client: Client, named: ApprovalRef): Promise<Found | undefined> {
  try {
    return await approvalOf(client, named);
  } catch (error) {
    if (error instanceof Failure && !(error instanceof Away)) return undefined;
    throw error;
  }
}

async function decide(
  client: Client,
  named: ApprovalRef,
  decision: Decision,
  options: AnswerOptions,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const { json = false, wait } = options;
  const { id } = named;
  const found = await oneApproval(client, named, `npx signalbox ${decision.decision} ${id}`);
  const { approval } = found;
  const { workspace, inputHash, inputMissing } = approval;
  if (!json) {
    const now = context.now();
    if (approval.state !== "pending") throw closed(approval, now);
    const isInterrupt = decision.interrupt === true;
    const shown = await shownApprovalOf(client, found, isInterrupt);
    const look = { now, columns: columnsOf(terminal), isInterrupt, instead: decision.updatedInput };
    terminal.out(described(shown, look));
  }
  if (inputMissing !== undefined && decision.decision === "approve") throw unseen(id, inputMissing);
  const path = `/v1/approvals/${encodeURIComponent(id)}/decision`;
  const answer = await client.send("POST", path, {
    query: { workspace },
    body: { ...decision, inputHash, via: "cli" },
  });
  if (json) terminal.json(answer.body);
  if (json && answer.status === 409) {
    context.exitWith(1);
    return;
  }
  const { result, state } = outcome.parse(succeeded(answer).body);
  if (!json)
    terminal.out(
      `\n${result === "counted" ? `Your approval of ${id} counts; others are to approve it, too` : `${id} is ${state}`}.\nsent, and committed.`,
    );
  if (result === "counted") return;
  if (isWatched(approval)) {
    if (!json)
      terminal.out(
        "The answer was only recorded. The client still asks in its own dialog: answer in that dialog.",
      );
    return;
  }
  if (wait === 0) return;
  if (!(await followReceipt(client, approval, options, context))) context.exitWith(1);
}
