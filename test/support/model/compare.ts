// Model: compare
// Plays a generated session to the machines and to the reference model; both must say the same after each step.
//
//   Owns:          the engine's results in the model's terms; what counts as a difference.
//   Does not own:  the rules (model), which sessions are tried (generate).

import { expect } from "vitest";
import type { Input } from "../../../machines/index.ts";
import type { Session, Step } from "../sessions/script.ts";
import { SessionRun } from "../sessions/session-run.ts";
import { type Meant, Model, type Told } from "./model.ts";
import { Turned } from "./world.ts";

const NOTHING = { requests: 0, openRequests: 0, calls: 0, openCalls: 0, pendingApprovals: 0 };

/** Actors by their places in the order of first sight. */
function told(run: SessionRun): Told {
  const { session, requests, calls, approvals } = run;
  const callIds = calls.map(({ id }) => id);
  const agents = [...new Set(calls.map(({ context }) => context.agentId))];
  return {
    session: session?.state ?? "idle",
    counts: session?.context.counts ?? NOTHING,
    requests: requests.map(({ state, context }) => ({ state, error: context.error })),
    calls: calls.map(({ state, approval, context }) => ({
      agent: agents.indexOf(context.agentId),
      parent: context.parentCallId === undefined ? -1 : callIds.indexOf(context.parentCallId),
      state,
      mirror: approval,
      cause:
        state === "denied"
          ? context.denial?.cause
          : state === "missing-post"
            ? context.missing?.cause
            : undefined,
      follows: state === "denied" && context.denial?.callId ? callIds.indexOf(context.denial.callId) : -1,
      was: context.was !== undefined,
      ranAfterDenial: context.executedAfterDenial ?? false,
      deferred: (state === "queued" || state === "processing") && context.deferred,
      request: requests.findIndex(({ id }) => id === context.requestId),
      batch: Number(context.batchId.slice(1)),
      index: context.index,
    })),
    questions: approvals.map(({ state, context: { callId } }) => ({
      state,
      call: callId === undefined ? -1 : callIds.indexOf(callId),
    })),
  };
}

/** The request or approval that a step means, by its place. */
function meant(run: SessionRun, step: Step, input: Input): Meant {
  const id =
    input.type === "decision"
      ? input.approvalId
      : input.type === "timer.fired"
        ? input.address.split("/")[3]
        : undefined;
  if ("hang" in step) return { request: run.requests.findIndex((request) => request.id === id) };
  if ("forgo" in step) return { call: run.calls.findIndex((call) => call.id === id) };
  if ("hear" in step || "orphans" in step || "quiet" in step) return {};
  return { question: run.approvals.findIndex((approval) => approval.id === id) };
}

/** @throws Error naming the step at which the machines and the model differ. */
export function compare({ policy, steps }: Session): void {
  const run = new SessionRun({ policy: { cascade: policy } });
  const model = new Model(policy);
  for (const [index, step] of steps.entries()) {
    const input = run.inputOf(step);
    if (!input) continue;
    const whom = meant(run, step, input);
    const heard = run.take(step);
    const turned = hear(model, step, input, run.at, whom);
    const [found, expected] = [told(run), model.tell()];
    if ((heard?.rejection !== undefined) === turned && JSON.stringify(found) === JSON.stringify(expected))
      continue;
    const label = `step ${index}: ${JSON.stringify(input)}`;
    expect(heard?.rejection !== undefined, `${label} turned away: ${heard?.rejection ?? "no"}`).toBe(turned);
    expect(found, label).toEqual(expected);
  }
}

function hear(model: Model, step: Step, input: Input, at: number, whom: Meant): boolean {
  try {
    model.hear(input, "hear" in step ? step.channel : "own", at, whom);
    return false;
  } catch (error) {
    if (!(error instanceof Turned)) throw error;
    return true;
  }
}
