// Told
// What an agent tells of a call, in whichever protocol.
//
//   Owns:          the shape of an update, reading fields.
//   Does not own:  the protocols' words (acp, codex), what is kept of a call (calls).

import { type Fields, isFields } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";

/** `declined`: its agent says that it did not run. */
export const STATUSES = ["pending", "in_progress", "completed", "failed", "declined"] as const;
export type Status = (typeof STATUSES)[number];

/** What a message tells of a call. */
export interface Update {
  readonly call: string;
  /** True if the call begins, though one with its id may have ended. */
  readonly isBegun: boolean;
  readonly told: Fields;
  readonly status: Status | undefined;
}

/** What the fields mean that an agent tells of a call; `rawInput` is its input. */
export interface ToldWords {
  /** Else `tool`. */
  readonly toolOf?: (told: Fields) => string;
  /** Else `output`. */
  readonly outputOf?: (told: Fields) => string;
  /** What it is for, in the agent's words. */
  readonly aboutOf?: (told: Fields) => string | undefined;
  /** The agent says in its own words that a call which failed was denied. */
  readonly isRefused?: (told: Fields) => boolean;
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Empty where there are none. */
export function fieldsIn(value: unknown, name: string): Fields {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : {};
}

/** What is said; a field without a value leaves the call as it was. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Without what says nothing, at any depth: clients leave it out, or say that there is none. */
export function bare<T>(value: T): T;
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => bare(each));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(
    ([, each]) => each !== null && each !== undefined && each !== false,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}

/** They say the same. What no hash can be had of is like nothing. */
export function isAlike(one: unknown, other: unknown): boolean {
  try {
    return toolInput(one).hash === toolInput(other).hash;
  } catch {
    return false;
  }
}

const TOOL_MAX = 200;
/** A method as the name of a tool. */
export const toolOfMethod = (method: string): string => method.slice(0, TOOL_MAX);
