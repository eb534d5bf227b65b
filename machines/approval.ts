// Approval
// The machine of one approval: the approval is requested, and then is answered, expires at its deadline, or is withdrawn.
//
//   Owns:          the states of an approval, and which of several answers counts.
//   Does not own:  what an event adds to an approval's data (approval-learning), which call an approval is about (matching),
//                  which other calls a denial denies (cascade).
//
// I-08. A decision can approve only if it gives the hash of the input that the approver was shown. An approval that shows no
//       input, or a damaged input (its text no longer has its hash), can be denied through Signalbox, but approved only at the
//       client that requested it.
// I-14. Of several decisions on an approval, the first in the journal counts. The others are recorded as ignored, with the
//     reason.
// APPROVAL-1. An approval stores each report about the delivery of its answer once, whatever the order of the reports. No report
//     changes the approval's state.
// APPROVAL-2. A withdrawn approval stays withdrawn. If an event shows that it had been answered elsewhere, for example in the
//     client's own dialog, the approval records that answer. Later events may correct the record, until the source itself
//     reports who answered: that report is final.
// APPROVAL-3. If rules demand that several people approve, each approving answer is one vote. The vote that meets the last demand
//     approves.
// APPROVAL-4. A pending approval keeps its newest assignment, which changes neither state nor deadline. An approval that has
//     ended ignores an assignment, and its reply tells the sender that the assignment was ignored.

import { assign, setup } from "xstate";
import { annotated } from "./facts/annotation.ts";
import type { ApprovalContext, ApprovalEvent, ApprovalInput } from "./facts/approval-facts.ts";
import { learnt, outcomeOf, votedBy, wayOf } from "./facts/approval-learning.ts";
import { type DecisionResult, type Audit, auditedInput } from "./audit.ts";
import { effects } from "./effects.ts";
import { isMet, refusalOf, wakesAt } from "./evidence/votes.ts";
import { defined } from "./defined.ts";

type Args = { context: ApprovalContext; event: ApprovalEvent };

const answerOf =
  (result: DecisionResult["result"], state: string, reason?: string) =>
  ({ context, event }: Args): DecisionResult => ({
    approvalId: ("alias" in event ? event.alias : undefined) ?? context.id,
    result,
    state,
    ...defined({ reason }),
    ...(result === "ignored" && winnerOf(context)),
  });

function winnerOf({ by, via, closedAt: at }: ApprovalContext): Pick<DecisionResult, "winner"> {
  return by === undefined || at === undefined ? {} : { winner: { by, at, ...defined({ via }) } };
}

/**
 * Says why a decision to approve does not count: the approval's input is missing, is damaged, or is not the one that the
 * approver was shown (by its hash). Says also what the sender can do instead.
 */
function unseen({ context, event }: Args): string {
  if (!context.input) return "it shows no input to approve: deny it, or answer where it was asked";
  if ("damaged" in context.input)
    return "its input is damaged in the store and cannot be shown: deny it, or answer where it was asked";
  return event.type === "decided" && event.inputHash === undefined
    ? "inputHash is missing: send the hash of the input that was shown"
    : "input-changed";
}

type Decided = Extract<ApprovalEvent, { type: "decided" }>;

/** VOTES-1..4. @returns why a decision to approve does not count as a vote; undefined if it counts, or for a denial. */
function uncounted(context: ApprovalContext, event: Decided): string | undefined {
  return event.decision === "approve"
    ? refusalOf(context, event, event.updatedInput !== undefined)
    : undefined;
}

const unheard = ({ context, event }: Args): string =>
  (event.type === "decided" && uncounted(context, event)) || "it does not count";

const refuses = (why: (args: Args) => string) =>
  [
    { type: "audit", params: (args: Args) => auditOf("ignored-decision", why(args))(args) },
    { type: "answer", params: (args: Args) => answerOf("refused", "pending", why(args))(args) },
  ] as const;

const auditOf =
  (kind: Audit["kind"], reason?: string) =>
  ({ context, event }: Args): Audit => {
    const said = event.type === "decided" || event.type === "answered" ? event : undefined;
    return {
      kind,
      approvalId: context.id,
      ...(event.type === "decided" && event.alias !== undefined && { alias: event.alias }),
      ...defined({ callId: context.callId }),
      by: said?.by ?? (event.type === "lapsed" ? "deadline" : "elsewhere"),
      decision: said?.decision ?? event.type,
      ...defined({ reason }),
      tool: context.tool,
      ...auditedInput(context.input),
      ...defined({ message: said?.message }),
      at: event.at,
    };
  };

const approvalSetup = setup({
  types: {
    context: {} as ApprovalContext,
    events: {} as ApprovalEvent,
    input: {} as ApprovalInput,
    tags: {} as "terminal",
  },
  actions: {
    ...effects,
    learn: assign(({ context, event }) => ({ updatedAt: event.at, ...learnt(context, event) })),
    follow: assign(({ context, event }) => ({ updatedAt: event.at, ...wayOf(context, event) })),
    vote: assign(({ context, event }) =>
      event.type === "decided" ? { updatedAt: event.at, ...votedBy(context, event) } : {},
    ),
    explain: assign(({ context, event }) => ({ updatedAt: event.at, ...outcomeOf(context, event) })),
    note: assign(({ context, event }) => ({
      annotations: annotated(context.annotations, event.at, event.type),
      updatedAt: event.at,
    })),
  },
  guards: {
    isNews: ({ context, event }) => Object.keys(wayOf(context, event)).length > 0,
    isExplained: ({ context, event }) => Object.keys(outcomeOf(context, event)).length > 0,
    isUncounted: ({ context, event }) => event.type === "decided" && uncounted(context, event) !== undefined,
    isEarly: ({ context: { demands, deadlineAt }, event }) =>
      event.type === "lapsed" &&
      event.byTimer === true &&
      demands !== undefined &&
      (deadlineAt === undefined || event.at < deadlineAt),
    isOneOfSeveral: ({ context, event }) =>
      event.type === "decided" && event.decision === "approve" && !isMet(context, event),
    approves: ({ event }) =>
      (event.type === "decided" || event.type === "answered") && event.decision === "approve",
    // This also holds for an approval without an input, or with a damaged one: no approver can have seen such an input.
    sawAnotherInput: ({ context, event }) =>
      event.type === "decided" &&
      event.decision === "approve" &&
      (!context.input || "damaged" in context.input || event.inputHash !== context.input.hash),
  },
});

