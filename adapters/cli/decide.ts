// Decide
// Answers one or several approvals: reads each approval, prints it, and sends the answer.
//
//   Owns:          the order of these steps, which approvals are alike, the refusal to answer for an agent.
//   Does not own:  whose answer counts when two users answer (the engine).
//
// CLI-DECIDE-1. An answer carries the hash of the input that was just printed; if the input changed meanwhile, the engine
//     refuses the answer. If the input is lost or damaged, it cannot be printed, and the command does not approve it.
// CLI-DECIDE-2. An agent does not approve its own calls: `approve` refuses to run in the client's environment.
// CLI-DECIDE-3. Pending approvals are alike if they have the same workspace, folder, tool and input hash.

import { z } from "zod";
import type { ApprovalAnswer } from "./answers.ts";
import { Away, type Client, succeeded } from "./client.ts";
import { type Context, each } from "./command.ts";
import { Failure } from "./failures/failure.ts";
import {
  type Answering,
  approvalOf,
  described,
  oneApproval,
  type Found,
  isWatched,
  type ApprovalRef,
  shownApprovalOf,
  waitingOf,
} from "./approval/index.ts";
import { followReceipt } from "./receipt.ts";
import { agoOf, stateOfApproval } from "./wording.ts";

export interface Decision {
  readonly decision: "approve" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  /** The input that the tool gets instead: any JSON object. */
  readonly updatedInput?: unknown;
}

export interface Asked extends Answering {
  readonly decision: Decision;
}

const outcome = z.looseObject({ result: z.string(), state: z.string() });

export const isOfAgent = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env["CLAUDECODE"] || env["CLAUDE_CODE_ENTRYPOINT"]);

/**
 * @param what the action to refuse. @throws Failure for an agent: an agent's client sets these variables in the shells it starts.
 */
export function refuseAgents(env: NodeJS.ProcessEnv, what = "Approving"): void {
  if (!isOfAgent(env)) return;
  throw new Failure(
    `${what} is refused here: CLAUDECODE or CLAUDE_CODE_ENTRYPOINT is set, so an agent runs this command.`,
    "Only a person may do that, in their own terminal.",
  );
}

const unseen = (id: string, missing: string): Failure =>
  new Failure(
    `The input of ${id} is ${missing}: it cannot be shown, so it is not approved here.`,
    "Deny the approval, or answer in the client's own dialog.",
  );

/** The failure for an approval that was answered already: who answered it, and when. */
function closed({ id, by, closedAt, ...approval }: ApprovalAnswer, now: number): Failure {
  const when = closedAt === undefined ? "" : ` ${agoOf(closedAt, now)} ago`;
  const who = by === undefined || by === "elsewhere" ? "" : ` by ${by}`;
  return new Failure(`${id} was ${stateOfApproval(approval)}${when}${who}. Nothing changed.`);
}

/** Answers all given approvals; one that cannot be answered does not stop the others. @throws Failure if there is only one. */
export async function decideAll(client: Client, asked: Asked, context: Context): Promise<void> {
  const { workspace, withAlike } = asked;
  const given = [...new Set(asked.ids)].map((id): ApprovalRef => ({ id, workspace }));
  const all = withAlike ? await withThoseAlike(client, given) : given;
  await each(all, (named) => decide(client, named, asked, context), context);
}

async function withThoseAlike(
  client: Client,
  given: readonly ApprovalRef[],
): Promise<readonly ApprovalRef[]> {
  const found = await Promise.all(given.map((named) => readable(client, named)));
  const known = found.flatMap((one) => (one ? [one] : []));
  const places = [...new Set(known.map(({ approval }) => approval.workspace))];
  const waiting = (await Promise.all(places.map((workspace) => waitingOf(client, workspace)))).flat();
  const isSame = (one: ApprovalAnswer, other: ApprovalAnswer): boolean =>
    one.workspace === other.workspace && one.id === other.id;
  const isLike = (one: Found, other: Found): boolean =>
    one.approval.workspace === other.approval.workspace &&
    one.session?.cwd === other.session?.cwd &&
    one.approval.tool === other.approval.tool &&
    one.approval.inputHash !== undefined &&
    one.approval.inputHash === other.approval.inputHash;
  const more = waiting
    .filter((each) => known.some((one) => isLike(one, each)))
    .map(({ approval }) => approval)
    .filter((each) => !known.some((one) => isSame(one.approval, each)));
  return [...given, ...more];
}

/** @returns undefined if no approval or several have the id: `decide` reports that later, in the given order. */
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
  { decision, json, waitMs }: Asked,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const { id } = named;
  const found = await oneApproval(client, named, `npx signalbox ${decision.decision} ${id}`);
  const { approval } = found;
  const { workspace } = approval;
  if (!json) {
    const now = context.now();
    if (approval.state !== "pending") throw closed(approval, now);
    const isInterrupt = decision.interrupt === true;
    const shown = await shownApprovalOf(client, found, isInterrupt);
    const columns = terminal.isScreen ? terminal.size.columns : Infinity;
    terminal.out(described(shown, { now, columns, isInterrupt, instead: decision.updatedInput }));
  }
  const { inputHash, inputMissing } = approval;
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
      terminal.out("The answer was only recorded. The client still asks in its own dialog: answer there.");
    return;
  }
  if (waitMs === 0) return;
  const hasArrived = await followReceipt(client, approval, {
    waitMs,
    now: context.now,
    onStep: (line) => (json ? undefined : terminal.out(line)),
    onReceipt: (receipt) => (json ? terminal.json({ approvalId: approval.id, receipt }) : undefined),
  });
  if (!hasArrived) context.exitWith(1);
}
