// Reading
// Translates hook payloads into inputs, for agents other than Claude Code. The payloads of these agents have one form in common.
//
//   Owns:          the names and fields of the agents' events; which hooks request an approval.
//   Does not own:  the differences between agents (their profiles), journalling, matching events with calls, the clock.
//   Decided in:    docs/decisions/0078-hooks-of-other-agents.md.
//
// AGENT-HOOKS-READING-1. Translation is pure: the same payload always gives the same inputs.
// AGENT-HOOKS-READING-2. An unknown event becomes an input `unknown` with the event's name.
// AGENT-HOOKS-READING-3. If an agent's events name no call id, the engine finds an event's call by tool and input. If several
//     calls fit, the engine marks the call that it chose as ambiguous.
// AGENT-HOOKS-READING-4. A hook requests an approval only if it is a PreToolUse hook that waits, and its payload has an input.

import { defined } from "../../machines/defined.ts";
import type { AgentId, ApprovalId } from "../../machines/ids.ts";
import type { CallRef, SourceInput } from "../../machines/inputs.ts";
import type { ClientProfile } from "../../runtime/client-profile.ts";
import { canonicalText, givenInput } from "../../runtime/canonical.ts";
import type { GateNote } from "../../runtime/door/gate-terms.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import {
  child,
  type Fields,
  fieldsOf,
  named,
  optionalId,
  optionalText,
  optionalTime,
  pathOf,
  requiredId,
  requiredName,
} from "../../runtime/foreign-fields.ts";
import { digestId } from "../../runtime/foreign-id.ts";

export interface Dialect {
  /** The agent's name, without a version: the payloads do not contain the agent's version. */
  readonly client: string;
  /** The field with the id of an event's prompt; undefined if the agent's events have no such field. */
  readonly prompt?: string;
  /** Signalbox's name for each tool that has another name in this agent, but the same input. */
  readonly tools: Readonly<Record<string, string>>;
  readonly output: (event: Fields) => unknown;
}

interface HookEvent {
  readonly fields: Fields;
  readonly base: { readonly promptId?: string; readonly agentId?: AgentId; readonly observedAt?: number };
  readonly dialect: Dialect;
}

/** @throws RefusedError if the payload names no session. */
function placeOf(payload: unknown): { readonly sessionId: string; readonly cwd?: string } {
  const fields = fieldsOf(payload);
  return { sessionId: requiredId(fields, "session_id"), ...defined({ cwd: optionalText(fields, "cwd") }) };
}

export function readingOf(
  name: string,
  dialect: Dialect,
): Pick<ClientProfile, "name" | "translators" | "hook"> {
  const type = `${name}.hook`;
  return {
    name,
    translators: { [type]: (data) => inputsOf(data, dialect) },
    hook: { type, eventField: "hook_event_name", sessionField: "session_id", read: placeOf },
  };
}

/**
 * Reads a hook's message. Its field `hook` is the payload. `gate`, only from a hook that waits, says how long the hook waits, or
 * how it answered without the engine. `gated`, only from an observing hook, says which calls the gate's hook holds.
 * @throws RefusedError
 */
function inputsOf(data: unknown, dialect: Dialect): readonly SourceInput[] {
  const { hook, gate, gated } = data as {
    readonly hook: unknown;
    readonly gate?: GateNote;
    readonly gated?: "all" | "permission";
  };
  const fields = fieldsOf(hook);
  const name = requiredName(fields, "hook_event_name");
  const event = { fields, base: baseOf(fields, dialect), dialect };
  if (gate) return asked(event, name, gate);
  const said = EVENTS.get(name)?.(event) ?? [{ ...event.base, ...unknown(name) }];
  return gated === undefined ? said : said.map((input): SourceInput => ({ ...input, gated }));
}

const baseOf = (fields: Fields, { prompt }: Dialect): HookEvent["base"] =>
  defined({
    promptId: prompt === undefined ? undefined : optionalId(fields, prompt),
    agentId: optionalId(fields, "agent_id") as AgentId | undefined,
    observedAt: optionalTime(fields, "timestamp"),
  });

const EVENTS: ReadonlyMap<string, (event: HookEvent) => readonly SourceInput[]> = new Map([
  ["SessionStart", sessionStart],
  ["SessionEnd", sessionEnd],
  ["UserPromptSubmit", userPromptSubmit],
  ["PreToolUse", preToolUse],
  ["PostToolUse", postToolUse],
  ["PostToolUseFailure", postToolUseFailure],
  ["Stop", stop],
]);

