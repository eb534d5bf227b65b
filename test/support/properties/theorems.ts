// Theorems
// What holds of a session after every message, and of every message's step, each named by its claim.
//
//   Owns:          the checkers; each throws its claim's name.
//   Does not own:  which sessions they are tried on (machines.invariants.test).

import type { RequestContext } from "../../../machines/index.ts";
import { isTentative } from "../../../machines/facts/call-facts.ts";
import { batches } from "../../../machines/books.ts";
import type { Heard, SeenCall, SessionRun } from "../sessions/session-run.ts";

/** A session at one moment, to be compared with a later one. */
export interface Moment {
  readonly calls: ReadonlyMap<string, SeenCall>;
  readonly requests: ReadonlyMap<string, { readonly state: string; readonly context: RequestContext }>;
  readonly questions: ReadonlyMap<string, { readonly state: string; readonly callId: string | undefined }>;
}

export function momentOf(run: SessionRun): Moment {
  return {
    calls: new Map(run.calls.map((call) => [call.id, call])),
    requests: new Map(run.requests.map((request) => [request.id, request])),
    questions: new Map(run.approvals.map(({ id, state, context: { callId } }) => [id, { state, callId }])),
  };
}

const isOpen = ({ state }: { readonly state: string }): boolean =>
  ["created", "queued", "processing"].includes(state);
const isOver = (state: string): boolean => ["completed", "failed", "timeout"].includes(state);

function claim(name: string, holds: boolean, about = ""): void {
  if (!holds) throw new Error(`${name} is broken${about && `: ${about}`}`);
}

const ascending = (times: readonly (number | undefined)[]): boolean =>
  times
    .filter((time) => time !== undefined)
    .every((time, index, all) => index === 0 || (all[index - 1] ?? 0) <= time);

