// Workload
// What a client says during a call, as the engine is told it.
//
//   Owns:          the payloads: real field names, an input of about 200 bytes, fresh ids.
//   Does not own:  who is told (an engine, the machines alone, HTTP).

import type { ApprovalId, RequestId, SessionId, SourceInput, WorkspaceId } from "../machines/index.ts";
import { toolInput } from "../runtime/canonical.ts";
import type { OwnMessage, SourceMessage } from "../runtime/message.ts";

export const WORKSPACE = "bench" as WorkspaceId;

export const sessionId = (n: number): SessionId => `session-${n}` as SessionId;

/** About what a Bash call says: 200 bytes. */
export const inputOf = (n: number): Readonly<Record<string, unknown>> => ({
  command: `grep -rn "needle ${n}" packages/app/src packages/lib/src --include=*.ts | head -50`,
  description: "Look for the places that still use the old name",
  timeout: 120_000,
});

interface Hook {
  readonly hook_event_name: string;
  readonly [field: string]: unknown;
}

let sent = 0;

function hook(session: SessionId, fields: Hook): SourceMessage {
  sent += 1;
  const payload = {
    session_id: session,
    transcript_path: `/home/someone/.claude/projects/app/${session}.jsonl`,
    cwd: "/home/someone/app",
    prompt_id: `prompt-${session}`,
    permission_mode: "default",
    ...fields,
  };
  return {
    door: "in",
    workspace: WORKSPACE,
    session,
    id: `hook-${sent}`,
    source: "bench",
    type: "claude-code.hook",
    data: { hook: payload },
  };
}

export const prompt = (session: SessionId): SourceMessage =>
  hook(session, { hook_event_name: "UserPromptSubmit", prompt: "Find what still uses the old name." });

export const ended = (session: SessionId): SourceMessage =>
  hook(session, { hook_event_name: "SessionEnd", reason: "other" });

export const pre = (session: SessionId, n: number): SourceMessage =>
  hook(session, {
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: inputOf(n),
    tool_use_id: `toolu_${session}_${n}`,
  });

export const post = (session: SessionId, n: number): SourceMessage =>
  hook(session, {
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: inputOf(n),
    tool_use_id: `toolu_${session}_${n}`,
    tool_response: { stdout: `packages/app/src/main.ts:${n}: needle`, stderr: "", interrupted: false },
    duration_ms: 31,
  });

/** The same call as inputs of the machines: what the translators make of `pre` and `post`. */
export function callInputs(session: SessionId, n: number): readonly SourceInput[] {
  const call = { toolUseId: `toolu_${session}_${n}`, tool: "Bash", input: toolInput(inputOf(n)) };
  const promptId = `prompt-${session}`;
  return [
    { type: "tool.started", call, promptId },
    {
      type: "tool.finished",
      call,
      promptId,
      output: `packages/app/src/main.ts:${n}: needle`,
      durationMs: 31,
    },
  ];
}

const gateway = (session: SessionId, type: string, data: object): SourceMessage => {
  sent += 1;
  return { door: "in", workspace: WORKSPACE, session, id: `gateway-${sent}`, source: "bench", type, data };
};

export const requestId = (n: number): RequestId => `request-${n}` as RequestId;

export const created = (n: number): SourceMessage =>
  gateway(sessionId(n), "request.created", {
    requestId: requestId(n),
    chatId: n,
    prompt: "Find what still uses the old name.",
  });

export const processing = (n: number): SourceMessage =>
  gateway(sessionId(n), "request.processing", { requestId: requestId(n) });

export const completed = (n: number): SourceMessage =>
  gateway(sessionId(n), "request.completed", { requestId: requestId(n), output: "done" });

export const asked = (session: SessionId, n: number): SourceMessage =>
  gateway(session, "approval.requested", {
    approvalId: `approval-${session}-${n}`,
    toolUseId: `toolu_${session}_${n}`,
    tool: "Bash",
    input: inputOf(n),
    channel: "gateway",
  });

export const decided = (session: SessionId, n: number): OwnMessage => ({
  door: "own",
  workspace: WORKSPACE,
  session,
  said: {
    type: "decision",
    approvalId: `approval-${session}-${n}` as ApprovalId,
    decision: "approve",
    inputHash: toolInput(inputOf(n)).hash,
    by: "local:bench",
  },
});
