// Said
// The inputs that tests use most, in short form.

import type { AgentId, ApprovalId, CallRef, RequestId, SourceInput } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";

export const call = (toolUseId: string, tool = "Bash", input: unknown = { command: toolUseId }): CallRef => ({
  toolUseId,
  tool,
  input: toolInput(input),
});
/** The same without an id: it is recognised by its content. */
export const unnamed = (tool: string, input: unknown): CallRef => ({ tool, input: toolInput(input) });

export const said = {
  sessionStart: (): SourceInput => ({ type: "session.started", reason: "startup" }),
  sessionEnd: (): SourceInput => ({ type: "session.ended" }),
  prompt: (promptId: string): SourceInput => ({ type: "prompt.submitted", promptId, text: `do ${promptId}` }),
  created: (id: string, more: { timeoutAt?: number } = {}): SourceInput => ({
    type: "request.created",
    requestId: id as RequestId,
    ...more,
  }),
  queued: (id: string): SourceInput => ({ type: "request.queued", requestId: id as RequestId }),
  processing: (id: string): SourceInput => ({ type: "request.processing", requestId: id as RequestId }),
  completed: (id: string): SourceInput => ({ type: "request.completed", requestId: id as RequestId }),
  announced: (ref: CallRef): SourceInput => ({ type: "tool.announced", call: ref }),
  pre: (ref: CallRef): SourceInput => ({ type: "tool.started", call: ref }),
  post: (ref: CallRef): SourceInput => ({ type: "tool.finished", call: ref, output: "ok" }),
  stop: (): SourceInput => ({ type: "turn.stopped", outcome: "completed" }),
  agentPre: (agentId: string, ref: CallRef): SourceInput => ({
    type: "tool.started",
    call: ref,
    agentId: agentId as AgentId,
  }),
  agentLinked: (agentId: string, toolUseId: string): SourceInput => ({
    type: "agent.linked",
    agentId: agentId as AgentId,
    toolUseId,
  }),
  agentStop: (agentId: string): SourceInput => ({
    type: "turn.stopped",
    agentId: agentId as AgentId,
    outcome: "completed",
  }),
  ask: (
    approvalId: string,
    ref: CallRef,
    more: { deadlineAt?: number; onDeadline?: "deny" | "ask" } = {},
  ): SourceInput => ({
    type: "approval.requested",
    approvalId: approvalId as ApprovalId,
    call: ref,
    channel: "gateway",
    ...more,
  }),
  answered: (approvalId: string, ref: CallRef, decision: "approve" | "deny"): SourceInput => ({
    type: "approval.answered",
    approvalId: approvalId as ApprovalId,
    call: ref,
    decision,
    by: "terminal",
  }),
};
