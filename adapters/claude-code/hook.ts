// Hook
// Translates the payload that a Claude Code hook gets on standard input or over HTTP.
//
//   Owns:          the names and fields of hook events.
//   Does not own:  what a hook answered (hook-answer.ts); journalling, matching events with calls, the clock.
//
// CLAUDE-CODE-HOOK-1. Translation is pure: the same payload always gives the same inputs.
// CLAUDE-CODE-HOOK-2. An unknown event becomes an input `unknown` with the event's name.

import { defined } from "../../machines/defined.ts";
import type { AgentId } from "../../machines/ids.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { described } from "./blocks.ts";
import { agentOf, callRef, startedAgent } from "./call-ref.ts";
import {
  children,
  type Fields,
  fieldsOf,
  optionalAmount,
  optionalId,
  optionalText,
  requiredId,
  requiredName,
} from "../../runtime/foreign-fields.ts";
import { derivedPromptId, isSynthetic, promptSubmitted } from "./prompts.ts";
import { requiredText, shownText } from "./texts.ts";
import { toldOf } from "./told.ts";
import { type Translated, unknown } from "./translated.ts";

export interface HookEvent {
  readonly fields: Fields;
  readonly name: string;
  readonly sessionId: string;
  readonly base: ReturnType<typeof baseOf>;
}

const baseOf = (fields: Fields) =>
  defined({ agentId: agentOf(fields, "agent_id"), promptId: optionalId(fields, "prompt_id") });

/** @param payload one hook payload, parsed. @throws RefusedError naming the field, if a known event has the wrong shape. */
export function translateHook(payload: unknown): Translated {
  const event = hookEvent(payload);
  const cwd = optionalText(event.fields, "cwd");
  const inputs = EVENTS.get(event.name)?.(event) ?? [{ ...event.base, ...unknown(event.name) }];
  return defined({ sessionId: event.sessionId, cwd, inputs });
}

/** @throws RefusedError if the payload lacks a field that every event has. */
export function hookEvent(payload: unknown): HookEvent {
  const fields = fieldsOf(payload);
  const name = requiredName(fields, "hook_event_name");
  return { fields, name, sessionId: requiredId(fields, "session_id"), base: baseOf(fields) };
}

const HOOK_CALL = { toolUseId: "tool_use_id", tool: "tool_name", input: "tool_input" } as const;

/** The call of a tool event. @throws RefusedError if the event does not even name the tool. */
export function hookCall({ fields }: HookEvent) {
  requiredName(fields, HOOK_CALL.tool);
  return callRef(fields, HOOK_CALL);
}

type Translate = (event: HookEvent) => readonly SourceInput[];

const EVENTS: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ["SessionStart", sessionStart],
  ["SessionEnd", sessionEnd],
  ["UserPromptSubmit", userPromptSubmit],
  ["MessageDisplay", messageDisplay],
  ["PreToolUse", preToolUse],
  ["PostToolUse", postToolUse],
  ["PostToolUseFailure", postToolUseFailure],
  ["PermissionRequest", permissionRequest],
  ["PermissionDenied", permissionDenied],
  ["PostToolBatch", postToolBatch],
  ["Stop", stop],
  ["StopFailure", stopFailure],
  ["SubagentStart", subagentStart],
  ["SubagentStop", subagentStop],
]);

const REASONS = ["startup", "resume", "fork", "clear", "compact"] as const;

function sessionStart({ base, fields }: HookEvent): readonly SourceInput[] {
  const source = requiredName(fields, "source");
  return [
    defined({
      type: "session.started",
      ...base,
      reason: REASONS.find((reason) => reason === source) ?? "other",
      cwd: optionalText(fields, "cwd"),
      model: optionalText(fields, "model"),
      title: optionalText(fields, "session_title"),
    }),
  ];
}

function sessionEnd({ base, fields }: HookEvent): readonly SourceInput[] {
  return [defined({ type: "session.ended", ...base, reason: optionalText(fields, "reason") })];
}

