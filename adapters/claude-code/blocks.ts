// Blocks
// The content blocks of a message, as stream lines and transcript lines both hold them.
//
//   Owns:          which blocks name a call; the text that stands directly before one.
//   Does not own:  what else the line says.

import type { CallRef, Intent } from "../../machines/inputs.ts";
import { callRef } from "./call-ref.ts";
import { child, children, optionalId, pathOf, wrongShape } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { shownText, textOfBlock, textOrHead } from "./texts.ts";
import type { MakeToolInput } from "./translated.ts";

export interface ToolUse {
  readonly call: CallRef;
  readonly messageId: string | undefined;
  readonly intent: Intent | undefined;
}

export interface ToolResultBlock {
  /** Undefined where the line was written without ids. */
  readonly toolUseId: string | undefined;
  readonly isError: boolean;
  readonly text: string | undefined;
}

/** What a `user` line holds: the results of calls, or the text of a prompt or remark. */
export interface UserContent {
  readonly results: readonly ToolResultBlock[];
  readonly text: string;
}

export const TOOL_USE = { toolUseId: "id", tool: "name", input: "input" } as const;

/** The calls of an `assistant` line. @throws RefusedError when the line has no list of blocks. */
export function toolUses(line: Fields, toolInput: MakeToolInput): readonly ToolUse[] {
  const message = child(line, "message");
  const blocks = children(message, "content");
  return blocks.flatMap((block, index) => {
    if (block.values["type"] !== "tool_use") return [];
    const call = callRef(block, TOOL_USE, toolInput);
    if (call.tool === undefined) throw wrongShape(pathOf(block, "name"), "a name", undefined);
    return [{ call, messageId: optionalId(message, "id"), intent: intentOf(blocks[index - 1]) }];
  });
}

function intentOf(before: Fields | undefined): Intent | undefined {
  if (before?.values["type"] !== "text") return undefined;
  const text = textOfBlock(before);
  return text === undefined ? undefined : { text, source: "message", confidence: "certain" };
}

/** @throws RefusedError when the line's content is neither text nor a list of blocks. */
export function userContent(line: Fields): UserContent {
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
