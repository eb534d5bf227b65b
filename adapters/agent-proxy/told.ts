// Told
// The common form of what an agent reports of a call, in whichever protocol.
//
//   Owns:          the shape of an update, reading fields.
//   Does not own:  the protocols' words (acp, codex), what is stored of a call (calls).

import { type Fields, isFields } from "../../machines/json.ts";
import { toolInput } from "../../runtime/canonical.ts";

/** `declined`: the agent says that the call did not run. */
export const STATUSES = ["pending", "in_progress", "completed", "failed", "declined"] as const;
export type Status = (typeof STATUSES)[number];

/** What a message reports of a call. */
export interface Update {
  readonly call: string;
  /** True if the call begins, even if an ended call had its id. */
  readonly isBegun: boolean;
  readonly told: Fields;
  readonly status: Status | undefined;
}

/** What the fields mean that an agent sends of a call; `rawInput` is its input. */
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

/** Empty if `value` has no such object. */
export function fieldsIn(value: unknown, name: string): Fields {
  const found = isFields(value) ? value[name] : undefined;
  return isFields(found) ? found : {};
}

/** Drops undefined fields, which would overwrite known ones. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

export const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Without empty values, at any depth: clients leave such a value out, or send an empty one. */
export function bare<T>(value: T): T;
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => bare(each));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(
    ([, each]) => each !== null && each !== undefined && each !== false,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}

/** Whether both values are equal as JSON. A value that cannot be hashed equals nothing. */
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
