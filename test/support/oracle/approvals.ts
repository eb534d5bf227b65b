// Oracle: questions
// Which call each approval of a recording is about, and how it was answered.
//
//   Owns:          the proof: the id if the route tells it, else the only call it can be.
//   Does not own:  how the engine matches.
//
// ORACLE-APPROVALS-1. An approval whose route names no call is proven to be about a call only if no other call matches:
//     same session, same agent, same tool, equal input, begun and without a result at that moment.

import { isDeepStrictEqual } from "node:util";
import { at, textAt } from "../engine/json.ts";
import type { Line, Recording } from "../sessions/recording.ts";

export interface Question {
  readonly channel: "hook" | "sdk" | "mcp";
  /** In the file of its route, from 1. */
  readonly line: number;
  /** Absent on routes that do not tell it. */
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly tool: string;
  readonly input: unknown;
  /** Absent if more than one call matches. */
  readonly toolUseId?: string;
  readonly candidates: readonly string[];
  /** Absent if the route does not show one: the answer then came over another route. */
  readonly answer?: "allow" | "deny";
  readonly interrupt?: true;
}

export function questionsOf(recording: Recording): readonly Question[] {
  return [...hookQuestions(recording.hooks.lines), ...sdkQuestions(recording), ...mcpQuestions(recording)];
}

function hookQuestions(lines: readonly Line[]): readonly Question[] {
  return lines.flatMap(({ number, value }, index) => {
    const payload = at(value, "payload");
    if (textAt(payload, "hook_event_name") !== "PermissionRequest") return [];
    const candidates = openCalls(lines.slice(0, index), payload);
    const output: unknown = JSON.parse(textAt(value, "answer") ?? "{}");
    const decision = at(output, "hookSpecificOutput", "decision");
    return {
      channel: "hook" as const,
      line: number,
      ...optional("sessionId", textAt(payload, "session_id")),
      ...optional("agentId", textAt(payload, "agent_id")),
      ...asked(payload, "tool_name", "tool_input"),
      ...proven(candidates),
      ...answered(decision),
    };
  });
}

/** ORACLE-APPROVALS-1 */
function openCalls(before: readonly Line[], question: unknown): readonly string[] {
  const open = new Set<string>();
  for (const { value } of before) {
    const payload = at(value, "payload");
    const id = textAt(payload, "tool_use_id") ?? "";
    const event = textAt(payload, "hook_event_name");
    if (event === "PostToolUse" || event === "PostToolUseFailure") open.delete(id);
    const alike = ["session_id", "agent_id", "tool_name", "tool_input"].every((key) =>
      isDeepStrictEqual(at(payload, key), at(question, key)),
    );
    if (event === "PreToolUse" && alike) open.add(id);
  }
  return [...open];
}

function sdkQuestions({ canUseTool }: Recording): readonly Question[] {
  return canUseTool.lines.flatMap(({ number, value }) => {
    const ask = at(value, "ask");
    const id = textAt(ask, "options", "toolUseID");
    if (id === undefined) return [];
    const answer = canUseTool.lines.find((line) => textAt(line.value, "for") === id);
    return {
      channel: "sdk" as const,
      line: number,
      ...asked(ask, "tool_name", "input"),
      ...proven([id]),
      ...answered(at(answer?.value, "answer")),
    };
  });
}

function mcpQuestions({ mcp }: Recording): readonly Question[] {
  return mcp.lines.flatMap(({ number, value }) => {
    const ask = at(value, "in", "params", "arguments");
    const id = textAt(ask, "tool_use_id");
    if (id === undefined) return [];
    const answer = mcp.lines.find((line) => at(line.value, "out", "id") === at(value, "in", "id"));
    const text = textAt(answer?.value, "out", "result", "content", 0, "text") ?? "{}";
    return {
      channel: "mcp" as const,
      line: number,
      ...asked(ask, "tool_name", "input"),
      ...proven([id]),
      ...answered(JSON.parse(text)),
    };
  });
}

const asked = (from: unknown, tool: string, input: string) => ({
  tool: textAt(from, tool) ?? "",
  input: at(from, input),
});

const proven = (candidates: readonly string[]) => ({
  candidates,
  ...(candidates.length === 1 && optional("toolUseId", candidates[0])),
});

function answered(decision: unknown): Pick<Question, "answer" | "interrupt"> {
  const behavior = textAt(decision, "behavior");
  if (behavior !== "allow" && behavior !== "deny") return {};
  return { answer: behavior, ...(at(decision, "interrupt") === true && { interrupt: true as const }) };
}

const optional = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: string };
