// Tool call
// The machine of one call of a tool. Its region `execution` shows what became of the call, its region `approval` what was decided
// about the call.
//
//   Owns:          the states of a call, and which evidence leads to which state.
//   Does not own:  finding the call that a message is about (correlation), which other calls a denial denies (cascade), when a
//                  call is given up (closing).
//   Decided in:    docs/decisions/0005-sources-that-agree.md.
//
// I-01. A closed execution changes in three cases only. The first real result replaces a missing-post, or a denial that nobody
//       reported. The client's report that a call was stopped, or never began, replaces a failure that only telemetry reported.
//       A late deferral opens the call again (C2).
// C1.   The approval of a call changes the call's execution only by a denial.
// C2. A late report that a call was deferred opens the call again if the call was closed only because its request, agent or
//       session ended.
// C5.   Evidence that a denied call ran sets `executedAfterDenial` and changes no state.

import { assign, setup } from "xstate";
import { auditedInput } from "./audit.ts";
import { annotated } from "./facts/annotation.ts";
import {
  type CallContext,
  type CallEvent,
  type CallInput,
  DEFERRAL,
  hear,
  isTentative,
  learn,
  ranBy,
} from "./facts/call-facts.ts";
import { isInference, isLost, isOfStopped, isOpenEnded, isSeen, outdoes, recast } from "./facts/reversals.ts";
import { confirmDenial } from "./facts/denial-words.ts";
import { effects, type Report } from "./effects.ts";

const callSetup = setup({
  types: {
    context: {} as CallContext,
    events: {} as CallEvent,
    input: {} as CallInput,
    tags: {} as "terminal",
  },
  actions: {
    ...effects,
    learn: assign(({ context, event }) => ({ updatedAt: event.at, ...learn(context, event) })),
    hear: assign(({ context, event }) => ({ updatedAt: event.at, ...hear(context, event) })),
    note: assign(({ context, event }) => ({
      annotations: annotated(context.annotations, event.at, event.type),
      updatedAt: event.at,
    })),
    revise: assign({ was: "missing-post" }),
    retract: assign({ was: "denied" }),
    recant: assign({ was: "failed", error: undefined }),
    unmask: assign(({ context, event }) => ({
      observed: "ran" as const,
      executedAfterDenial: true as const,
      ...ranBy(context, event),
    })),
    confirm: assign(({ context, event }) => confirmDenial(context, event)),
    recast: assign(({ event }) => recast(event)),
    putOff: assign({ deferred: true }),
    reopen: assign({ was: "missing-post", closedAt: undefined, missing: undefined }),
    takeUp: assign({ deferred: false }),
  },
  guards: {
    denies: ({ event }) => event.type === "lapsed" && event.denial !== undefined,
    isDeferred: ({ context }) => context.deferred,
    isSeen: ({ context, event }) => isSeen(context, event),
    isTentative: ({ context }) => isTentative(context.denial),
    infers: ({ event }) => isInference(event),
    isInferrable: ({ context, event }) => isInference(event) && context.missing?.evidence !== "result",
    isListed: ({ event }) => event.type === "failed" && event.evidence === "batch",
    isLost: ({ context, event }) => isLost(context, event),
    isOutdone: ({ event }) => outdoes(event),
    isOfStopped: ({ context, event }) => isOfStopped(context, event),
    wasPutOff: ({ context: { missing } }) => isOpenEnded(missing),
    reopens: ({ context: { missing }, event }) =>
      event.type === "deferred" && event.reopens === true && isOpenEnded(missing),
    isTheClientsWord: ({ context, event }) =>
      event.type === "missed" && event.evidence === "result" && context.missing?.evidence !== "result",
    isClosed: ({ context }) => context.closedAt !== undefined,
  },
});

const annotate = {
  type: "annotate",
  params: ({ event }: { event: CallEvent }) => ({ at: event.at, what: event.type }),
} as const;
const reportDeferral = {
  type: "report",
  params: ({ context, event }: { context: CallContext; event: CallEvent }) => ({
    type: event.type === "deferred" ? ("call.deferred" as const) : ("call.resumed" as const),
    callId: context.id,
  }),
} as const;

const waitFor = {
  type: "schedule",
  params: ({ event }: { event: CallEvent }) => ({
    timer: DEFERRAL,
    at: event.type === "deferred" ? event.until : undefined,
  }),
} as const;
const waitNoLonger = { type: "cancel", params: { timer: DEFERRAL } } as const;

type Closed = Extract<Report, { type: "call.closed" }>["state"];
const reportClosed = (state: Closed) =>
  ({
    type: "report",
    params: ({ context }: { context: CallContext }) => ({
      type: "call.closed" as const,
      callId: context.id,
      state,
      ...(context.denial && { denial: context.denial }),
      ...(context.ran && { ran: true as const }),
    }),
  }) as const;

const late = { actions: ["note", annotate] } as const;
const putOff = ["learn", "putOff", reportDeferral, waitFor] as const;

const closing = {
  finished: { target: "completed", actions: "learn" },
  failed: { target: "failed", actions: "learn" },
  denied: { target: "denied", actions: "learn" },
  disapproved: { target: "denied", actions: "learn" },
  lapsed: { guard: "denies", target: "denied", actions: "learn" },
  missed: { target: "missing-post", actions: "learn" },
} as const;

