// Request
// One piece of work somebody asked a session for: its lifecycle beside the delivery of its result.
//
//   Owns:          the states of a request, its running time, when it counts as hung.
//   Does not own:  which call belongs to it, whether a question is pending (the session says blocked, unblocked).
//
// I-02. States move along created → queued → processing → closed, or from created and queued straight to failed
//       or timeout; none is entered twice but running and waiting.
// I-04. `timedOut` holds exactly in `timeout`.
// R2.   Hung means: no input for the request or its calls for `hungAfterMs`, time spent waiting excluded.

import { assign, setup } from "xstate";
import { type Annotation, annotated, effects } from "./effects.ts";
import type { RequestId } from "./ids.ts";

export interface RequestInput {
  readonly id: RequestId;
  /** `prompt`: a client's prompt; `gateway`: a service's own; `implied`: calls were seen, no prompt. */
  readonly origin: "prompt" | "gateway" | "implied";
  readonly promptId?: string;
  readonly chatId?: string | number;
  readonly prompt?: string;
  readonly model?: string;
  readonly timeoutAt?: number;
  /** The request this one continues (R1). */
  readonly continues?: RequestId;
  readonly hungAfterMs: number;
  readonly keepMs: number;
  readonly at: number;
}

export interface RequestContext extends Omit<RequestInput, "at"> {
  readonly createdAt: number;
  readonly queuedAt?: number;
  readonly processingStartedAt?: number;
  readonly completedAt?: number;
  readonly lastUpdatedAt: number;
  readonly previousState?: string;
  readonly tokens?: number;
  readonly exitCode?: number;
  readonly output?: string;
  readonly error?: string;
  readonly timedOut: boolean;
  /** Time spent running up to `runningSince`, or in all once it is not running. */
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

/** What may be filled in once, also after the end. */
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
      readonly type: "expired";
      readonly at: number;
      readonly timer: "hung" | "timeout";
      readonly idleSince: number;
    }
  | { readonly type: "kept"; readonly at: number };

type Facts = Partial<RequestContext>;
type Args = { context: RequestContext; event: RequestEvent };

const ran = ({ context, event }: Args): Facts =>
  context.runningSince === null
    ? {}
    : { runningForMs: context.runningForMs + (event.at - context.runningSince), runningSince: null };

/** Fields of an outcome that are not known yet; what is known stays. */
function fill(context: RequestContext, event: Outcome): Facts {
  const facts: { -readonly [K in keyof Outcome]: Outcome[K] } = {};
  if (event.model !== undefined && context.model === undefined) facts.model = event.model;
  if (event.tokens !== undefined && context.tokens === undefined) facts.tokens = event.tokens;
  if (event.exitCode !== undefined && context.exitCode === undefined) facts.exitCode = event.exitCode;
  if (event.output !== undefined && context.output === undefined) facts.output = event.output;
  if (event.error !== undefined && context.error === undefined) facts.error = event.error;
  return facts;
}

function deliveries(context: RequestContext, event: RequestEvent): Facts {
  if (event.type !== "callback") return {};
  const before = context.callback ?? { success: false, attempts: 0, retryTimestamps: [] };
  const attempt = event.state === "delivering";
  const retry = attempt && before.attempts > 0;
  return {
    callback: {
      success: event.state === "delivered",
      attempts: before.attempts + (attempt ? 1 : 0),
      retryTimestamps: retry ? [...before.retryTimestamps.slice(-19), event.sentAt] : before.retryTimestamps,
      ...(event.error !== undefined && { error: event.error }),
    },
  };
}

const requestSetup = setup({
  types: {
    context: {} as RequestContext,
    events: {} as RequestEvent,
    input: {} as RequestInput,
    tags: {} as "terminal",
  },
  actions: {
    ...effects,
    stamp: assign(({ event }) => ({
      lastUpdatedAt: event.at,
      ...(event.type === "queued" && { queuedAt: event.at }),
    })),
    begin: assign(({ context, event }) => ({
      lastUpdatedAt: event.at,
      processingStartedAt: context.processingStartedAt ?? event.at,
      runningSince: event.at,
    })),
    wait: assign((args) => ({ ...ran(args), lastUpdatedAt: args.event.at })),
    resume: assign(({ event }) => ({ runningSince: event.at, lastUpdatedAt: event.at })),
    leave: assign((_, params: { readonly state: string }) => ({ previousState: params.state })),
    close: assign((args) => ({
      ...ran(args),
      ...(args.event.type === "completed" || args.event.type === "failed"
        ? fill(args.context, args.event)
        : {}),
      completedAt: args.event.at,
      lastUpdatedAt: args.event.at,
    })),
    timeOut: assign({ timedOut: true }),
    fill: assign(({ context, event }) => ({
      ...(event.type === "amended" || event.type === "completed" || event.type === "failed"
        ? fill(context, event)
        : {}),
      lastUpdatedAt: event.at,
    })),
    join: assign(({ context, event }) =>
      event.type === "prompted" ? { promptId: event.promptId, prompt: context.prompt ?? event.prompt } : {},
    ),
    count: assign(({ context, event }) => ({ ...deliveries(context, event), lastUpdatedAt: event.at })),
    note: assign(({ context, event }) => ({
      annotations: annotated(context.annotations, event.at, event.type),
      lastUpdatedAt: event.at,
    })),
  },
  guards: {
    isOver: ({ context, event }) =>
      event.type === "expired" &&
      (event.timer === "timeout" || event.at - event.idleSince >= context.hungAfterMs),
    isTimeout: ({ event }) => event.type === "expired" && event.timer === "timeout",
    delivering: ({ event }) => event.type === "callback" && event.state === "delivering",
    delivered: ({ event }) => event.type === "callback" && event.state === "delivered",
  },
});

