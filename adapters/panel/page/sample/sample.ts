// Sample
// An agent that exists only in this page; its session, requests and approvals are real to the engine.
//
//   Owns:          sending its events through the public door, waiting for answers as an agent would.
//   Does not own:  what the engine makes of them.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { send } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { go } from "../route.ts";
import { needsConsent, type Step, STEPS } from "./script.ts";

const WORKSPACE = "sample";
const PACE_MS = 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays the session to its end: until all calls are done, or a denial ended the rest. @throws ApiError */
export async function startSample(): Promise<void> {
  const session = `sample-${Date.now().toString(36)}`;
  const requestId = `${session}-1`;
  let sent = 0;
  const emit = (type: string, data: object): Promise<unknown> => {
    sent += 1;
    const id = `${session}-${sent}`;
    const subject = `${WORKSPACE}/${session}`;
    return send("/v1/events", { specversion: "1.0", id, source: "sample", type, subject, data });
  };
  const call = (index: number, { tool, input }: Step) => ({
    requestId,
    toolUseId: `${session}-call-${index + 1}`,
    tool,
    input,
  });

  await emit("session.started", {
    title: "A sample: the cart's total is off by a cent",
    cwd: "/home/you/shop",
    branch: "fix/rounding",
  });
  await emit("request.created", {
    requestId,
    prompt: "The cart's total is off by a cent. Find out why and mend it.",
  });
  await emit("request.processing", { requestId });
  for (const [index, step] of STEPS.entries())
    await emit("tool.announced", {
      ...call(index, step),
      messageId: `${session}-message`,
      blockIndex: index,
      intent: { text: step.intent, source: "message", confidence: "certain" },
    });
  for (const [index, step] of STEPS.entries()) {
    await emit("tool.started", call(index, step));
    if (needsConsent(step)) {
      const approvalId = `${session}-question-${index + 1}`;
      const answered = answerTo(approvalId);
      await emit("approval.requested", { ...call(index, step), approvalId, channel: "sample" });
      if (index === STEPS.findIndex(needsConsent)) go({ view: "inbox" });
      if (!(await answered)) break;
    }
    await pause(PACE_MS);
    await emit("tool.finished", { ...call(index, step), output: step.output, durationMs: PACE_MS });
  }
  await emit("request.completed", { requestId });
}

/** @returns whether the call may run. */
function answerTo(approvalId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = follow.onChanges((changes: readonly StateChange[]) => {
      const own = changes.filter(({ workspace, entity }) => workspace === WORKSPACE && entity === "approval");
      const end = own.find(({ id, to }) => id === approvalId && to !== "pending");
      if (!end) return;
      stop();
      resolve(end.to === "approved");
    });
  });
}
