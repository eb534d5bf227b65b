// Reading a question
// All there is to judge a pending approval by: its session, its call, the agents above it, what a denial would end.
//
//   Owns:          which of the engine's answers a question is put together from.
//   Does not own:  the words (text.ts), the prediction: the engine's own turn makes it (runtime/preview).
//
// Q4. The calls a denial would end are those the engine names for this very denial.

import { z } from "zod";
import {
  type ApprovalAnswer,
  approvalAnswer,
  type CallAnswer,
  callAnswer,
  type SessionAnswer,
  sessionAnswer,
} from "../answers.ts";
import { type Client, succeeded } from "../client.ts";

export interface Question {
  readonly approval: ApprovalAnswer;
  readonly session: SessionAnswer;
  /** The call it is about, once that was seen. */
  readonly call?: CallAnswer;
  /** Where that stands: how many calls its batch has so far; undefined where they are too many to count. */
  readonly batchSize?: number;
  /** The calls the agents were started by, the main agent's first; none for the main agent itself. */
  readonly parents: readonly CallAnswer[];
  /** The calls a denial ends, in their order. */
  readonly ends: readonly CallAnswer[];
}

const foreseen = z.object({
  items: z.array(z.looseObject({ entity: z.string(), to: z.string(), view: z.unknown() })),
});
const page = z.looseObject({ items: z.array(callAnswer), nextCursor: z.string().optional() });

const BATCH_PAGE = 1000;
const PARENTS_MAX = 8;

/** @returns an approval with its whole input; undefined where there is none of the id. */
export async function approvalOf(client: Client, id: string): Promise<ApprovalAnswer | undefined> {
  const found = await client.send("GET", `/v1/approvals/${encodeURIComponent(id)}`);
  return found.status === 404 ? undefined : approvalAnswer.parse(succeeded(found).body);
}

/** @returns those that wait for an answer, the oldest first. @param workspace only its own. */
export function waitingOf(client: Client, workspace: string | undefined): Promise<readonly ApprovalAnswer[]> {
  return client.list("/v1/approvals", approvalAnswer, { state: "pending", order: "oldest", workspace });
}

/**
 * @param isInterrupt whether the denial that is foreseen ends the turn, too.
 * @throws Failure when the engine no longer has the session.
 */
export async function questionOf(
  client: Client,
  approval: ApprovalAnswer,
  isInterrupt = false,
): Promise<Question> {
  const { workspace, sessionId, callId } = approval;
  const [session, call, ends] = await Promise.all([
    client.get(`/v1/sessions/${encodeURIComponent(sessionId)}`, sessionAnswer, { workspace }),
    callId === undefined ? undefined : callOf(client, approval, callId),
    endsOf(client, approval.id, isInterrupt),
  ]);
  if (!call) return { approval, session, parents: [], ends };
  const [batchSize, parents] = await Promise.all([
    sizeOfBatch(client, approval, call),
    parentsOf(client, approval, call),
  ]);
  return { approval, session, call, parents, ends, ...(batchSize !== undefined && { batchSize }) };
}

type Home = Pick<ApprovalAnswer, "workspace" | "sessionId">;

async function callOf(
  client: Client,
  { workspace, sessionId }: Home,
  id: string,
): Promise<CallAnswer | undefined> {
  const query = { workspace, session: sessionId };
  const found = await client.send("GET", `/v1/tool-calls/${encodeURIComponent(id)}`, { query });
  return found.status === 404 ? undefined : callAnswer.parse(succeeded(found).body);
}

/** One that was answered meanwhile ends nothing any more. */
async function endsOf(client: Client, id: string, isInterrupt: boolean): Promise<readonly CallAnswer[]> {
  const path = `/v1/approvals/${encodeURIComponent(id)}/denial`;
  const { items } = await client.get(path, foreseen, { interrupt: String(isInterrupt) });
  return items
    .filter(({ entity, to }) => entity === "toolcall" && to === "denied")
    .map(({ view }) => callAnswer.parse(view));
}

async function sizeOfBatch(
  client: Client,
  { workspace, sessionId }: Home,
  { batchId, requestId }: CallAnswer,
): Promise<number | undefined> {
  const path = `/v1/sessions/${encodeURIComponent(sessionId)}/tool-calls`;
  const query = { workspace, request: requestId, limit: BATCH_PAGE };
  const { items, nextCursor } = await client.get(path, page, query);
  return nextCursor === undefined ? items.filter((call) => call.batchId === batchId).length : undefined;
}

async function parentsOf(client: Client, home: Home, call: CallAnswer): Promise<readonly CallAnswer[]> {
  const parents: CallAnswer[] = [];
  let id = call.parentCallId;
  while (id !== undefined && parents.length < PARENTS_MAX) {
    const parent: CallAnswer | undefined = await callOf(client, home, id);
    if (!parent) break;
    parents.unshift(parent);
    id = parent.parentCallId;
  }
  return parents;
}
