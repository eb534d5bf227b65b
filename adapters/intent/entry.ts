// Entry
// Parses one line of a transcript, for finding out why calls were made.
//
//   Owns:          which fields of a transcript line hold texts, calls, results and prompts, in each client version.
//   Does not own:  what the fields mean for the engine's state (claude-code), reading the file.
//
// INTENT-ENTRY-1. Every line becomes an entry or the reason why it is none; parsing never throws. Fields of a wrong type are
//     ignored.
// INTENT-ENTRY-2. No long value is stored: of an input only the hash is stored, of a text only the beginning.

import { isUtf8 } from "node:buffer";
import { type Fields, isFields, jsonIn } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";

export interface CallBlock {
  readonly id: string | undefined;
  readonly tool: string;
  /** The hash of the input's canonical form; undefined for an input without one. */
  readonly inputHash: string | undefined;
  readonly description: string | undefined;
}

export type Block = { readonly text: string } | { readonly call: CallBlock };

export interface Entry {
  readonly offset: number;
  readonly speaker: "agent" | "user" | "other";
  readonly uuid: string | undefined;
  readonly parent: string | undefined;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly isSidechain: boolean;
  readonly at: number | undefined;
  readonly messageId: string | undefined;
  /** Where the line's blocks are in their message, if the client writes this; older clients write each message in one line. */
  readonly index: number | undefined;
  readonly blocks: readonly Block[];
  readonly model: string | undefined;
  /** How many tokens the model got as input when it wrote the line's message. */
  readonly context: number | undefined;
  /** The ids of the calls whose results the line contains. */
  readonly results: readonly string[];
  /**
   * On a line that begins a turn (the agent's work on one prompt): the user's own words, or empty if the client wrote the line.
   * Undefined on any other line.
   */
  readonly prompt: string | undefined;
}

export type Reading =
  | { readonly entry: Entry }
  | { readonly skipped: "notJson" | "notUtf8" | "wrongShape" }
  /** A line that the client writes for itself and that is no part of the conversation. */
  | { readonly aside: true };

const TEXT_MAX = 4_096;
const NAME_MAX = 100;
/** Texts that the client submits in the user's place, or writes about a turn. No such text is an intent. */
const NOT_A_PERSON =
  /^(?:<task-notification>|<local-command-|<command-(?:name|message|args)>|<bash-|\[Request interrupted by user|Continue from where you left off\.$|Caveat: The messages below)/;

export function readEntry(bytes: Buffer, offset: number): Reading {
  if (!isUtf8(bytes)) return { skipped: "notUtf8" };
  const value = jsonIn(bytes.toString("utf8"));
  if (value === undefined) return { skipped: "notJson" };
  if (!isFields(value)) return { skipped: "wrongShape" };
  const type = textAt(value, "type");
  if (type === undefined) return { skipped: "wrongShape" };
  const speaker = type === "assistant" ? "agent" : type === "user" ? "user" : "other";
  const uuid = textAt(value, "uuid");
  if (speaker === "other" && uuid === undefined) return { aside: true };
  const message = fieldsAt(value, "message");
  if (speaker !== "other" && !message) return { skipped: "wrongShape" };
  return { entry: entryOf(value, message ?? {}, { offset, speaker, uuid }) };
}

function entryOf(line: Fields, message: Fields, known: Pick<Entry, "offset" | "speaker" | "uuid">): Entry {
  const content = message["content"];
  const blocks = Array.isArray(content) ? content.filter(isFields) : [];
  const results =
    known.speaker === "user" ? blocks.flatMap((block) => textAt(block, "tool_use_id") ?? []) : [];
  const time = Date.parse(textAt(line, "timestamp") ?? "");
  return {
    ...known,
    parent: textAt(line, "parentUuid"),
    session: textAt(line, "sessionId"),
    agent: textAt(line, "agentId"),
    isSidechain: line["isSidechain"] === true,
    at: Number.isNaN(time) ? undefined : time,
    messageId: textAt(message, "id"),
    index: typeof line["apiBlockIndex"] === "number" ? line["apiBlockIndex"] : undefined,
    blocks: known.speaker === "agent" && isAgents(line, message) ? said(content, blocks) : [],
    model: textAt(message, "model")?.slice(0, NAME_MAX),
    context: contextIn(message),
    results,
    prompt: known.speaker === "user" && results.length === 0 ? promptOf(line, content, blocks) : undefined,
  };
}

const GIVEN = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

function contextIn(message: Fields): number | undefined {
  const usage = fieldsAt(message, "usage");
  const given = GIVEN.flatMap((name) => {
    const count = usage?.[name];
    return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? [count] : [];
  });
  return given.length === 0 ? undefined : given.reduce((sum, count) => sum + count, 0);
}

/** False for lines that the client writes in the model's name: errors of the API, and placeholders (model `<synthetic>`). */
const isAgents = (line: Fields, message: Fields): boolean =>
  line["isApiErrorMessage"] !== true && message["model"] !== "<synthetic>";

function said(content: unknown, blocks: readonly Fields[]): readonly Block[] {
  if (typeof content === "string") return textBlock(content);
  return blocks.flatMap((block): readonly Block[] => {
    if (block["type"] === "text") return textBlock(textAt(block, "text") ?? "");
    const tool = block["type"] === "tool_use" ? textAt(block, "name") : undefined;
    return tool === undefined ? [] : [{ call: callOf(block, tool) }];
  });
}

const textBlock = (text: string): readonly Block[] => (text.trim() === "" ? [] : [{ text: begun(text) }]);

function callOf(block: Fields, tool: string): CallBlock {
  const input = block["input"];
  const description = isFields(input) ? (textAt(input, "description") ?? "").trim() : "";
  return {
    id: textAt(block, "id"),
    tool,
    inputHash: hashOf(input),
    description: description === "" ? undefined : begun(description),
  };
}

/** @returns the input's hash; undefined if the input is missing or nested too deeply. */
export function hashOf(input: unknown): string | undefined {
  if (input === undefined) return undefined;
  try {
    return toolInput(input).hash;
  } catch {
    return undefined;
  }
}

function promptOf(line: Fields, content: unknown, blocks: readonly Fields[]): string | undefined {
  if (line["isCompactSummary"] === true) return "";
  if (line["isMeta"] === true) return undefined;
  const texts = blocks.flatMap((block) => (block["type"] === "text" ? (textAt(block, "text") ?? []) : []));
  const text = (typeof content === "string" ? content : texts.join("\n")).trim();
  return NOT_A_PERSON.test(text) ? "" : begun(text);
}

const begun = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text);

function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function fieldsAt(fields: Fields, key: string): Fields | undefined {
  const value = fields[key];
  return isFields(value) ? value : undefined;
}
