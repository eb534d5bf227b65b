// Request facts
// The data of a request besides its state, and the data that each event adds.
//
//   Owns:          the shape of a request and of its events; a request's running time; the record of attempts to deliver a
//                  request's result.
//   Does not own:  which event leads to which state (request).

import type { Annotation } from "./annotation.ts";
import { defined } from "../defined.ts";
import type { RequestId } from "../ids.ts";

export interface RequestInput {
  readonly id: RequestId;
  /**
   * Why the request exists. `prompt`: a client got a prompt. `gateway`: a service created it. `implied`: calls were seen
   * without a prompt.
   */
  readonly origin: "prompt" | "gateway" | "implied";
  readonly promptId?: string;
  readonly chatId?: string | number;
  readonly prompt?: string;
  readonly model?: string;
  readonly timeoutAt?: number;
  readonly continues?: RequestId;
  readonly hungAfterMs: number;
  /** How long the request may wait for its beginning; absent if its creator set a limit, or if it begins at once. */
  readonly unbegunMs?: number;
  readonly keepMs: number;
  readonly at: number;
}

export interface RequestContext extends Omit<RequestInput, "at">, Outcome {
  readonly createdAt: number;
  readonly queuedAt?: number;
  readonly processingStartedAt?: number;
  readonly completedAt?: number;
  readonly lastUpdatedAt: number;
  readonly previousState?: string;
  readonly timedOut: boolean;
  /** How long the request ran before `runningSince`; if it does not run now, how long it ran altogether. */
  readonly runningForMs: number;
  readonly runningSince: number | null;
  readonly callback?: {
    readonly success: boolean;
    readonly attempts: number;
    readonly retryTimestamps: readonly number[];
    readonly error?: string;
  };
  readonly annotations: readonly Annotation[];
}

/** The request's data that is set only once, perhaps after the request's end. */
export interface Outcome {
  readonly model?: string;
  readonly tokens?: number;
  readonly exitCode?: number;
  readonly output?: string;
  readonly error?: string;
}

export type RequestEvent =
  | { readonly type: "queued"; readonly at: number }
  | { readonly type: "processing"; readonly at: number }
  | { readonly type: "blocked"; readonly at: number }
  | { readonly type: "unblocked"; readonly at: number }
  | ({ readonly type: "completed"; readonly at: number } & Outcome)
  | ({ readonly type: "failed"; readonly at: number; readonly error: string } & Omit<Outcome, "error">)
  | { readonly type: "prompted"; readonly at: number; readonly promptId: string; readonly prompt: string }
  | ({ readonly type: "amended"; readonly at: number } & Outcome)
  | {
      readonly type: "callback";
      readonly at: number;
      readonly state: "delivering" | "delivered" | "failed";
      readonly sentAt: number;
      readonly error?: string;
    }
  | {
      readonly type: "overdue";
      readonly at: number;
      readonly timer: "hung" | "timeout";
      readonly idleSince: number;
    }
  | { readonly type: "kept"; readonly at: number; readonly keepMs: number };

type Facts = Partial<RequestContext>;
export type RequestArgs = { context: RequestContext; event: RequestEvent };

export const ran = ({ context, event }: RequestArgs): Facts =>
  context.runningSince === null
    ? {}
    : { runningForMs: context.runningForMs + (event.at - context.runningSince), runningSince: null };

/** The part of an outcome that the request does not know yet. Known data is never replaced. */
export function fill(context: RequestContext, event: Outcome): Facts {
  const facts: { -readonly [K in keyof Outcome]: Outcome[K] } = {};
  if (event.model !== undefined && context.model === undefined) facts.model = event.model;
  if (event.tokens !== undefined && context.tokens === undefined) facts.tokens = event.tokens;
  if (event.exitCode !== undefined && context.exitCode === undefined) facts.exitCode = event.exitCode;
  if (event.output !== undefined && context.output === undefined) facts.output = event.output;
  if (event.error !== undefined && context.error === undefined) facts.error = event.error;
  return facts;
}

export function deliveries(context: RequestContext, event: RequestEvent): Facts {
  if (event.type !== "callback") return {};
  const before = context.callback ?? { success: false, attempts: 0, retryTimestamps: [] };
  const attempt = event.state === "delivering";
  const retry = attempt && before.attempts > 0;
  return {
    callback: {
      success: event.state === "delivered",
      attempts: before.attempts + (attempt ? 1 : 0),
      retryTimestamps: retry ? [...before.retryTimestamps.slice(-19), event.sentAt] : before.retryTimestamps,
      ...defined({ error: event.error }),
    },
  };
}
