// Transcript
// Translates a transcript line of a session's main agent or of a subagent.
//
//   Owns:          the types and fields of transcript lines.
//   Does not own:  finding and reading the file; intents that are in other lines than their calls; journalling, matching events
//                  with calls, the clock.
//
// TRANSCRIPT-1. Translation is pure: the same line always gives the same inputs.
// TRANSCRIPT-2. A line of an unknown type becomes an input `unknown` with the type's name; so does a line of the type
//     `api-request-blob`, which only repeats other lines.
// TRANSCRIPT-3. A subagent's line never counts as a prompt of the main agent, nor as the end of the main agent's work on a
//     prompt.

import { defined } from "../../machines/defined.ts";
import { type AgentId, isId } from "../../machines/ids.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { type ToolResultBlock, toolUses, userContent, withWords } from "./blocks.ts";
import { agentOf, callRef, linkOfResult } from "./call-ref.ts";
import {
  child,
  type Fields,
  fieldsOf,
  optionalAmount,
  optionalId,
  optionalText,
  optionalTime,
  requiredId,
  requiredName,
} from "../../runtime/foreign-fields.ts";
import { derivedPromptId, isInterruption, isLocalCommand, isSynthetic, promptSubmitted } from "./prompts.ts";
import { permissionOf, resultInputs } from "./tool-result.ts";
import { isBeforeRun, wordedIn } from "./told.ts";
import { clientOf, type Translated, unknown } from "./translated.ts";

/** @param line one line, parsed. @throws RefusedError naming the field, if a line of a known type has the wrong shape. */
export function translateTranscriptLine(line: unknown): Translated {
  const fields = fieldsOf(line);
  const name = lineName(fields);
  const translate = LINES.get(name);
  const sessionId = translate ? requiredId(fields, "sessionId") : optionalId(fields, "sessionId");
  const inputs = placed(fields, translate?.(fields) ?? [unknown(name)]);
  return defined({ sessionId, cwd: optionalText(fields, "cwd"), inputs });
}

function placed({ values }: Fields, inputs: readonly SourceInput[]): readonly SourceInput[] {
  const { uuid } = values;
  if (typeof uuid !== "string" || !isId(uuid)) return inputs;
  return inputs.map((input) => {
    if (input.type === "agent.said") return { ...input, line: uuid };
    if (input.type !== "tool.announced" || !input.intent) return input;
    return { ...input, intent: { ...input.intent, line: uuid } };
  });
}

function lineName(line: Fields): string {
  const type = requiredName(line, "type");
  const detail =
    type === "attachment" ? requiredName(child(line, "attachment"), "type") : optionalText(line, "subtype");
  return detail === undefined ? type : `${type}/${detail}`;
}

type Translate = (line: Fields) => readonly SourceInput[];

const LINES: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ["assistant", (line) => withWords(line, assistant(line))],
  ["user", user],
  ["system/stop_hook_summary", turnEnd],
  ["system/turn_duration", turnEnd],
  ["attachment/hook_permission_decision", hookDecision],
  ["attachment/hook_deferred_tool", hookDeferral],
]);

const baseOf = (line: Fields) =>
  defined({
    agentId: agentOf(line, "agentId"),
    promptId: optionalId(line, "promptId"),
    observedAt: optionalTime(line, "timestamp"),
  });

const ofSubagent = (line: Fields): boolean => line.values["isSidechain"] === true;

/**
 * True for a subagent's line that does not name the subagent. Such a line ends no agent's turn, because nobody knows which
 * subagent wrote it.
 */
const isNobodys = (line: Fields, base: { readonly agentId?: AgentId }): boolean =>
  ofSubagent(line) && base.agentId === undefined;

function assistant(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const calls = toolUses(line);
  if (calls.length === 0)
    return endsTurn(line) ? turnEnd(line) : [{ ...base, type: "unknown", name: "assistant" }];
  const blockIndex = optionalAmount(line, "apiBlockIndex");
  return calls.map((toolUse) => defined({ ...base, type: "tool.announced", ...toolUse, blockIndex }));
}

/** True if the line says that the turn (the agent's work on one prompt) is over. Many transcripts say this in no other line. */
const endsTurn = (line: Fields): boolean => child(line, "message").values["stop_reason"] === "end_turn";