const annotate = {
  type: "annotate",
  params: ({ event }: Args) => ({ at: event.at, what: event.type }),
} as const;
const reportClosed = (state: "approved" | "denied" | "expired" | "withdrawn") =>
  ({
    type: "report",
    params: ({ context }: { context: ApprovalContext }) => ({
      type: "approval.closed" as const,
      approvalId: context.id,
      state,
      by: context.by ?? "elsewhere",
      ...defined({ message: context.message, interrupt: context.interrupt }),
      ...(context.observed && { observed: true }),
      ...(state === "approved" && !context.observed && approvedHash(context)),
      ...(state === "expired" && { onDeadline: context.onDeadline }),
    }),
  }) as const;
function approvedHash({ input, updatedInput }: ApprovalContext): { readonly inputHash?: string } {
  const hash = (updatedInput ?? input)?.hash;
  return hash === undefined ? {} : { inputHash: hash };
}

const audited = (kind: Audit["kind"], reason?: string) =>
  ({ type: "audit", params: auditOf(kind, reason) }) as const;
const answered = (...said: Parameters<typeof answerOf>) =>
  ({ type: "answer", params: answerOf(...said) }) as const;

const closes = (state: "approved" | "denied") =>
  ["learn", audited("decision"), answered("accepted", state)] as const;
const observed = ["learn", audited("observed-outcome")] as const;

const tooLate = (state: string) => answered("ignored", state, `already ${state}`);
const ignore = (state: string) => ({
  actions: [
    "follow",
    "note",
    annotate,
    audited("ignored-decision", `already ${state}`),
    tooLate(state),
  ] as const,
});
/** VOTES-3. Sets the timer for the next moment at which a further person may answer, or the approval expires. */
const wake = {
  type: "schedule",
  params: ({ context, event }: Args) => ({ timer: "deadline", at: wakesAt(context, event.at) }),
} as const;

const late = { actions: ["note", annotate] } as const;
/** APPROVAL-1. Stores a report about the delivery of the answer, if the report says something new. */
const way = [{ guard: "isNews", actions: ["follow", annotate] }, {}] as const;

/** APPROVAL-2. Stores how a withdrawn approval was answered, if the event says something new about that. */
const explained = {
  guard: "isExplained",
  actions: ["explain", annotate, audited("observed-outcome")],
} as const;

const closed = (state: "approved" | "denied" | "expired" | "withdrawn") =>
  ({
    tags: "terminal",
    entry: reportClosed(state),
    on: {
      decided: ignore(state),
      assigned: { actions: tooLate(state) },
      answered: late,
      asked: late,
      bound: { actions: "learn" },
      staled: {},
      demanded: {},
      lapsed: way,
      withdrawn: {},
      taken: way,
      left: way,
      seen: way,
    },
  }) as const;

const withdrawn = closed("withdrawn");

export const approvalMachine = approvalSetup.createMachine({
  id: "approval",
  version: "5",
  initial: "pending",
  context: ({ input: { at, channel, ...facts } }) => ({
    askedAt: at,
    updatedAt: at,
    channels: [channel],
    annotations: [],
    ...facts,
  }),
  states: {
    pending: {
      entry: { type: "schedule", params: ({ context }) => ({ timer: "deadline", at: context.deadlineAt }) },
      exit: { type: "cancel", params: { timer: "deadline" } },
      on: {
        asked: { actions: "learn" },
        bound: { actions: "learn" },
        staled: { actions: ["learn", annotate] },
        demanded: { actions: ["learn", wake] },
        assigned: { actions: ["learn", answered("accepted", "pending")] },
        decided: [
          { guard: "sawAnotherInput", actions: refuses(unseen) },
          { guard: "isUncounted", actions: refuses(unheard) },
          { guard: "isOneOfSeveral", actions: ["vote", audited("vote"), answered("counted", "pending")] },
          { guard: "approves", target: "approved", actions: closes("approved") },
          { target: "denied", actions: closes("denied") },
        ],
        answered: [
          { guard: "approves", target: "approved", actions: observed },
          { target: "denied", actions: observed },
        ],
        lapsed: [
          { guard: "isEarly", actions: [annotate, wake] },
          { target: "expired", actions: ["learn", audited("decision", "deadline")] },
        ],
        withdrawn: { target: "withdrawn", actions: observed },
        // A pending approval has no answer yet, so a report about the delivery of an answer changes nothing.
        taken: {},
        left: {},
        seen: { actions: "learn" },
      },
    },
    approved: closed("approved"),
    denied: closed("denied"),
    expired: closed("expired"),
    withdrawn: {
      ...withdrawn,
      on: { ...withdrawn.on, answered: [explained, late], withdrawn: [explained, {}] },
    },
  },
});
