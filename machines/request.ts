// Request
// The machine of a request (one piece of work that a session was asked to do): the request's states, and the delivery of its
// result.
//
//   Owns:          the states of a request, a request's running time, when a request counts as hung.
//   Does not own:  which call belongs to a request, whether an approval is pending (the session sends `blocked`, `unblocked`).
//
// I-02. A request moves along created → queued → processing → closed. From created and queued it may go straight to failed or
//       timeout. Only running and waiting, the two parts of processing, can be entered more than once.
// I-04. `timedOut` is true in the state `timeout`, and in no other.
// R2. A request hangs if neither it nor one of its calls gets an input for `hungAfterMs`; time in which the request waits for a
//       person does not count. Before the request begins, the limit is `unbegunMs`, unless the creator of the request set another
//       limit. A request that hangs ends in `timeout`.

import { assign, setup } from "xstate";
import { annotated } from "./facts/annotation.ts";
import { effects } from "./effects.ts";
import {
  deliveries,
  fill,
  ran,
  type RequestArgs,
  type RequestContext,
  type RequestEvent,
  type RequestInput,
} from "./facts/request-facts.ts";

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
    wait: assign((args) => ({ lastUpdatedAt: args.event.at, ...ran(args) })),
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
    // A request that ended without an error keeps that end: if a failure is reported later, it becomes an annotation.
    fill: assign(({ context, event }) => {
      if (event.type !== "amended" && event.type !== "completed" && event.type !== "failed")
        return { lastUpdatedAt: event.at };
      const { error: _, ...facts } = fill(context, event);
      return { ...facts, lastUpdatedAt: event.at };
    }),
    join: assign(({ context, event }) =>
      event.type === "prompted" ? { promptId: event.promptId, prompt: context.prompt ?? event.prompt } : {},
    ),
    count: assign(({ context, event }) => ({ lastUpdatedAt: event.at, ...deliveries(context, event) })),
    note: assign(({ context, event }) => ({
      annotations: annotated(context.annotations, event.at, event.type),
      lastUpdatedAt: event.at,
    })),
  },
  guards: {
    isOver: ({ context, event }) =>
      event.type === "overdue" &&
      (event.timer === "timeout" || event.at - event.idleSince >= context.hungAfterMs),
    isUnbegun: ({ context: { unbegunMs = Infinity }, event }) =>
      event.type === "overdue" && (event.timer === "timeout" || event.at - event.idleSince >= unbegunMs),
    isTimeout: ({ event }) => event.type === "overdue" && event.timer === "timeout",
    delivering: ({ event }) => event.type === "callback" && event.state === "delivering",
    delivered: ({ event }) => event.type === "callback" && event.state === "delivered",
  },
});

const annotate = {
  type: "annotate",
  params: ({ event }: RequestArgs) => ({ at: event.at, what: event.type }),
} as const;
const watch = {
  type: "schedule",
  params: ({ context, event }: RequestArgs) => ({
    timer: "hung",
    at: (event.type === "overdue" ? event.idleSince : event.at) + context.hungAfterMs,
  }),
} as const;
const watchUnbegun = {
  type: "schedule",
  params: ({ context: { createdAt, unbegunMs }, event }: RequestArgs) => ({
    timer: "hung",
    at:
      unbegunMs === undefined
        ? undefined
        : (event.type === "overdue" ? event.idleSince : createdAt) + unbegunMs,
  }),
} as const;
const unwatch = { type: "cancel", params: { timer: "hung" } } as const;
const keep = {
  type: "schedule",
  params: ({ context, event }: RequestArgs) => ({
    timer: "removal",
    at: context.lastUpdatedAt + (event.type === "kept" ? event.keepMs : context.keepMs),
  }),
} as const;
const reportClosed = (state: "completed" | "failed" | "timeout") =>
  ({
    type: "report",
    params: ({ context }: { context: RequestContext }) => ({
      type: "request.closed" as const,
      requestId: context.id,
      state,
    }),
  }) as const;

const late = { actions: ["note", "fill", annotate] } as const;
const leaving = (state: string) => ({ type: "leave", params: { state } }) as const;

const ending = (state: string) =>
  ({
    completed: { target: "#request.lifecycle.completed", actions: [leaving(state), "close"] },
    failed: { target: "#request.lifecycle.failed", actions: [leaving(state), "close"] },
  }) as const;
const timingOut = (state: string) =>
  ({ target: "#request.lifecycle.timeout", actions: [leaving(state), "close", "timeOut"] }) as const;
const neverBegun = (state: string) =>
  [{ guard: "isUnbegun", ...timingOut(state) }, { actions: watchUnbegun }] as const;
const unbegun = (state: string) =>
  ({
    processing: { target: "processing", actions: [leaving(state), "begin"] },
    failed: ending(state).failed,
    overdue: neverBegun(state),
    amended: { actions: "fill" },
    prompted: { actions: "join" },
    blocked: {},
    unblocked: {},
  }) as const;
const closed = (state: "completed" | "failed" | "timeout") =>
  ({
    tags: "terminal",
    entry: [unwatch, { type: "cancel", params: { timer: "timeout" } }, keep, reportClosed(state)],
    on: {
      queued: late,
      processing: late,
      blocked: {},
      unblocked: {},
      completed: late,
      failed: late,
      prompted: { actions: ["join", "note", annotate] },
      amended: late,
      overdue: {},
      kept: { actions: ["stamp", keep] },
    },
  }) as const;

const sending = { guard: "delivering", target: "delivering", actions: "count" } as const;
const arrived = { guard: "delivered", target: "delivered", actions: "count" } as const;
const missed = { target: "failed", actions: "count" } as const;

export const requestMachine = requestSetup.createMachine({
  id: "request",
  version: "2",
  type: "parallel",
  context: ({ input: { at, ...facts } }) => ({
    createdAt: at,
    lastUpdatedAt: at,
    timedOut: false,
    runningForMs: 0,
    runningSince: null,
    annotations: [],
    ...facts,
  }),
  states: {
    lifecycle: {
      initial: "created",
      states: {
        created: {
          entry: [
            { type: "schedule", params: ({ context }) => ({ timer: "timeout", at: context.timeoutAt }) },
            watchUnbegun,
          ],
          on: { queued: { target: "queued", actions: [leaving("created"), "stamp"] }, ...unbegun("created") },
        },
        queued: { on: unbegun("queued") },
        processing: {
          initial: "running",
          on: { ...ending("processing"), amended: { actions: "fill" }, prompted: { actions: "join" } },
          states: {
            running: {
              entry: watch,
              on: {
                blocked: { target: "waiting", actions: "wait" },
                unblocked: {},
                processing: {},
                overdue: [{ guard: "isOver", ...timingOut("processing") }, { actions: watch }],
              },
            },
            waiting: {
              entry: unwatch,
              on: {
                unblocked: { target: "running", actions: "resume" },
                blocked: {},
                processing: {},
                overdue: [{ guard: "isTimeout", ...timingOut("processing") }, {}],
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
        none: { on: { callback: [sending, arrived, missed] } },
        delivering: { on: { callback: [{ guard: "delivering", actions: "count" }, arrived, missed] } },
        delivered: { on: { callback: { actions: ["note", annotate] } } },
        failed: { on: { callback: [sending, arrived, { actions: "count" }] } },
      },
    },
  },
});
