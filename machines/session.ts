// Session
// The machine of one agent session. Its states are those that the panel shows: idle, running, waiting for a person, ended.
//
//   Owns:          the session's state and view; creating its actors and passing events on to them.
//   Does not own:  choosing the actors that an input concerns (the router puts its finished plan into the session's event).
//
// S3.17 A session's state is `waiting_input` exactly while an approval is pending, and `running` while a request is open.
// I-44. A session's snapshot stays below 4 kB, because it contains counts, never lists.
// I-48. Only an idle session has a deadline, named "idle". It is set when the session becomes idle, unless it is set already,
//       and inputs do not change it. So no input has to set a timer. If an input has come by the time the deadline is reached,
//       the session does not end, and a later deadline is set.

import { assign, setup } from "xstate";
import { approvalMachine } from "./approval.ts";
import { effects, type Remove, type Schedule, type Step } from "./effects.ts";
import type { SessionId, WorkspaceId } from "./ids.ts";
import type { SessionFacts } from "./inputs.ts";
import { requestMachine } from "./request.ts";
import { callMachine } from "./tool-call.ts";

export interface SessionCounts {
  readonly requests: number;
  readonly openRequests: number;
  readonly calls: number;
  readonly openCalls: number;
  readonly pendingApprovals: number;
}

export interface SessionInput {
  readonly id: SessionId;
  readonly workspace: WorkspaceId;
  readonly source: string;
  readonly keepMs: number;
  readonly at: number;
  /** True if whoever began the session may send to every workspace. */
  readonly isUnbound?: true;
}

export interface SessionContext extends Omit<SessionInput, "at">, SessionFacts {
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Why the session ended: `idle`, or the reason that the source gave. */
  readonly endReason?: string | undefined;
  readonly watched?: boolean;
  readonly counts: SessionCounts;
  readonly lastEvent: { readonly type: string; readonly at: number };
}

export interface SessionEvent {
  /**
   * What happened to the session. `began`, `ended`: the client's process started, or ended. `worked`: any other message from
   * outside. `reported`: an actor of the session reported. `idled`: the deadline of an idle session was reached.
   */
  readonly type: "began" | "ended" | "worked" | "reported" | "idled";
  readonly at: number;
  readonly what: string;
  readonly steps: readonly Step[];
  readonly timers: readonly Schedule[];
  readonly removals: readonly Remove[];
  readonly facts: SessionFacts;
  readonly counts: SessionCounts;
  readonly revives: boolean;
  readonly idleAt: number;
  readonly reason?: string;
}

const NO_COUNTS: SessionCounts = {
  requests: 0,
  openRequests: 0,
  calls: 0,
  openCalls: 0,
  pendingApprovals: 0,
};

const sessionParts = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as SessionInput,
    tags: {} as "terminal",
  },
  actors: { request: requestMachine, call: callMachine, approval: approvalMachine },
  actions: {
    ...effects,
    learn: assign(({ event }) => ({
      counts: event.counts,
      lastEvent: { type: event.what, at: event.at },
      ...event.facts,
      ...(event.type === "began" && { startedAt: event.at }),
      // An end without a reason removes the reason of an earlier end.
      ...((event.type === "ended" || event.type === "idled") && {
        endedAt: event.at,
        endReason: event.reason,
      }),
    })),
    watch: assign({ watched: true }),
    unwatch: assign({ watched: false }),
  },
  guards: {
    waits: ({ event }) => event.counts.pendingApprovals > 0,
    works: ({ event }) => event.counts.openRequests > 0,
    waitsAgain: ({ event }) => event.revives && event.counts.pendingApprovals > 0,
    worksAgain: ({ event }) => event.revives && event.counts.openRequests > 0,
    isIdle: ({ event }) => event.idleAt <= event.at,
  },
});

const conduct = sessionParts.enqueueActions(({ enqueue, event }) => {
  for (const step of event.steps) {
    if (step.do === "spawn") enqueue({ type: "spawn", params: step });
    else if (step.do === "deliver") enqueue({ type: "deliver", params: step });
    else if (step.do === "answer") enqueue({ type: "answer", params: step.answer });
    else if (step.do === "audit") enqueue({ type: "audit", params: step.audit });
    else enqueue({ type: "alias", params: step.alias });
  }
  for (const timer of event.timers) {
    if (timer.at === undefined) enqueue({ type: "cancel", params: { timer: timer.timer } });
    else enqueue({ type: "schedule", params: timer });
  }
  for (const removal of event.removals) enqueue({ type: "remove", params: removal });
});

const sessionSetup = sessionParts.extend({ actions: { conduct } });

type Args = { readonly context: SessionContext; readonly event: SessionEvent };
const idleAt = (at: (args: Args) => number | undefined) =>
  ({ type: "schedule", params: (args: Args) => ({ timer: "idle", at: at(args) }) }) as const;
const watchFor = idleAt(({ context, event }) => (context.watched === true ? undefined : event.idleAt));
const watchOn = idleAt(({ event }) => event.idleAt);

const actions = ["learn", "conduct"] as const;
const phase = [
  { guard: "waits", target: "waiting_input", actions },
  { guard: "works", target: "running", actions },
  { target: "idle", actions: [...actions, watchFor, "watch"] },
] as const;
const open = { began: phase, worked: phase, reported: phase, ended: { target: "ended", actions } } as const;
const atWork = { ...open, idled: { actions: "unwatch" } } as const;

export const sessionMachine = sessionSetup.createMachine({
  id: "session",
  version: "3",
  initial: "idle",
  context: ({ input: { at, ...facts } }) => ({
    createdAt: at,
    counts: NO_COUNTS,
    lastEvent: { type: "created", at },
    ...facts,
  }),
  states: {
    idle: { on: { ...open, idled: [{ guard: "isIdle", target: "ended", actions }, { actions: watchOn }] } },
    running: { on: atWork },
    waiting_input: { on: atWork },
    ended: {
      tags: "terminal",
      entry: [
        {
          type: "schedule",
          params: ({ context }) => ({ timer: "removal", at: context.lastEvent.at + context.keepMs }),
        },
        { type: "cancel", params: { timer: "idle" } },
        "unwatch",
      ],
      exit: { type: "cancel", params: { timer: "removal" } },
      on: {
        began: phase,
        ended: { actions },
        worked: [
          { guard: "waitsAgain", target: "waiting_input", actions },
          { guard: "worksAgain", target: "running", actions },
          { actions },
        ],
        reported: { actions },
      },
    },
  },
});
