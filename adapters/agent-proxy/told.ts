// Told
// The common form of what an agent reports about a call, in every protocol.
//
//   Owns:          the shape of an update, reading fields and the texts of content blocks, the greatest length of these texts.
//   Does not own:  the words of each protocol (acp, codex), what is stored about a call (calls).

import { type Fields, isFields } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";

/** The states of a call that an agent reports. `declined`: the agent says that the call did not run. */
export const STATUSES = ["pending", "in_progress", "completed", "failed", "declined"] as const;
export type Status = (typeof STATUSES)[number];

export interface Update {
  readonly call: string;
  /** True if the call begins now, even if an earlier call, which has ended, had the same id. */
  readonly isBegun: boolean;
  readonly told: Fields;
  readonly status: Status | undefined;
}

/** How a protocol reads the fields that an agent sends of a call. The field `rawInput` is the call's input. */
export interface ToldWords {
  /** The call's tool; by default the field `tool`. */
  readonly toolOf?: (told: Fields) => string;
  /** The call's output; by default the field `output`. */
  readonly outputOf?: (told: Fields) => string;
  readonly aboutOf?: (told: Fields) => string | undefined;
  /** Whether the agent says in its own words that a failed call was denied. */
  readonly isRefused?: (told: Fields) => boolean;
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function fieldsIn(value: unknown, name: string): Fields {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : {};
}

/** Drops fields that are undefined or null, because they would overwrite known fields. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The value without fields that are null, undefined or false, at any depth: not every client sends such fields. */
export function bare<T>(value: T): T;
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => bare(each));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(
    ([, each]) => each !== null && each !== undefined && each !== false,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}

/** Whether both values are equal as JSON. A value that cannot be hashed equals no value. */
export function isAlike(one: unknown, other: unknown): boolean {
  try {
    return toolInput(one).hash === toolInput(other).hash;
  } catch {
    return false;
  }
}

const TOOL_MAX = 200;
export const toolOfMethod = (method: string): string => method.slice(0, TOOL_MAX);

const TEXT_MAX = 5_000;
export const shortened = (text: string): string => wellFormed(text.slice(0, TEXT_MAX));
/** The text with a substitute for each lone half of a surrogate pair, because UTF-8 cannot encode it. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

export function textsOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return "";
  const texts = blocks.map((block: unknown) => {
    const { type, text, content, uri, url, resource, path } = isFields(block) ? block : {};
    if (typeof text === "string") return text;
    if (isFields(content)) return textsOf([content]);
    const named = uri ?? url ?? (isFields(resource) ? resource["uri"] : undefined) ?? path;
    return typeof named === "string" ? named : `[${typeof type === "string" ? type : "content"}]`;
  });
  return shortened(texts.join("\n"));
}

export function outputOf({ content, rawOutput }: Fields): string {
  const text = textsOf(content);
  return text !== "" || rawOutput === undefined ? text : shortened(JSON.stringify(rawOutput));
}
