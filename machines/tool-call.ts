// Tool call
// One call of a tool: what became of it (execution) beside what was said about it (approval).
//
//   Owns:          the states of a call and which evidence moves it where.
//   Does not own:  which call a message means (correlation), what a denial leads to (cascade), when an open call
//                  is given up (closing).
//
// I-01. A closed execution never changes, but for C2: the first real result moves missing-post once.
// C1.   Approval never moves execution, except denial.
// C5.   Evidence that a denied call ran raises `executedAfterDenial` and changes no state.

import { assign, setup } from "xstate";
import { type Annotation, annotated, effects, type Report } from "./effects.ts";
import type { AgentId, BatchId, CallId, RequestId } from "./ids.ts";
import type { Intent, Missing, ToolInput } from "./inputs.ts";

export interface Match {
  readonly how: "id" | "input" | "name";
  readonly ambiguous: boolean;
  readonly candidates: number;
  readonly pre?: "missing";
}

export interface Denial {
  /** `hook`: a foreign hook or the client's own rules; `rule`: one of ours. */
  readonly cause: "direct" | "cascade" | "rule" | "hook" | "expired";
  readonly by?: string;
  /** The call whose denial this one follows. */
  readonly callId?: CallId;
  readonly approvalId?: string;
  readonly message?: string;
  readonly interrupt?: boolean;
  /** The engine's own conclusion, not yet seen in a result. */
  readonly predicted: boolean;
}

export interface CallInput {
  readonly id: CallId;
  readonly requestId: RequestId;
  readonly agentId: AgentId;
  readonly parentCallId?: CallId;
  readonly batchId: BatchId;
  readonly index: number;
  readonly tool: string;
  readonly input?: ToolInput;
  readonly toolUseId?: string;
  readonly match: Match;
  readonly intent?: Intent;
  readonly at: number;
  readonly observedAt?: number;
}

export interface CallContext extends Omit<CallInput, "at"> {
  readonly createdAt: number;
  readonly queuedAt?: number;
  readonly startedAt?: number;
  readonly closedAt?: number;
  readonly updatedAt: number;
  readonly deferredAt?: number;
  readonly deferred: boolean;
  readonly approval?: {
    readonly id: string;
    readonly at: number;
    readonly by?: string;
    readonly inputHash?: string;
    readonly message?: string;
  };
  readonly permission?: {
    readonly decision: "accept" | "reject";
    readonly source: string;
    readonly reason?: string;
  };
  readonly output?: string;
  readonly error?: string;
  readonly durationMs?: number;
  /** What the tool was really given, where that differs from `input`. */
  readonly ranInput?: ToolInput;
  readonly denial?: Denial;
  readonly missing?: { readonly cause: Missing; readonly evidence: string };
  readonly was?: "missing-post";
  readonly observed?: "ran" | "not-run" | "unknown";
  readonly executedAfterDenial?: true;
  readonly annotations: readonly Annotation[];
}

interface Result {
  readonly at: number;
  readonly durationMs?: number;
  readonly ranInput?: ToolInput;
}

export type CallEvent =
  | { readonly type: "announced"; readonly at: number }
  | { readonly type: "started"; readonly at: number; readonly match?: Match }
  | ({ readonly type: "finished"; readonly output?: string } & Result)
  | ({ readonly type: "failed"; readonly error: string } & Result)
  | { readonly type: "denied"; readonly at: number; readonly denial: Denial }
  | { readonly type: "missed"; readonly at: number; readonly cause: Missing; readonly evidence: string }
  | { readonly type: "deferred"; readonly at: number }
  | { readonly type: "asked"; readonly at: number; readonly approvalId: string; readonly inputHash?: string }
  | { readonly type: "approved"; readonly at: number; readonly by: string }
  | { readonly type: "refused"; readonly at: number; readonly by: string; readonly denial: Denial }
  | { readonly type: "lapsed"; readonly at: number; readonly denial?: Denial }
  | { readonly type: "withdrawn"; readonly at: number; readonly by: string }
  | { readonly type: "placed"; readonly at: number; readonly index: number }
  | {
      readonly type: "amended";
      readonly at: number;
      readonly toolUseId?: string;
      readonly intent?: Intent;
      readonly permission?: CallContext["permission"];
    };

type Facts = Partial<Omit<CallContext, "annotations">>;

/** The fields an event writes, besides the state it leads to. */
function learn(context: CallContext, event: CallEvent): Facts {
  switch (event.type) {
    case "announced":
      return { queuedAt: event.at };
    case "started":
      return { startedAt: context.startedAt ?? event.at, ...(event.match && { match: event.match }) };
    case "finished":
    case "failed":
      return {
        closedAt: event.at,
        ...(event.type === "failed"
          ? { error: event.error }
          : event.output !== undefined && { output: event.output }),
        ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
        ...(event.ranInput && { ranInput: event.ranInput }),
      };
    case "denied":
      return {
        closedAt: event.at,
        denial: event.denial,
        observed: event.denial.predicted ? "unknown" : "not-run",
      };
    case "refused":
      return { closedAt: event.at, denial: event.denial, observed: "unknown" };
    case "lapsed":
      return event.denial ? { closedAt: event.at, denial: event.denial, observed: "unknown" } : {};
    case "missed":
      return { closedAt: event.at, missing: { cause: event.cause, evidence: event.evidence } };
    case "deferred":
      return { deferredAt: event.at };
    case "placed":
      return { index: event.index };
    case "amended":
      return {
        ...(event.toolUseId !== undefined && { toolUseId: event.toolUseId }),
        ...(event.intent && { intent: event.intent }),
        ...(event.permission && { permission: event.permission }),
      };
    case "asked":
    case "approved":
    case "withdrawn":
      return {};
  }
}

