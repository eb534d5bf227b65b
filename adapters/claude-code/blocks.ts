// Blocks
// Reads the content blocks of a message, which stream lines and transcript lines both contain.
//
//   Owns:          which blocks name a call; the text directly before a block that names a call.
//   Does not own:  the fields of a line that are not content blocks.

import { defined } from "../../machines/defined.ts";
import type { Intent, SourceInput } from "../../machines/inputs.ts";
import { callRef } from "./call-ref.ts";
import {
  child,
  children,
  optionalChild,
  optionalId,
  optionalText,
  pathOf,
  wrongShape,
} from "../../runtime/foreign-fields.ts";
import type { Fields } from "../../runtime/foreign-fields.ts";
import { shownText, textOfBlock, textOrHead } from "./texts.ts";

export interface ToolResultBlock {
  /** The call's id; undefined if the line was written without ids. */
  readonly toolUseId: string | undefined;
  readonly isError: boolean;
  readonly text: string | undefined;
}

export const TOOL_USE = { toolUseId: "id", tool: "name", input: "input" } as const;

/** The calls of an `assistant` line. @throws RefusedError if the line has no list of blocks. */
export function toolUses(line: Fields) {
  const message = child(line, "message");
  const blocks = children(message, "content");
  return blocks.flatMap((block, index) => {
    if (block.values["type"] !== "tool_use") return [];
    const call = callRef(block, TOOL_USE);
    if (call.tool === undefined) throw wrongShape(pathOf(block, "name"), "a name", undefined);
    const intent = intentOf(blocks.slice(0, index)) ?? described(block, TOOL_USE.input);
    return [{ call, messageId: optionalId(message, "id"), intent }];
  });
}

function intentOf(before: readonly Fields[]): Intent | undefined {
  const text = lastText(before);
  return text === undefined ? undefined : { text, source: "message", confidence: "certain" };
}

export function described(fields: Fields, key: string): Intent | undefined {
  const input = optionalChild(fields, key);
  const text = input && optionalText(input, "description")?.trim();
  return text ? { text, source: "description", confidence: "likely" } : undefined;
}

const lastText = (blocks: readonly Fields[]): string | undefined =>
  blocks
    .filter((block) => block.values["type"] === "text")
    .flatMap((block) => textOfBlock(block) ?? [])
    .filter((text) => text.trim() !== "")
    .at(-1);

/** Adds the line's last text to its inputs as `agent.said`, because it may be the intent of calls in later lines. */
export function withWords(line: Fields, inputs: readonly SourceInput[]): readonly SourceInput[] {
  const message = child(line, "message");
  const isClients = line.values["isApiErrorMessage"] === true || message.values["model"] === "<synthetic>";
  const text = isClients ? undefined : lastText(children(message, "content"));
  const [first] = inputs;
  if (text === undefined || !first) return inputs;
  const { agentId, parentToolUseId, promptId, observedAt } = first;
  const base = defined({ agentId, parentToolUseId, promptId, observedAt });
  const said = defined({ ...base, type: "agent.said", text, messageId: optionalId(message, "id") });
  return [...inputs.filter(({ type }) => type !== "unknown"), said];
}

/** The results of calls in a `user` line, and the text of its prompt or remark. @throws RefusedError for any other content. */
export function userContent(line: Fields) {
  const message = child(line, "message");
  const whole = textOrHead(message, "content");
  if (whole !== undefined) return { results: [], text: whole };
  const blocks = children(message, "content");
  const results = blocks.filter((block) => block.values["type"] === "tool_result").map(resultOf);
  return { results, text: blocks.flatMap((block) => textOfBlock(block) ?? []).join("\n") };
}

const resultOf = (block: Fields): ToolResultBlock => ({
  toolUseId: optionalId(block, "tool_use_id"),
  isError: block.values["is_error"] === true,
  text: shownText(block, "content"),
});