function userPromptSubmit({ base, fields, sessionId }: HookEvent): readonly SourceInput[] {
  const text = requiredText(fields, "prompt");
  const promptId = base.promptId ?? derivedPromptId(sessionId, text);
  return [promptSubmitted({ ...base, promptId }, text, isSynthetic(text))];
}

/** The two names of the tool that starts a subagent. Older clients and `init.tools` use the second name. */
const AGENT_TOOLS: readonly (string | undefined)[] = ["Agent", "Task"];

/** A piece of the model's message that the client shows while the model still writes it. */
function messageDisplay({ base, fields }: HookEvent): readonly SourceInput[] {
  const text = optionalText(fields, "delta");
  if (text === undefined) return [{ ...base, ...unknown("MessageDisplay") }];
  const continues = (optionalAmount(fields, "index") ?? 0) > 0 ? (true as const) : undefined;
  const messageId = optionalId(fields, "message_id");
  return [defined({ type: "agent.said", ...base, text, messageId, continues })];
}

function preToolUse(event: HookEvent): readonly SourceInput[] {
  const intent = described(event.fields, HOOK_CALL.input);
  return [defined({ type: "tool.started", ...event.base, call: hookCall(event), oneByOne: true, intent })];
}

function postToolUse(event: HookEvent): readonly SourceInput[] {
  const { base, fields } = event;
  const call = hookCall(event);
  const finished = defined({
    type: "tool.finished",
    ...base,
    call,
    output: shownText(fields, "tool_response"),
    durationMs: optionalAmount(fields, "duration_ms"),
  });
  const agentId = AGENT_TOOLS.includes(call.tool) ? startedAgent(fields, "tool_response") : undefined;
  if (agentId === undefined || call.toolUseId === undefined) return [finished];
  return [{ type: "agent.linked", ...base, agentId, toolUseId: call.toolUseId }, finished];
}

function postToolUseFailure(event: HookEvent): readonly SourceInput[] {
  const error = shownText(event.fields, "error") ?? "";
  const durationMs = optionalAmount(event.fields, "duration_ms");
  return [defined({ type: "tool.failed", ...event.base, call: hookCall(event), error, durationMs })];
}

/** A request for permission names its call by tool and input only, because the client gives it no tool_use_id. */
function permissionRequest(event: HookEvent): readonly SourceInput[] {
  return [{ type: "approval.requested", ...event.base, call: hookCall(event), channel: "hook" }];
}

function permissionDenied(event: HookEvent): readonly SourceInput[] {
  const message = shownText(event.fields, "reason");
  return [defined({ type: "tool.denied", ...event.base, call: hookCall(event), verdict: "rule", message })];
}

function postToolBatch({ base, fields }: HookEvent): readonly SourceInput[] {
  const calls = children(fields, "tool_calls").map((call) => ({
    ...callRef(call, HOOK_CALL),
    ...toldOf(call, "tool_response"),
  }));
  return [{ type: "tool.batch", ...base, calls }];
}

function stop({ base, fields }: HookEvent): readonly SourceInput[] {
  const output = shownText(fields, "last_assistant_message");
  return [defined({ type: "turn.stopped", ...base, outcome: "completed", output })];
}

function stopFailure({ base, fields }: HookEvent): readonly SourceInput[] {
  const error = shownText(fields, "error_details") ?? shownText(fields, "error");
  return [defined({ type: "turn.stopped", ...base, outcome: "failed", error })];
}

function subagentStart({ base, fields }: HookEvent): readonly SourceInput[] {
  const agentId = requiredId(fields, "agent_id") as AgentId;
  const agentType = optionalText(fields, "agent_type");
  return [defined({ type: "agent.started", ...base, agentId, agentType })];
}

/** The stop of a subagent. Without an agent id it would look like the main agent's stop, so it becomes `unknown`. */
function subagentStop(event: HookEvent): readonly SourceInput[] {
  return event.base.agentId === undefined
    ? [{ type: "unknown", ...event.base, name: event.name }]
    : stop(event);
}
