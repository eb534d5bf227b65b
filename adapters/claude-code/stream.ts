// Stream
// Translates a line of `--output-format stream-json` (or a message of the Agent SDK).
//
//   Owns:          the types and fields of stream lines; how the client says that the work on a prompt ended, and how many
//                  tokens it took.
//   Does not own:  splitting the stream into lines; journalling, matching events with calls, the clock.
//
// STREAM-1. Translation is pure: the same line always gives the same inputs.
// STREAM-2. A line of an unknown type becomes an input `unknown` with the type's name.

import { defined } from "../../machines/defined.ts";
import type { AgentId } from "../../machines/ids.ts";
import type { SourceInput, TurnStopped } from "../../machines/inputs.ts";
import { TOOL_USE, type ToolResultBlock, toolUses, userContent, withWords } from "./blocks.ts";
import { agentOf, callRef, linkOfResult } from "./call-ref.ts";
import {
  children,
  type Fields,
  fieldsOf,
  optionalAmount,
  optionalChild,
  optionalId,
  optionalName,
  optionalText,
  optionalTime,
  requiredId,
  requiredName,
} from "../../runtime/foreign-fields.ts";
import { isInterruption } from "./prompts.ts";
import { shownText } from "./texts.ts";
import { permissionOf, resultInputs } from "./tool-result.ts";
import { clientOf, type Translated, unknown } from "./translated.ts";

/** @param line one line, parsed. @throws RefusedError naming the field, if a line of a known type has the wrong shape. */
export function translateStreamLine(line: unknown): Translated {
  const fields = fieldsOf(line);
  const type = requiredName(fields, "type");
  const subtype = type === "system" ? optionalText(fields, "subtype") : undefined;
  const name = subtype === undefined ? type : `${type}/${subtype}`;
  const translate = LINES.get(name);
  const sessionId = translate ? requiredId(fields, "session_id") : optionalId(fields, "session_id");
  const inputs = translate?.(fields) ?? [unknown(name)];
  return defined({ sessionId, cwd: optionalText(fields, "cwd"), inputs });
}

type Translate = (line: Fields) => readonly SourceInput[];

const LINES: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ["assistant", (line) => withWords(line, assistant(line))],
  ["user", user],
  ["result", result],
  ["system/init", init],
  ["system/permission_denied", permissionDenied],
  ["system/task_started", taskStarted],
]);

const baseOf = (line: Fields) =>
  defined({
    agentId: agentOf(line, "agent_id"),
    parentToolUseId:
      line.values["parent_tool_use_id"] === null ? undefined : optionalId(line, "parent_tool_use_id"),
    observedAt: optionalTime(line, "timestamp"),
  });

function init(line: Fields): readonly SourceInput[] {
  const [cwd, model] = [optionalText(line, "cwd"), optionalText(line, "model")];
  const client = clientOf(optionalText(line, "claude_code_version"));
  return [defined({ type: "session.noted", cwd, model, client })];
}

function assistant(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const calls = toolUses(line);
  if (calls.length === 0) return [{ ...base, type: "unknown", name: "assistant" }];
  return calls.map((toolUse) => defined({ ...base, type: "tool.announced", ...toolUse }));
}

function user(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const { results, text } = userContent(line);
  const inputs = results.flatMap((block) => resultOf(line, block, base));
  if (isInterruption(text)) return [...inputs, { ...base, type: "turn.stopped", outcome: "interrupted" }];
  return inputs.length > 0 ? inputs : [{ ...base, type: "unknown", name: "user" }];
}

function resultOf(line: Fields, block: ToolResultBlock, base: object): readonly SourceInput[] {
  const { toolUseId, isError, text } = block;
  if (toolUseId === undefined) return [{ ...base, type: "unknown", name: "tool_result without an id" }];
  const meta = metaOf(line, toolUseId);
  const kind = meta && optionalText(meta, "non_execution_kind");
  const permission = meta && permissionOf(meta, "permission_decision");
  const inputs = resultInputs(defined({ call: { toolUseId }, isError, text, kind, permission }), base);
  const link = linkOfResult(line, "tool_use_result", toolUseId);
  return link ? [{ ...base, ...link }, ...inputs] : inputs;
}

