// Model
// Generated sessions against the reference model: two ways to the same end.

import { describe, expect, test } from "vitest";
import type { Input } from "../machines/index.ts";
import { sessions } from "./support/generate.ts";
import { type Meant, Model, type Told } from "./support/model/model.ts";
import { Turned } from "./support/model/world.ts";
import { holds } from "./support/property.ts";
import { type Session, type Step, story } from "./support/script.ts";
import { SessionRun } from "./support/session-run.ts";

const FILE = "test/machines.model.test.ts";

const NOTHING = { requests: 0, openRequests: 0, calls: 0, openCalls: 0, pendingApprovals: 0 };

/** The engine's word in the model's terms: actors by their places in the order of first sight. */
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

/** Which request or question a step means, by its place. */
function meant(run: SessionRun, step: Step, input: Input): Meant {
  const id =
    input.type === "decision"
      ? input.approvalId
      : input.type === "timer.fired"
        ? input.address.split("/")[3]
        : undefined;
  if ("hang" in step) return { request: run.requests.findIndex((request) => request.id === id) };
  if ("hear" in step || "orphans" in step) return {};
  return { question: run.approvals.findIndex((approval) => approval.id === id) };
}

function compare({ policy, steps }: Session): void {
  const run = new SessionRun({ policy: { cascade: policy } });
  const model = new Model(policy);
  for (const [index, step] of steps.entries()) {
    const input = run.inputOf(step);
    if (!input) continue;
    const whom = meant(run, step, input);
    const heard = run.take(step);
    const turned = hear(model, step, input, run.at, whom);
    const label = `step ${index}: ${JSON.stringify(input)}`;
    expect(heard?.rejection === undefined, `${label} ${heard?.rejection ?? ""}`).toBe(!turned);
    const [found, expected] = [told(run), model.tell()];
    if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found, label).toEqual(expected);
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

describe("model", () => {
  test("C1–C5, R1–R3, B1, I-47, S3.11: short sessions end as the reference model says, step by step", () => {
    holds(FILE, 2_500, sessions(12), compare, story);
  });

  test("C1–C5, R1–R3, B1, I-47, S3.11: long sessions end as the reference model says, step by step", () => {
    holds(FILE, 250, sessions(80), compare, story);
  });
});
