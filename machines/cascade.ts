// Cascade
// Decides which other calls a denial denies.
//
//   Owns:          the three policies.
//   Does not own:  delivering the denials (router), confirming them (tool-call).
//   Decided in:    docs/decisions/0008-shown-is-done.md.
//
// I-10. `strict`: denying call k of a batch denies exactly the later calls of the batch that are not closed.
// I-11. A call of that batch first seen after the denial is denied as it arrives.
// I-13. Every cascaded denial names the call that it follows.
// C4.   `interrupt`: only a denial with interrupt cascades, and then to every open call of the request except those of
//       background agents. `none`: a denial never cascades.

import { type AgentBook, agentOf, type BatchBook, batches, type CallBook, calls, head } from "./books.ts";
import { callOfUse } from "./correlation.ts";
import { all } from "./deque.ts";
import { type AgentId, type CallId, MAIN_AGENT } from "./ids.ts";
import type { Records } from "./records.ts";
import type { Denial, CascadePolicy } from "./call-facts.ts";

/** True if a denial leads to other denials at all. */
function spreads(policy: CascadePolicy, denial: Denial): boolean {
  if (denial.cause === "cascade" || denial.cause === "inferred") return false;
  switch (policy) {
    case "strict":
      return true;
    case "interrupt":
      return denial.interrupt === true;
    case "none":
      return false;
  }
}

export function follows(causedBy: CallId, denial: Denial): Denial {
  return {
    cause: "cascade",
    callId: causedBy,
    ...(denial.approvalId !== undefined && { approvalId: denial.approvalId }),
    ...(denial.message !== undefined && { message: denial.message }),
    predicted: true,
  };
}

/** The agents whose calls a denial may reach: the call's own, or the main agent and the subagents it waits for. */
function scopeOf(records: Records, policy: CascadePolicy, denied: AgentId): readonly AgentBook[] {
  if (policy !== "interrupt") return [agentOf(records, denied)];
  const known = new Map([[MAIN_AGENT, true]]);
  if (!isWaitedFor(records, denied, known)) return [];
  const listed = [...all(records, "agents", head(records).agents)];
  const waitedFor = listed.filter((id) => isWaitedFor(records, id, known));
  return [MAIN_AGENT, ...waitedFor].map((id) => agentOf(records, id));
}

/**
 * True if the call that started the agent is still open, and the same is true of whoever made that call.
 * @param known the results so far: each agent is looked at once.
 */
function isWaitedFor(records: Records, id: AgentId, known: Map<AgentId, boolean>): boolean {
  const below: AgentId[] = [];
  let at: AgentId | undefined = id;
  while (at !== undefined && !known.has(at)) {
    // Agents in a circle lead back to one of themselves: nobody waits for them (I-47).
    known.set(at, false);
    below.push(at);
    at = waiter(records, at);
  }
  const answer = at !== undefined && known.get(at) === true;
  for (const each of below) known.set(each, answer);
  return answer;
}

/** The agent that waits for this one, because its call is open. */
function waiter(records: Records, id: AgentId): AgentId | undefined {
  const { parentToolUseId: use } = agentOf(records, id);
  const parent = use === undefined ? undefined : callOfUse(records, use);
  const call = parent === undefined ? undefined : calls.get(records, parent);
  return call === undefined || call.stage === "closed" ? undefined : call.agentId;
}

/** The calls to deny because `callId` was denied, in order; also marks the batch, for calls seen later. */
export function cascade(
  records: Records,
  policy: CascadePolicy,
  callId: CallId,
  call: CallBook,
  denial: Denial,
): readonly CallId[] {
  if (!spreads(policy, denial)) return [];
  const scope = scopeOf(records, policy, call.agentId);
  if (scope.length === 0) return [];
  const batch = batches.get(records, call.batchId);
  if (batch && !batch.denial) {
    batches.set(records, call.batchId, { ...batch, denial: { callId, index: call.index, denial } });
  }
  const follow: CallId[] = [];
  for (const agent of scope) {
    for (const id of all(records, `agent/${agent.id}/open`, agent.open)) {
      const other = calls.get(records, id);
      if (!other || id === callId) continue;
      const hit =
        policy === "interrupt"
          ? other.requestId === call.requestId && !other.deferred
          : other.batchId === call.batchId && other.index > call.index;
      if (hit) follow.push(id);
    }
  }
  return follow;
}

/** The denial that a call of this batch must follow when it is first seen, if any. */
export function denialOnArrival(batch: BatchBook | undefined, index: number): Denial | undefined {
  const denied = batch?.denial;
  return denied && index > denied.index ? follows(denied.callId, denied.denial) : undefined;
}