const annotate = {
  type: "annotate",
  params: ({ event }: Args) => ({ at: event.at, what: event.type }),
} as const;
const watch = {
  type: "schedule",
  params: ({ context, event }: Args) => ({
    timer: "hung",
    at: (event.type === "expired" ? event.idleSince : event.at) + context.hungAfterMs,
  }),
} as const;
const unwatch = { type: "cancel", params: { timer: "hung" } } as const;
const keep = {
  type: "schedule",
  params: ({ context }: { context: RequestContext }) => ({
    timer: "removal",
    at: context.lastUpdatedAt + context.keepMs,
  }),
} as const;
const reportClosed = (state: "completed" | "failed" | "timeout") =>
  ({
    type: "report",
    params: ({ context }: { context: RequestContext }) => ({
      type: "request.closed" as const,
      requestId: context.id,
      state,
      ...(context.error !== undefined && { error: context.error }),
    }),
  }) as const;

const late = { actions: ["note", "fill", annotate] } as const;
const leaving = (state: string) => ({ type: "leave", params: { state } }) as const;

/** The ways out of an open state. */
const ending = (state: string) =>
  ({
    completed: { target: "#request.lifecycle.completed", actions: [leaving(state), "close"] },
    failed: { target: "#request.lifecycle.failed", actions: [leaving(state), "close"] },
  }) as const;
const expiring = (state: string) =>
  [
    { guard: "isOver", target: "#request.lifecycle.timeout", actions: [leaving(state), "close", "timeOut"] },
    { actions: watch },
  ] as const;
const closed = (state: "completed" | "failed" | "timeout") =>
  ({
    tags: "terminal",
    entry: [{ type: "cancel", params: { timer: "timeout" } }, keep, reportClosed(state)],
    on: {
      queued: late,
      processing: late,
      blocked: {},
      unblocked: {},
      completed: late,
      failed: late,
      prompted: { actions: ["join", "note", annotate] },
      amended: late,
      expired: {},
      kept: { actions: keep },
    },
  }) as const;

export const requestMachine = requestSetup.createMachine({
  id: "request",
  version: "1",
  type: "parallel",
  context: ({ input: { at, ...facts } }) => ({
    ...facts,
    createdAt: at,
    lastUpdatedAt: at,
    timedOut: false,
    runningForMs: 0,
    runningSince: null,
    annotations: [],
  }),
  states: {
    lifecycle: {
      initial: "created",
      states: {
        created: {
          entry: { type: "schedule", params: ({ context }) => ({ timer: "timeout", at: context.timeoutAt }) },
          on: {
            queued: { target: "queued", actions: [leaving("created"), "stamp"] },
            processing: { target: "processing", actions: [leaving("created"), "begin"] },
            failed: ending("created").failed,
            expired: expiring("created"),
            amended: { actions: "fill" },
            prompted: { actions: "join" },
            blocked: {},
            unblocked: {},
          },
        },
        queued: {
          on: {
            processing: { target: "processing", actions: [leaving("queued"), "begin"] },
            failed: ending("queued").failed,
            expired: expiring("queued"),
            amended: { actions: "fill" },
            prompted: { actions: "join" },
            blocked: {},
            unblocked: {},
          },
        },
        processing: {
          initial: "running",
          exit: unwatch,
          on: { ...ending("processing"), amended: { actions: "fill" }, prompted: { actions: "join" } },
          states: {
            running: {
              entry: watch,
              on: {
                blocked: { target: "waiting", actions: "wait" },
                unblocked: {},
                processing: {},
                expired: expiring("processing"),
              },
            },
            waiting: {
              entry: unwatch,
              on: {
                unblocked: { target: "running", actions: "resume" },
                blocked: {},
                processing: {},
                expired: [{ ...expiring("processing")[0], guard: "isTimeout" }, {}],
              },
            },
          },
        },
        completed: closed("completed"),
        failed: closed("failed"),
        timeout: closed("timeout"),
      },
    },
    callback: {
      initial: "none",
      states: {
        none: {
          on: {
            callback: [
              { guard: "delivering", target: "delivering", actions: "count" },
              { guard: "delivered", target: "delivered", actions: "count" },
              { target: "failed", actions: "count" },
            ],
          },
        },
        delivering: {
          on: {
            callback: [
              { guard: "delivering", actions: "count" },
              { guard: "delivered", target: "delivered", actions: "count" },
              { target: "failed", actions: "count" },
            ],
          },
        },
        delivered: { on: { callback: { actions: ["note", annotate] } } },
        failed: {
          on: {
            callback: [
              { guard: "delivering", target: "delivering", actions: "count" },
              { guard: "delivered", target: "delivered", actions: "count" },
              { actions: "count" },
            ],
          },
        },
      },
    },
  },
});