/** Of a session at any moment. */
export const OF_STATE: Readonly<Record<string, (run: SessionRun) => void>> = {
  "I-03 timesAreInOrder": ({ requests, calls }) => {
    for (const { id, state, context } of requests) {
      const { createdAt, queuedAt, processingStartedAt, completedAt } = context;
      claim("I-03", ascending([createdAt, queuedAt, processingStartedAt, completedAt]), id);
      claim("I-03", (completedAt !== undefined) === isOver(state), id);
      if (state === "processing" || state === "waiting") claim("I-03", processingStartedAt !== undefined, id);
    }
    for (const { id, context, ...call } of calls) {
      claim("I-03", ascending([context.createdAt, context.queuedAt, context.startedAt]), id);
      claim("I-03", (context.closedAt !== undefined) === !isOpen(call), id);
    }
  },
  "I-04 timedOutIsTimeout": ({ requests }) => {
    for (const { id, state, context } of requests)
      claim("I-04", context.timedOut === (state === "timeout"), id);
  },
  "I-07 eachQuestionHasOneCall": ({ approvals, calls }) => {
    const pending = approvals
      .filter(({ state }) => state === "pending")
      .flatMap(({ context }) => context.callId ?? []);
    claim("I-07", new Set(pending).size === pending.length);
    for (const { id, approval, context } of calls) {
      const asked = approvals.filter(({ context: { callId } }) => callId === id).at(-1);
      claim("I-07", (approval === "none") === (asked === undefined), id);
      if (asked) claim("I-07", context.approval?.id === asked.id && approval === asked.state, id);
    }
  },
  "I-12 cascadesAreWhole": (run) => {
    if (run.policy.cascade !== "strict") return;
    for (const denied of run.calls) {
      const { denial, batchId, index } = denied.context;
      if (
        denied.state !== "denied" ||
        denial?.cause === "cascade" ||
        batches.get(run.records, batchId)?.ordered
      )
        continue;
      // C2: one that was closed when the denial came, and was opened by a deferral that was heard later, is not reached.
      const isReached = ({ was, deferredAt = 0 }: SeenCall["context"]): boolean =>
        was === undefined || deferredAt <= (denied.context.closedAt ?? 0);
      const spared = run.calls.find(
        (call) =>
          isOpen(call) &&
          call.context.batchId === batchId &&
          call.context.index > index &&
          isReached(call.context),
      );
      claim("I-12", spared === undefined, `${denied.id} is denied, ${spared?.id ?? ""} is not`);
    }
  },
  "I-13 causesEndAtOne": ({ calls }) => {
    const byId = new Map(calls.map((call) => [call.id, call]));
    for (const { id, state, context } of calls) {
      if (state !== "denied" || context.denial?.cause !== "cascade") continue;
      const cause = byId.get(context.denial.callId ?? "");
      claim("I-13", cause !== undefined && cause.id !== id, id);
      const brought = cause?.state === "denied" && cause.context.denial?.cause === "cascade";
      claim("I-13", !brought, `${id} names ${cause?.id ?? ""}, which names another`);
      claim(
        "I-13",
        cause?.context.requestId === context.requestId || cause?.context.batchId === context.batchId,
        id,
      );
    }
  },
  "I-10 aDenialReachesForward": ({ policy, calls, records }) => {
    if (policy.cascade !== "strict") return;
    const byId = new Map(calls.map((call) => [call.id, call]));
    for (const { id, state, context } of calls) {
      const { denial, batchId, index } = context;
      // A batch that was ordered later may have been in another when it was denied.
      if (state !== "denied" || denial?.cause !== "cascade" || !denial.predicted) continue;
      if (batches.get(records, batchId)?.ordered) continue;
      const cause = byId.get(denial.callId ?? "")?.context;
      claim("I-10", cause?.batchId === batchId && cause.index < index, id);
    }
  },
  "C4 nothingIsForeseenUnderNone": ({ policy, calls }) => {
    if (policy.cascade !== "none") return;
    for (const { id, context } of calls)
      if (context.denial?.cause === "cascade") claim("C4", !context.denial.predicted, id);
  },
  "I-15 nothingIsLostOrCountedTwice": ({ calls, requests, approvals, session }) => {
    const counts = {
      requests: requests.length,
      openRequests: requests.filter(({ state }) => !isOver(state)).length,
      calls: calls.length,
      openCalls: calls.filter(isOpen).length,
      pendingApprovals: approvals.filter(({ state }) => state === "pending").length,
    };
    if (session)
      claim(
        "I-15",
        JSON.stringify(session.context.counts) === JSON.stringify(counts),
        JSON.stringify(counts),
      );
  },
  "I-15 batchesAreWhole": (run) => {
    for (const id of new Set(run.calls.map(({ context }) => context.batchId))) {
      const size = run.calls.filter(({ context }) => context.batchId === id).length;
      claim("I-15", batches.get(run.records, id)?.size === size, id);
    }
  },
  "R2 waitingIsAskedOrDeferred": ({ requests, approvals, calls }) => {
    for (const { id, state } of requests) {
      if (state !== "processing" && state !== "waiting") continue;
      const asked = approvals.some((each) => each.state === "pending" && each.context.requestId === id);
      const deferred = calls.some(
        (call) => isOpen(call) && call.context.deferred && call.context.requestId === id,
      );
      claim("R2", (state === "waiting") === (asked || deferred), id);
    }
  },
  "R2 runningTimeIsCounted": ({ requests }) => {
    for (const { id, state, context } of requests)
      claim("R2", (context.runningSince !== null) === (state === "processing"), id);
  },
  "S3.17 theSessionShowsWhatItWaitsFor": ({ session }) => {
    if (!session || session.state === "ended") return;
    const { pendingApprovals, openRequests } = session.context.counts;
    const expected = pendingApprovals > 0 ? "waiting_input" : openRequests > 0 ? "running" : "idle";
    claim("S3.17", session.state === expected, `${session.state}, not ${expected}`);
  },
  "I-44 theSessionStaysSmall": ({ session }) => {
    claim("I-44", JSON.stringify(session?.context ?? {}).length < 4_096);
  },
};

const MOVES: Readonly<Record<string, readonly string[]>> = {
  created: ["queued", "processing", "waiting", "completed", "failed", "timeout"],
  queued: ["processing", "waiting", "completed", "failed", "timeout"],
  processing: ["waiting", "completed", "failed", "timeout"],
  waiting: ["processing", "completed", "failed", "timeout"],
};

/**
 * C2, C4: the client's word that a call was stopped, or never began, is better than a bare failure. Its word that a call
 * was stopped, or killed, is also better than a denial of which it did not say whether the call had begun.
 */
function correction({ state, context }: SeenCall, now: SeenCall | undefined): boolean {
  const missing = now?.state === "missing-post" ? now.context.missing : undefined;
  if (missing?.evidence === "result")
    return context.denial?.revisable === true || (state === "failed" && missing.cause === "interrupted");
  return state === "failed" && now?.state === "denied" && now.context.executedAfterDenial === true;
}