function user(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const { results, text } = userContent(line);
  const inputs = results.flatMap((block) => resultOf(line, block, results.length === 1));
  if (isInterruption(text) && !isNobodys(line, base)) {
    return [...inputs, { ...base, type: "turn.stopped", outcome: "interrupted" }];
  }
  return inputs.length > 0 ? inputs : prompt(line, text);
}

function prompt(line: Fields, text: string): readonly SourceInput[] {
  const base = baseOf(line);
  const meta = line.values["isMeta"] === true;
  const noPrompt = ofSubagent(line) || isLocalCommand(text) || line.values["isCompactSummary"] === true;
  if (noPrompt || (meta && base.promptId === undefined)) return [{ ...base, type: "unknown", name: "user" }];
  const promptId = base.promptId ?? derivedPromptId(requiredId(line, "sessionId"), text);
  return [promptSubmitted({ ...base, promptId }, text, meta || isSynthetic(text)), noted(line, base)];
}

/** What the line says about the session. If there is no repository or no branch, the client writes `HEAD` as the branch. */
function noted(line: Fields, base: object): SourceInput {
  const branch = optionalText(line, "gitBranch");
  const onBranch = branch === "HEAD" ? undefined : branch;
  return defined({
    ...base,
    type: "session.noted",
    cwd: optionalText(line, "cwd"),
    branch: onBranch,
    client: clientOf(optionalText(line, "version")),
  });
}

/** @param alone true if this is the line's only result. Only then are the line's remarks sure to be about this result. */
function resultOf(line: Fields, block: ToolResultBlock, alone: boolean): readonly SourceInput[] {
  const base = baseOf(line);
  const { toolUseId, isError, text: shown } = block;
  if (toolUseId === undefined) return [{ ...base, type: "unknown", name: "tool_result without an id" }];
  const remarks = alone ? remarksOn(line, isError, shown) : {};
  const inputs = resultInputs(defined({ call: { toolUseId }, isError, text: shown, ...remarks }), base);
  const link = alone ? linkOfResult(line, "toolUseResult", toolUseId) : undefined;
  return link ? [{ ...base, ...link }, ...inputs] : inputs;
}

/** The result that older clients write for a call that was not allowed, and for no other call. */
const REJECTED = "User rejected tool use";

function remarksOn(line: Fields, isError: boolean, shown: string | undefined) {
  const permission = permissionOf(line, "permissionDecision");
  const kind = optionalText(line, "toolDenialKind");
  const terminal = line.values["entrypoint"] === "cli" ? (true as const) : undefined;
  if (kind === undefined && isError && line.values["toolUseResult"] === REJECTED)
    return { kind: "user-rejected", permission, terminal, unmarked: true as const };
  const isSaid = kind !== undefined || permission !== undefined;
  const version = optionalText(line, "version");
  const worded =
    isError && !isSaid && shown !== undefined
      ? wordedIn(shown, line.values["toolUseResult"], version)
      : undefined;
  const beforeRun = isBeforeRun(line.values["toolDenialBeforeRun"], version);
  return { kind, permission, terminal, worded, beforeRun };
}

function turnEnd(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  if (isNobodys(line, base)) return [{ ...base, type: "unknown", name: lineName(line) }];
  return [{ ...base, type: "turn.stopped", outcome: "completed" }];
}

function hookDecision(line: Fields): readonly SourceInput[] {
  const base = baseOf(line);
  const attachment = child(line, "attachment");
  const toolUseId = optionalId(attachment, "toolUseID");
  const allowed = attachment.values["decision"] === "allow";
  if (toolUseId === undefined || (!allowed && attachment.values["decision"] !== "deny")) {
    return [{ ...base, type: "unknown", name: lineName(line) }];
  }
  const reason = optionalText(attachment, "hookEvent");
  const decision = allowed ? "accept" : "reject";
  return [
    defined({ ...base, type: "tool.permission", call: { toolUseId }, decision, source: "hook", reason }),
  ];
}

function hookDeferral(line: Fields): readonly SourceInput[] {
  const keys = { toolUseId: "toolUseID", tool: "toolName", input: "toolInput" };
  return [{ ...baseOf(line), type: "tool.deferred", call: callRef(child(line, "attachment"), keys) }];
}
