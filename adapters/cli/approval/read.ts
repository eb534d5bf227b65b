// Reading an approval
// Reads what a user needs to judge a pending approval: its session, its call, its agent's origin, what a denial ends.
//
//   Owns:          which facts are read from the engine and shown with an approval.
//   Does not own:  the printed text about an approval (text.ts), predicting what a denial ends (runtime/reading/preview).
//
// READ-1. The calls that a command lists as ended by a denial are exactly those that the engine predicts.

import { defined } from "../../../machines/defined.ts";
import { endsByDenial } from "../../../runtime/rows/call-states.ts";
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
import { Failure } from "../failures/failure.ts";
import { byTheirUrgency } from "./risk-text.ts";

export interface Found {
  readonly approval: ApprovalAnswer;
  readonly session?: SessionAnswer;
  /** The approval's call, if known; without the input, which the approval has. */
  readonly call?: CallAnswer;
}

export interface ShownApproval extends Found {
  /** How many calls the call's batch has so far; undefined if there are too many to count. */
  readonly batchSize?: number;
  /**
   * The calls that started the approval's agent and the agents above it, the main agent's call first; empty for the main agent.
   */
  readonly parents: readonly CallAnswer[];
  readonly ends: readonly CallAnswer[];
}

const WITH = "call,session";
const accompanied = approvalAnswer
  .extend({ call: callAnswer.optional(), session: sessionAnswer.optional() })
  .transform(({ call, session, ...approval }): Found => ({ approval, ...defined({ call, session }) }));
const foreseen = z.object({
  items: z.array(z.looseObject({ entity: z.string(), to: z.string(), view: z.unknown() })),
});
const page = z.looseObject({ items: z.array(callAnswer), nextCursor: z.string().optional() });

const BATCH_PAGE = 1000;
const PARENTS_MAX = 8;

export interface ApprovalRef {
  readonly id: string;
  readonly workspace?: string | undefined;
}

/**
 * @param command the command as typed, for the message if several workspaces have the id. @returns undefined if no approval has
 * the id.
 */
export async function approvalOf(
  client: Client,
  { id, workspace }: ApprovalRef,
  command?: string,
): Promise<Found | undefined> {
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const found = await client.send("GET", path, { query: { workspace, with: WITH } });
  return found.status === 404 ? undefined : accompanied.parse(succeeded(found, command).body);
}

export async function oneApproval(client: Client, named: ApprovalRef, command: string): Promise<Found> {
  const found = await approvalOf(client, named, command);
  if (found) return found;
  throw new Failure(
    `There is no approval ${named.id}.`,
    "`npx signalbox approvals` lists the approvals that wait.",
  );
}

export async function waitingOf(client: Client, workspace: string | undefined): Promise<readonly Found[]> {
  const query = { state: "pending", order: "oldest", workspace, with: WITH };
  return (await client.list("/v1/approvals", accompanied, query)).toSorted(byTheirUrgency);
}

/** @param isInterrupt whether to predict a denial that also ends the agent's work on its prompt. @throws Failure */
export async function shownApprovalOf(
  client: Client,
  found: Found,
  isInterrupt = false,
): Promise<ShownApproval> {
  const { approval, call } = found;
  // `lastSeenAt` is set if the engine that has the approval does not answer: then nothing more can be read about the approval.
  if (approval.lastSeenAt !== undefined) return { ...found, parents: [], ends: [] };
  const [ends, batchSize, parents] = await Promise.all([
    endsOf(client, approval, isInterrupt),
    call && sizeOfBatch(client, approval, call),
    call ? parentsOf(client, approval, call) : [],
  ]);
  return { ...found, parents, ends, ...defined({ batchSize }) };
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

/** @returns the calls that a denial would end; none if the approval was answered meanwhile. */
async function endsOf(
  client: Client,
  { id, workspace }: ApprovalAnswer,
  isInterrupt: boolean,
): Promise<readonly CallAnswer[]> {
  const path = `/v1/approvals/${encodeURIComponent(id)}/denial`;
  const { items } = await client.get(path, foreseen, { workspace, interrupt: String(isInterrupt) });
  return items
    .filter(({ entity, to }) => entity === "toolcall" && endsByDenial(to))
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