/** Of a session before and after one message. */
export const OF_STEP: Readonly<Record<string, (before: Moment, after: Moment, heard: Heard) => void>> = {
  "I-01 whatIsClosedStaysClosed": (before, after) => {
    for (const [id, call] of before.calls) {
      const now = after.calls.get(id)?.state;
      if (isOpen(call) || now === call.state) continue;
      const isInferred = call.state === "denied" && isTentative(call.context.denial);
      const isPutOff = after.calls.get(id)?.context.deferredAt !== undefined;
      // C2: a call that began anew before it was heard that it had been put off is at work.
      const late = isPutOff ? ["queued", "processing"] : [];
      const corrected = correction(call, after.calls.get(id));
      // C4: that a call was put off takes an inferred denial back, and then opens it as if nobody had inferred it.
      const isReopened = isInferred && late.includes(now ?? "") && call.context.denial?.cause === "inferred";
      const ways = isInferred
        ? ["completed", "failed", "missing-post", ...(isReopened ? late : [])]
        : ["completed", "failed", "denied", ...late];
      const isMoved = (call.state === "missing-post" || isInferred) && ways.includes(now ?? "");
      claim("I-01", isMoved || corrected, id);
      const was = isReopened ? "missing-post" : call.state;
      claim("C2", after.calls.get(id)?.context.was === was, id);
      // A denial that was taken back leaves a call as it would be without it: its first result still counts.
      const isFirstWay = call.context.was !== "missing-post";
      claim("C2", isFirstWay || isPutOff || isInferred || corrected, id);
    }
    for (const [id, { state }] of before.requests)
      if (isOver(state)) claim("I-01", after.requests.get(id)?.state === state, id);
    for (const [id, { state }] of before.questions)
      if (state !== "pending") claim("I-01", after.questions.get(id)?.state === state, id);
  },
  "I-02 requestsMoveForward": (before, after) => {
    for (const [id, { state }] of before.requests) {
      const now = after.requests.get(id)?.state ?? "gone";
      if (now !== state && !isOver(state))
        claim("I-02", MOVES[state]?.includes(now) === true, `${id}: ${state} to ${now}`);
    }
  },
  "I-02 noStateIsSkippedInTheLog": (_before, _after, { changes = [] }) => {
    const last = new Map<string, string>();
    for (const { entity, id, from, to } of changes) {
      const known = last.get(`${entity} ${id}`);
      if (known !== undefined) claim("I-02", from === known, `${entity} ${id}`);
      if (to !== "annotated") last.set(`${entity} ${id}`, to);
    }
  },
  "I-03 timesAreWrittenOnce": (before, after) => {
    for (const [id, { context }] of before.requests) {
      const now = after.requests.get(id)?.context;
      for (const key of ["createdAt", "queuedAt", "processingStartedAt", "completedAt"] as const)
        if (context[key] !== undefined) claim("I-03", now?.[key] === context[key], `${id} ${key}`);
    }
    for (const [id, { context }] of before.calls) {
      const now = after.calls.get(id)?.context;
      for (const key of ["createdAt", "startedAt"] as const)
        if (context[key] !== undefined) claim("I-03", now?.[key] === context[key], `${id} ${key}`);
    }
  },
  "I-17 theInputStays": (before, after) => {
    for (const [id, { context }] of before.calls)
      claim("I-17", JSON.stringify(after.calls.get(id)?.context.input) === JSON.stringify(context.input), id);
  },
  "I-07 aBindingIsForEver": (before, after) => {
    for (const [id, { callId }] of before.questions)
      if (callId !== undefined) claim("I-07", after.questions.get(id)?.callId === callId, id);
  },
  "I-10 onlyWhatTheDenialReaches": (before, after, { changes = [] }) => {
    const brought = changes.flatMap(({ entity, id, to, cause }) =>
      entity === "toolcall" && to === "denied" && isCascade(cause) ? [{ id, by: cause.callId }] : [],
    );
    for (const { id, by } of brought) {
      const call = after.calls.get(id);
      // What the same message says next may give the denial another cause.
      const cause = after.calls.get(by);
      const was = before.calls.get(id);
      claim("I-10", was === undefined || isOpen(was) || was.state === "missing-post", id);
      claim(
        "I-10",
        call?.context.requestId === cause?.context.requestId ||
          call?.context.batchId === cause?.context.batchId,
        id,
      );
    }
  },
};

const isCascade = (cause: unknown): cause is { readonly callId: string } =>
  (cause as { readonly cause?: string } | undefined)?.cause === "cascade";
