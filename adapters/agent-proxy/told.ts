// Told
// What an agent tells of a call, in whichever protocol.
//
//   Owns:          the shape of an update, reading fields.
//   Does not own:  the protocols' words (acp, codex), what is kept of a call (calls).

import type { Fields } from "./message.ts";

/** `declined`: its agent says that it did not run. */
export const STATUSES = ["pending", "in_progress", "completed", "failed", "declined"] as const;
export type Status = (typeof STATUSES)[number];

/** What a message tells of a call. */
export interface Update {
  readonly call: string;
  /** It begins, though one with its id may have ended. */
  readonly isBegun: boolean;
  readonly told: Fields;
  readonly status: Status | undefined;
}

/** What the fields mean that an agent tells of a call; `rawInput` is its input. */
export interface ToldWords {
  readonly toolOf: (told: Fields) => string;
  readonly outputOf: (told: Fields) => string;
  /** What it is for, in the agent's words. */
  readonly aboutOf?: (told: Fields) => string | undefined;
  /** The agent says in its own words that a call which failed was denied. */
  readonly isRefused?: (told: Fields) => boolean;
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What is said; a field without a value leaves the call as it was. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const TOOL_MAX = 200;
/** A method as the name of a tool. */
export const toolOfMethod = (method: string): string => method.slice(0, TOOL_MAX);