function metaOf(line: Fields, toolUseId: string): Fields | undefined {
  const list = line.values["tool_result_meta"];
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item, index) => fieldsOf(item, `tool_result_meta[${index}]`))
    .find((meta) => optionalId(meta, "id") === toolUseId);
}

function permissionDenied(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const call = defined({ toolUseId: optionalId(line, "tool_use_id"), tool: optionalName(line, "tool_name") });
  if (call.toolUseId === undefined)
    return [{ ...base, type: "unknown", name: "permission_denied without an id" }];
  const verdict = line.values["decision_reason_type"] === "hook" ? "hook" : "rule";
  return [defined({ ...base, type: "tool.denied", call, verdict, message: shownText(line, "message") })];
}

/** The start of a task. Commands in the background are tasks, too, but only the id of an agent's task is an agent id. */
function taskStarted(line: Fields): readonly SourceInput[] {
  const ofAgent = optionalText(line, "task_type")?.endsWith("agent") === true;
  const toolUseId = optionalId(line, "tool_use_id");
  if (!ofAgent || toolUseId === undefined) return [{ type: "unknown", name: "system/task_started" }];
  return [{ type: "agent.linked", agentId: requiredId(line, "task_id") as AgentId, toolUseId }];
}

function result(line: Fields): readonly SourceInput[] {
  const deferred = optionalChild(line, "deferred_tool_use");
  const stopped = turnStopped(line, deferred !== undefined);
  if (deferred === undefined) return [...denials(line), stopped];
  return [...denials(line), { type: "tool.deferred", call: callRef(deferred, TOOL_USE) }, stopped];
}

function denials(line: Fields): readonly SourceInput[] {
  if (!Array.isArray(line.values["permission_denials"])) return [];
  return children(line, "permission_denials").flatMap((denial) => {
    const call = defined({
      toolUseId: optionalId(denial, "tool_use_id"),
      tool: optionalName(denial, "tool_name"),
    });
    return call.toolUseId === undefined ? [] : [{ type: "tool.denied", call, verdict: "listed" } as const];
  });
}

function turnStopped(line: Fields, deferred: boolean): TurnStopped {
  const outcome = deferred ? "deferred" : outcomeOf(line);
  return defined({
    type: "turn.stopped",
    outcome,
    output: shownText(line, "result"),
    model: onlyModel(line),
    tokens: tokensOf(line),
    error: outcome === "failed" ? errorOf(line) : undefined,
  });
}

function outcomeOf(line: Fields): TurnStopped["outcome"] {
  const reason = optionalText(line, "terminal_reason");
  if (reason === "tool_deferred") return "deferred";
  if (reason?.startsWith("aborted") === true) return "interrupted";
  const failed =
    line.values["is_error"] === true || optionalText(line, "subtype")?.startsWith("error") === true;
  return failed ? "failed" : "completed";
}

/**
 * The model of the turn (the agent's work on one prompt); undefined if the line names several models, because it does not say
 * which of them the main agent used.
 */
function onlyModel(line: Fields): string | undefined {
  const models = Object.keys(optionalChild(line, "modelUsage")?.values ?? {});
  return models.length === 1 ? models[0] : undefined;
}

const COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

/** How many tokens the main agent used for the prompt, including cached tokens. */
function tokensOf(line: Fields): number | undefined {
  const usage = optionalChild(line, "usage");
  if (usage === undefined) return undefined;
  return COUNTS.reduce((sum, key) => sum + (optionalAmount(usage, key) ?? 0), 0);
}

function errorOf(line: Fields): string | undefined {
  const errors = line.values["errors"];
  const texts = Array.isArray(errors) ? errors.filter((error) => typeof error === "string") : [];
  return texts.length > 0 ? texts.join("\n") : (shownText(line, "result") ?? optionalText(line, "subtype"));
}
