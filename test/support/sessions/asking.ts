// Asking
// Calls, approvals and answers as inputs, in a line each.
//
//   Owns:          the inputs; which calls a run's approvals were bound to.
//   Does not own:  playing them (session run).

import type { ApprovalId, CallRef, Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { type RunOptions, SessionRun } from "./session-run.ts";

export const call = (command: string, toolUseId?: string, tool = "Bash"): CallRef => ({
  tool,
  input: toolInput({ command }),
  ...(toolUseId !== undefined && { toolUseId }),
});
export const announced = (ref: CallRef): Input => ({ type: "tool.announced", call: ref });
export const started = (ref: CallRef): Input => ({ type: "tool.started", call: ref });
export const asked = (ref: CallRef, channel = "hook", id?: string): Input => ({
  type: "approval.requested",
  call: ref,
  channel,
  ...(id !== undefined && { approvalId: id as ApprovalId }),
});
export const answered = (ref: CallRef, decision: "approve" | "deny", id?: string): Input => ({
  type: "approval.answered",
  call: ref,
  decision,
  by: "terminal",
  ...(id !== undefined && { approvalId: id as ApprovalId }),
});
export const decided = (id: string, decision: "approve" | "deny", command: string): Input => ({
  type: "decision",
  approvalId: id as ApprovalId,
  decision,
  by: "local:ann",
  inputHash: toolInput({ command }).hash,
});

export const none = (options: RunOptions = {}) => new SessionRun({ policy: { cascade: "none" }, ...options });
export const bound = (run: SessionRun) => run.approvals.map(({ context }) => context.callId);