/** C5: writes an audit row, because an auditor must see that a denied call ran. */
const auditRan = {
  type: "audit",
  params: ({ context, event }: { context: CallContext; event: CallEvent }) => ({
    kind: "observed-outcome" as const,
    callId: context.id,
    by: "elsewhere",
    decision: "ran",
    reason: "executed after denial",
    tool: context.tool,
    ...auditedInput(context.input),
    at: event.at,
  }),
} as const;

const ranAfterAll = ["unmask", "note", annotate, auditRan] as const;

/**
 * A second source reports the same end of the call. Nothing changes, even if its text differs: each source words results in its
 * own way.
 */
const agreed = {};

const resulted = {
  announced: late,
  started: late,
  denied: late,
  disapproved: late,
  missed: late,
  deferred: late,
} as const;

export const callMachine = callSetup.createMachine({
  id: "call",
  version: "6",
  type: "parallel",
  context: ({ input: { at, ...facts } }) => ({
    createdAt: at,
    updatedAt: at,
    deferred: false,
    annotations: [],
    ...facts,
  }),
  on: {
    amended: [{ guard: "isClosed", actions: ["learn", annotate] }, { actions: "learn" }],
    placed: [{ guard: "isClosed", actions: ["learn", annotate] }, { actions: "learn" }],
  },
  states: {
    execution: {
      initial: "created",
      states: {
        created: {
          on: {
            ...closing,
            announced: { target: "queued", actions: "learn" },
            started: { target: "processing", actions: "learn" },
            deferred: { target: "queued", actions: putOff },
          },
        },
        queued: {
          on: {
            ...closing,
            announced: {},
            started: [
              {
                guard: "isDeferred",
                target: "processing",
                actions: ["learn", "takeUp", reportDeferral, waitNoLonger],
              },
              { target: "processing", actions: "learn" },
            ],
            deferred: [{ guard: "isDeferred" }, { actions: putOff }],
          },
        },
        processing: {
          on: { ...closing, announced: {}, started: {}, deferred: { target: "queued", actions: putOff } },
        },
        completed: {
          tags: "terminal",
          entry: reportClosed("completed"),
          on: { ...resulted, finished: agreed, failed: late },
        },
        failed: {
          tags: "terminal",
          entry: reportClosed("failed"),
          on: {
            ...resulted,
            failed: agreed,
            finished: late,
            denied: [
              { guard: "isOutdone", target: "denied", actions: ["recant", "learn", ...ranAfterAll] },
              late,
            ],
            missed: [{ guard: "isOutdone", target: "missing-post", actions: ["recant", "learn"] }, late],
          },
        },
        denied: {
          tags: "terminal",
          entry: reportClosed("denied"),
          on: {
            finished: [
              { guard: "isTentative", target: "completed", actions: ["retract", "learn"] },
              { actions: ranAfterAll },
            ],
            failed: [
              { guard: "isOfStopped", target: "missing-post", actions: ["retract", "learn"] },
              { guard: "isTentative", target: "failed", actions: ["retract", "learn"] },
              { guard: "isListed" },
              { actions: ranAfterAll },
            ],
            denied: [{ guard: "infers" }, { actions: ["confirm", "note", annotate] }],
            announced: late,
            started: late,
            disapproved: late,
            missed: [{ guard: "isLost", target: "missing-post", actions: ["retract", "learn"] }, late],
            deferred: late,
          },
        },
        "missing-post": {
          tags: "terminal",
          entry: reportClosed("missing-post"),
          on: {
            finished: { target: "completed", actions: ["revise", "learn"] },
            failed: [
              { guard: "isOfStopped", actions: ["learn", reportClosed("missing-post")] },
              { target: "failed", actions: ["revise", "learn"] },
            ],
            denied: [
              { guard: "isSeen", target: "denied", actions: ["revise", "learn"] },
              { guard: "isInferrable", target: "denied", actions: ["revise", "learn"] },
              { guard: "infers" },
              late,
            ],
            missed: [{ guard: "isTheClientsWord", actions: ["recast", "note", annotate] }, late],
            announced: late,
            started: late,
            disapproved: late,
            deferred: [
              { guard: "reopens", target: "queued", actions: ["reopen", ...putOff, "note", annotate] },
              { guard: "wasPutOff", actions: ["recast", "note", annotate] },
              late,
            ],
          },
        },
      },
    },
    approval: {
      initial: "none",
      states: {
        none: { on: { asked: { target: "pending", actions: "hear" } } },
        pending: {
          on: {
            asked: { actions: "hear" },
            approved: { target: "approved", actions: "hear" },
            disapproved: { target: "denied", actions: "hear" },
            lapsed: { target: "expired", actions: "hear" },
            withdrawn: { target: "withdrawn", actions: "hear" },
          },
        },
        approved: { on: { asked: { target: "pending", actions: "hear" } } },
        denied: { on: { asked: { target: "pending", actions: "hear" } } },
        expired: { on: { asked: { target: "pending", actions: "hear" } } },
        withdrawn: { on: { asked: { target: "pending", actions: "hear" } } },
      },
    },
  },
});
