// Cascade
// Decides which other calls a denial denies.
//
//   Owns:          which calls each of the three cascade policies denies: `strict`, `interrupt` and `none`.
//   Does not own:  delivering the denials that another denial causes (router), confirming these denials (tool-call).
//   Decided in:    docs/decisions/0008-shown-is-done.md.
//
// I-10. Under the policy `strict`, denying one call of a batch denies exactly the later calls of the batch that are not closed.
// I-11. Under `strict`, a later call of the denied call's batch that is first seen after the denial is denied as soon as it is
//     seen.
// I-13. Every cascaded denial names the call whose denial caused it.
// C4. Under the policy `interrupt`, only a denial that asks for an interrupt cascades: to every open call of the request, except
//       calls of background agents. An open call is denied if its approval is pending, or if it comes after the denied call in
//       the same message and was not seen to start. Every other open call counts as interrupted, because nobody knows whether it
//       ran. Under the policy `none`, no denial cascades.

import {
  type AgentBook,
  agentOf,
  approvals,
  type BatchBook,
  batches,
  type CallBook,
  calls,
  head,
} from "./books.ts";
import { callOfUse } from "./matching/correlation.ts";
import { all } from "./queues/deque.ts";
import { type AgentId, type CallId, MAIN_AGENT } from "./ids.ts";
import type { Records } from "./records.ts";
import { type CascadePolicy, type Denial, isTentative } from "./facts/call-facts.ts";
import { defined } from "./defined.ts";

function spreads(policy: CascadePolicy, denial: Denial): boolean {
  // An inferred denial may be taken back, so it causes no denials of other calls.
  if (denial.cause === "cascade" || isTentative(denial)) return false;
  switch (policy) {
    case "strict":
      return true;
    case "interrupt":
      return denial.interrupt === true;
    case "none":
      return false;
  }
}

/** @param revisable true if the call may have run before the call `causedBy` was denied. */
function follows(causedBy: CallId, denial: Denial, revisable: boolean): Denial {
  return {
    cause: "cascade",
    callId: causedBy,
    ...defined({ approvalId: denial.approvalId, message: denial.message }),
    predicted: true,
    ...(revisable && { revisable }),
  };
}

/** What a denial does to another call: it is denied as well, or counts as interrupted, so that its true end is unknown. */
export type Fall = { readonly denial: Denial } | "interrupted";

function isHeldBack(records: Records, { approvalId, hadPre }: CallBook, isBehind: boolean): boolean {
  if (approvalId !== undefined && approvals.get(records, approvalId)?.pending) return true;
  return isBehind && !hadPre;
}

/**
 * The agents whose calls a denial may reach: only the agent `denied`, whose call was denied; under `interrupt`, the main agent
 * and all subagents that it waits for, but no agent at all if `denied` is not one of these.
 */
function scopeOf(records: Records, policy: CascadePolicy, denied: AgentId): readonly AgentBook[] {
  if (policy !== "interrupt") return [agentOf(records, denied)];
  const known = new Map([[MAIN_AGENT, true]]);
  if (!isWaitedFor(records, denied, known)) return [];
  const listed = [...all(records, "agents", head(records).agents)];
  const waitedFor = listed.filter((id) => isWaitedFor(records, id, known));
  return [MAIN_AGENT, ...waitedFor].map((id) => agentOf(records, id));
}

/**
 * True if the call that started this agent, and the calls that started all agents above it, are open.
 * @param known the results for the agents checked so far.
 */
function isWaitedFor(records: Records, id: AgentId, known: Map<AgentId, boolean>): boolean {
  const below: AgentId[] = [];
  let at: AgentId | undefined = id;
  while (at !== undefined && !known.has(at)) {
    // The entry `false` ends this loop if agents name each other as parents in a circle. No agent of such a circle counts as
    // waited for (I-47).
    known.set(at, false);
    below.push(at);
    at = waiter(records, at);
  }
  const answer = at !== undefined && known.get(at) === true;
  for (const each of below) known.set(each, answer);
  return answer;
}

function waiter(records: Records, id: AgentId): AgentId | undefined {
  const { parentToolUseId: use } = agentOf(records, id);
  const parent = use === undefined ? undefined : callOfUse(records, use);
  const call = parent === undefined ? undefined : calls.get(records, parent);
  return call === undefined || call.stage === "closed" ? undefined : call.agentId;
}

/**
 * @returns the calls that are denied or interrupted because `callId` is denied, in order. Also stores the denial with the
 * batch, for `fallOnArrival`.
 */
export function cascade(
  records: Records,
  policy: CascadePolicy,
  callId: CallId,
  call: CallBook,
  denial: Denial,
): readonly (readonly [CallId, Fall])[] {
  if (!spreads(policy, denial)) return [];
  const scope = scopeOf(records, policy, call.agentId);
  if (scope.length === 0) return [];
  const batch = batches.get(records, call.batchId);
  if (batch && !batch.denial) {
    const { index } = call;
    batches.set(records, call.batchId, { ...batch, denial: { callId, index, denial, policy } });
  }
  const falls: (readonly [CallId, Fall])[] = [];
  for (const agent of scope) {
    for (const id of all(records, `agent/${agent.id}/open`, agent.open)) {
      const other = calls.get(records, id);
      if (!other || id === callId) continue;
      const isBehind = other.batchId === call.batchId && other.index > call.index;
      if (policy !== "interrupt") {
        if (isBehind) falls.push([id, { denial: follows(callId, denial, other.hadPre) }]);
      } else if (other.requestId === call.requestId && !other.deferred) {
        const isDenied = isHeldBack(records, other, isBehind);
        falls.push([id, isDenied ? { denial: follows(callId, denial, true) } : "interrupted"]);
      }
    }
  }
  return falls;
}

/** @param announcedBy the channel that announces the new call. Calls that it announced earlier come before the new call. */
export function fallOnArrival(
  records: Records,
  batch: BatchBook | undefined,
  index: number,
  announcedBy: string | undefined,
): Fall | undefined {
  const denied = batch?.denial;
  if (!denied) return undefined;
  const { callId, denial, policy = "strict" } = denied;
  if (policy !== "interrupt")
    return index > denied.index ? { denial: follows(callId, denial, false) } : undefined;
  const isBehind =
    announcedBy !== undefined && calls.get(records, callId)?.announcedBy?.includes(announcedBy) === true;
  return isBehind ? { denial: follows(callId, denial, true) } : "interrupted";
}