/** The approval's own fields, kept beside the region that mirrors its state. */
function hear(context: CallContext, event: CallEvent): Pick<CallContext, "approval"> {
  if (event.type === "asked") {
    const { approvalId: id, at, inputHash } = event;
    return { approval: { id, at, ...(inputHash !== undefined && { inputHash }) } };
  }
  const approval = context.approval;
  if (!approval) return {};
  if (event.type === "approved" || event.type === "withdrawn") {
    return { approval: { ...approval, at: event.at, by: event.by } };
  }
  if (event.type === "refused") {
    const { message } = event.denial;
    return {
      approval: { ...approval, at: event.at, by: event.by, ...(message !== undefined && { message }) },
    };
  }
  return event.type === "lapsed" ? { approval: { ...approval, at: event.at, by: "deadline" } } : {};
}

function confirmDenial(context: CallContext, event: CallEvent): Facts {
  const denial = context.denial;
  if (event.type !== "denied" || !denial) return {};
  const refined =
    denial.cause === "direct" && event.denial.cause === "hook" ? { cause: event.denial.cause } : {};
  const message = denial.message ?? event.denial.message;
  return {
    denial: {
      ...denial,
      ...refined,
      ...(message !== undefined && { message }),
      predicted: denial.predicted && event.denial.predicted,
    },
    ...(!event.denial.predicted && context.observed !== "ran" && { observed: "not-run" }),
  };
}

const callSetup = setup({
  types: {
    context: {} as CallContext,
    events: {} as CallEvent,
    input: {} as CallInput,
    tags: {} as "terminal",
  },
  actions: {
    ...effects,
    learn: assign(({ context, event }) => ({ ...learn(context, event), updatedAt: event.at })),
    hear: assign(({ context, event }) => ({ ...hear(context, event), updatedAt: event.at })),
    note: assign(({ context, event }) => ({
      annotations: annotated(context.annotations, event.at, event.type),
      updatedAt: event.at,
    })),
    revise: assign({ was: "missing-post" }),
    unmask: assign({ observed: "ran", executedAfterDenial: true }),
    confirm: assign(({ context, event }) => confirmDenial(context, event)),
    recast: assign(({ event }) =>
      event.type === "missed" ? { missing: { cause: event.cause, evidence: event.evidence } } : {},
    ),
    putOff: assign({ deferred: true }),
    takeUp: assign({ deferred: false }),
  },
  guards: {
    repeated: ({ context, event }) =>
      (event.type === "finished" && event.output === context.output) ||
      (event.type === "failed" && event.error === context.error),
    denies: ({ event }) => event.type === "lapsed" && event.denial !== undefined,
    isDeferred: ({ context }) => context.deferred,
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

type Closed = Extract<Report, { type: "call.closed" }>["state"];
const reportClosed = (state: Closed) =>
  ({
    type: "report",
    params: ({ context }: { context: CallContext }) => ({
      type: "call.closed" as const,
      callId: context.id,
      state,
      revised: context.was !== undefined,
      ...(context.denial && { denial: context.denial }),
    }),
  }) as const;

const late = { actions: ["note", annotate] } as const;

/** What closes a call, from any state it is open in (C1, C2, C4). */
const closing = {
  finished: { target: "completed", actions: "learn" },
  failed: { target: "failed", actions: "learn" },
  denied: { target: "denied", actions: "learn" },
  refused: { target: "denied", actions: "learn" },
  lapsed: { guard: "denies", target: "denied", actions: "learn" },
  missed: { target: "missing-post", actions: "learn" },
} as const;

const resulted = {
  finished: [{ guard: "repeated" }, late],
  failed: [{ guard: "repeated" }, late],
  announced: late,
  started: late,
  denied: late,
  refused: late,
  missed: late,
  deferred: late,
} as const;

export const callMachine = callSetup.createMachine({
  id: "call",
  version: "1",
  type: "parallel",
  context: ({ input: { at, ...facts } }) => ({
    ...facts,
    createdAt: at,
    updatedAt: at,
    deferred: false,
    annotations: [],
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
            deferred: { target: "queued", actions: ["learn", "putOff", reportDeferral] },
          },
        },
        queued: {
          on: {
            ...closing,
            announced: {},
            started: [
              { guard: "isDeferred", target: "processing", actions: ["learn", "takeUp", reportDeferral] },
              { target: "processing", actions: "learn" },
            ],
            deferred: [{ guard: "isDeferred" }, { actions: ["learn", "putOff", reportDeferral] }],
          },
        },
        processing: {
          on: {
            ...closing,
            announced: {},
            started: {},
            deferred: { target: "queued", actions: ["learn", "putOff", reportDeferral] },
          },
        },
        completed: { tags: "terminal", entry: reportClosed("completed"), on: resulted },
        failed: { tags: "terminal", entry: reportClosed("failed"), on: resulted },
        denied: {
          tags: "terminal",
          entry: reportClosed("denied"),
          on: {
            finished: { actions: ["unmask", "note", annotate] },
            failed: { actions: ["unmask", "note", annotate] },
            denied: { actions: ["confirm", "note", annotate] },
            announced: late,
            started: late,
            refused: late,
            missed: late,
            deferred: late,
          },
        },
        "missing-post": {
          tags: "terminal",
          entry: reportClosed("missing-post"),
          on: {
            finished: { target: "completed", actions: ["revise", "learn"] },
            failed: { target: "failed", actions: ["revise", "learn"] },
            denied: { target: "denied", actions: ["revise", "learn"] },
            missed: [{ guard: "isTheClientsWord", actions: ["recast", "note", annotate] }, late],
            announced: late,
            started: late,
            refused: late,
            deferred: late,
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
            refused: { target: "denied", actions: "hear" },
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