const REASONS = ["startup", "resume", "fork", "clear", "compact"] as const;

function sessionStart({ base, fields, dialect }: HookEvent): readonly SourceInput[] {
  const source = optionalText(fields, "source");
  const reason = source === "new" ? "startup" : (REASONS.find((each) => each === source) ?? "other");
  const facts = defined({
    cwd: optionalText(fields, "cwd"),
    model: optionalText(fields, "model"),
    title: optionalText(fields, "title"),
    client: dialect.client,
  });
  return [{ type: "session.started", ...base, reason, ...facts }];
}

function sessionEnd({ base, fields }: HookEvent): readonly SourceInput[] {
  return [{ type: "session.ended", ...base, ...defined({ reason: optionalText(fields, "reason") }) }];
}

/** A prompt without an id gets an id made of session, time and text: a user may give the same text twice. */
function userPromptSubmit({ base, fields }: HookEvent): readonly SourceInput[] {
  const text = requiredText(fields, "prompt");
  const parts = [requiredId(fields, "session_id"), optionalText(fields, "timestamp") ?? "", text];
  return [{ type: "prompt.submitted", ...base, promptId: base.promptId ?? digestId("p_", parts), text }];
}

function preToolUse(event: HookEvent): readonly SourceInput[] {
  return [{ type: "tool.started", ...event.base, call: callOf(event) }];
}

function postToolUse(event: HookEvent): readonly SourceInput[] {
  const output = shown(event.dialect.output(event.fields));
  return [{ type: "tool.finished", ...event.base, call: callOf(event), ...defined({ output }) }];
}

function postToolUseFailure(event: HookEvent): readonly SourceInput[] {
  const error = shown(event.fields.values["error"]) ?? "";
  return [{ type: "tool.failed", ...event.base, call: callOf(event), error }];
}

function stop({ base, fields }: HookEvent): readonly SourceInput[] {
  const error = optionalText(fields, "error");
  if (error !== undefined) return [{ type: "turn.stopped", ...base, outcome: "failed", error }];
  const output = optionalText(fields, "last_assistant_message");
  return [{ type: "turn.stopped", ...base, outcome: "completed", ...defined({ output }) }];
}

/** The approval that a waiting hook requests (AGENT-HOOKS-READING-4). @throws RefusedError */
function asked(event: HookEvent, name: string, gate: GateNote): readonly SourceInput[] {
  const { base, fields } = event;
  const approvalId = gate.approvalId as ApprovalId;
  if ("answered" in gate) return [{ type: "approval.lapsed", ...base, approvalId, said: gate.answered }];
  if (name !== "PreToolUse") throw cannotWait(name);
  child(fields, "tool_input");
  const { deadlineAt, onDeadline } = gate;
  const approval: SourceInput = {
    type: "approval.requested",
    ...base,
    approvalId,
    call: callOf(event),
    channel: "gate",
    ...defined({ deadlineAt, onDeadline }),
  };
  return [...preToolUse(event), approval];
}

function callOf({ fields, dialect }: HookEvent): CallRef {
  const tool = requiredName(fields, "tool_name");
  const input = fields.values["tool_input"];
  return {
    tool: Object.hasOwn(dialect.tools, tool) ? (dialect.tools[tool] ?? tool) : tool,
    ...defined({
      toolUseId: optionalId(fields, "tool_use_id"),
      input: input === undefined ? undefined : named(pathOf(fields, "tool_input"), () => givenInput(input)),
    }),
  };
}

/** The text of a field. A text that was cut before it was stored has the form `{bytes, sha256, head}`. */
function requiredText(fields: Fields, key: string): string {
  const text = shown(fields.values[key]);
  if (text === undefined) throw missing(key);
  return text;
}

function shown(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  const head: unknown =
    typeof value === "object" && "sha256" in value && "head" in value ? value.head : undefined;
  return typeof head === "string" ? head : canonicalText(value);
}

const NAME_LENGTH = 80;
const unknown = (name: string) => ({ type: "unknown", name: name.slice(0, NAME_LENGTH) }) as const;

const missing = (key: string): RefusedError =>
  new RefusedError("WRONG_SHAPE", `${key} is not a text.`, "Send the payload as the agent wrote it.", key);

const cannotWait = (name: string): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `A ${name} hook does not ask for an answer, so it cannot wait for one.`,
    "Only PreToolUse may wait.",
    "hook_event_name",
  );
