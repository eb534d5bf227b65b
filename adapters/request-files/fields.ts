// Fields
// The fields that a caller may set in a request. They are checked before anything is done.
//
//   Owns:          the fields of a new request and of an update, and their allowed values.
//   Does not own:  applying an update (lifecycle).

import { z } from "zod";
import { type RequestState, type RequestStateValue, STATES } from "./format.ts";
import { badField } from "./refusals.ts";

/** A new request. Times are in ms; a missing `createdAt` means the time of the call. */
export interface NewRequest {
  /** The request's id; by default a new UUID. */
  readonly requestId?: string | undefined;
  readonly chatId: string | number;
  readonly workspace: string;
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  readonly createdAt?: number | undefined;
  /** When the request ends in `timeout`, whatever its state is then. */
  readonly timeoutAt?: number | undefined;
  /** May only be false, as in S1, because a new request has not timed out. */
  readonly timedOut?: false | undefined;
}

/** Changes to a request; missing fields stay unchanged. */
export interface RequestUpdates {
  readonly state?: RequestStateValue | undefined;
  readonly queuedAt?: number | undefined;
  readonly processingStartedAt?: number | undefined;
  readonly completedAt?: number | undefined;
  readonly model?: string | undefined;
  readonly tokens?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly callback?: RequestState["callback"] | undefined;
  readonly timeoutAt?: number | undefined;
  /** Whether the request has timed out; must agree with the state: true in `timeout`, false in any other state. */
  readonly timedOut?: boolean | undefined;
  /** Whether the request waits for a user. The time that it waits does not count as running. */
  readonly waiting?: boolean | undefined;
}

export interface RequestQuery {
  readonly workspace?: string | undefined;
  readonly state?: RequestStateValue | readonly RequestStateValue[] | undefined;
  /** Selects the requests that were created at this time or later, ms. */
  readonly since?: number | undefined;
  /** Selects the requests that were created before this time, ms. */
  readonly until?: number | undefined;
  /** The greatest number of results; 100 by default. */
  readonly limit?: number | undefined;
}

const text = z.string();
const time = z.number().int().nonnegative().max(8.64e15);
const id = text.min(1).max(1_024);

const newRequest = z.strictObject({
  requestId: id.optional(),
  chatId: z.union([text, z.number()]),
  workspace: id,
  prompt: text.optional(),
  model: text.optional(),
  createdAt: time.optional(),
  timeoutAt: time.optional(),
  timedOut: z.literal(false).optional(),
});

const updates = z.strictObject({
  state: z.enum(STATES).optional(),
  queuedAt: time.optional(),
  processingStartedAt: time.optional(),
  completedAt: time.optional(),
  model: text.optional(),
  tokens: z.number().nonnegative().optional(),
  exitCode: z.number().int().optional(),
  output: text.optional(),
  error: text.optional(),
  callback: z
    .strictObject({
      success: z.boolean(),
      attempts: z.number().int().nonnegative(),
      retryTimestamps: z
        .array(text.refine((at) => !Number.isNaN(Date.parse(at)), "it is no time"))
        .max(1_000),
      error: text.optional(),
    })
    .optional(),
  timeoutAt: time.optional(),
  timedOut: z.boolean().optional(),
  waiting: z.boolean().optional(),
});

const query = z.strictObject({
  workspace: id.optional(),
  state: z.union([z.enum(STATES), z.array(z.enum(STATES))]).optional(),
  since: z.number().optional(),
  until: z.number().optional(),
  limit: z.number().int().positive().optional(),
});

/** @throws RefusedError BAD_FIELD */
export const checkNew = (given: unknown): NewRequest => checked(newRequest, given);

/** @throws RefusedError BAD_FIELD */
export function checkUpdates(given: unknown): RequestUpdates {
  const told = checked(updates, given);
  if (told.timedOut !== undefined && told.timedOut !== (told.state === "timeout"))
    throw badField("timedOut", "it is true in the state timeout and in no other");
  return told;
}

/** @throws RefusedError BAD_FIELD */
export const checkQuery = (given: unknown): RequestQuery => checked(query, given);

function checked<T>(schema: z.ZodType<T>, given: unknown): T {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  throw badField(
    unknown ?? issue?.path.join(".") ?? "",
    unknown ? "a request has no such field" : (issue?.message ?? ""),
  );
}
