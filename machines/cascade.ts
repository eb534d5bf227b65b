// Cascade
// Which other calls a denial denies.
//
//   Owns:          the three policies.
//   Does not own:  delivering the denials (router), confirming them (tool call).
//
// I-10. `strict`: denying call k of a batch denies exactly the later calls of the batch that are not closed.
// I-11. A call of that batch first seen after the denial is denied as it arrives.
// I-13. Every cascaded denial names the call it follows.
// C4.   `interrupt`: only a denial with interrupt does, and then for every open call of the request but those of
//       background agents. `none`: never.

import { type AgentBook, agentOf, type BatchBook, batches, type CallBook, calls, head } from "./books.ts";
import { callOfUse } from "./correlation.ts";
import { all } from "./deque.ts";
import { type AgentId, type CallId, MAIN_AGENT } from "./ids.ts";
import type { Records } from "./records.ts";
import type { Denial } from "./call-facts.ts";

export type CascadePolicy = "strict" | "interrupt" | "none";

/** True when a denial is to be followed by others at all. */
function spreads(policy: CascadePolicy, denial: Denial): boolean {
  if (denial.cause === "cascade") return false;
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

/** The main agent and the subagents it waits for. */
function foreground(records: Records): readonly AgentBook[] {
  const listed = [...all(records, "agents", head(records).agents)] as AgentId[];
  const waitedFor = listed.filter((id) => isWaitedFor(records, id));
  return [MAIN_AGENT, ...waitedFor].map((id) => agentOf(records, id));
}

/** True where the Agent call that started it is still open, and the same holds of whoever made that call. */
function isWaitedFor(records: Records, id: AgentId, below: readonly AgentId[] = []): boolean {
  if (id === MAIN_AGENT) return true;
  const { parentToolUseId: use } = agentOf(records, id);
  const parent = use === undefined ? undefined : callOfUse(records, use);
  const call = parent === undefined ? undefined : calls.get(records, parent);
  if (!call || call.stage === "closed" || below.includes(call.agentId)) return false;
  return isWaitedFor(records, call.agentId, [...below, id]);
}

/** The calls to deny because `callId` was, in order; also marks the batch, for calls that are seen later. */
export function cascade(
  records: Records,
  policy: CascadePolicy,
  callId: CallId,
  call: CallBook,
  denial: Denial,
): readonly CallId[] {
  if (!spreads(policy, denial)) return [];
  const scope = policy === "interrupt" ? foreground(records) : [agentOf(records, call.agentId)];
  if (!scope.some((agent) => agent.id === call.agentId)) return [];
  const batch = batches.get(records, call.batchId);
  if (batch && !batch.denial) {
    batches.set(records, call.batchId, { ...batch, denial: { callId, index: call.index, denial } });
  }
  const follow: CallId[] = [];
  for (const agent of scope) {
    for (const id of all(records, `agent/${agent.id}/open`, agent.open)) {
      const other = calls.get(records, id as CallId);
      if (!other || id === callId) continue;
      const hit =
        policy === "interrupt"
          ? other.requestId === call.requestId && !other.deferred
          : other.batchId === call.batchId && other.index > call.index;
      if (hit) follow.push(id as CallId);
    }
  }
  return follow;
}

/** The denial a call of this batch must follow when it is first seen, if any. */
export function denialOnArrival(batch: BatchBook | undefined, index: number): Denial | undefined {
  const denied = batch?.denial;
  return denied && index > denied.index ? follows(denied.callId, denied.denial) : undefined;
}
