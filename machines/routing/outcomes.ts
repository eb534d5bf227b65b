// Outcomes
// What a result says of the call it was found to be about.
//
//   Owns:          reading results, denials above all (C4).
//   Does not own:  finding the call (results), the call's states (tool call).
//
// C4. The client's "user rejected" text means: asked and not allowed, interrupted, or swept along by another.

import { type BatchBook, batches, type CallBook, calls } from "../books.ts";
import type { CallEvent, Denial } from "../call-facts.ts";
import type { CallId } from "../ids.ts";
import type { SourceInput, ToolDenied, ToolFailed, ToolFinished, ToolLost } from "../inputs.ts";
import { type Scene, tellCall, touch } from "./scene.ts";

export type Result = ToolFinished | ToolFailed | ToolDenied | ToolLost;

/** What tells one result from another: the text, short. */
export function resultOf(input: SourceInput): string {
  if (input.type === "tool.finished") return `+${input.output ?? ""}`.slice(0, RESULT_MAX);
  return input.type === "tool.failed" ? `-${input.error}`.slice(0, RESULT_MAX) : "";
}
const RESULT_MAX = 120;

/** Tells a call its result. */
export function apply(scene: Scene, id: CallId, call: CallBook, input: Result): void {
  touch(scene, call.requestId);
  const event = eventOf(scene, id, call, input);
  const result = resultOf(input);
  if (result !== "") calls.set(scene.records, id, { ...call, result });
  tellCall(scene, id, event);
}

function eventOf(scene: Scene, id: CallId, call: CallBook, input: Result): CallEvent {
  const { at } = scene;
  switch (input.type) {
    case "tool.finished": {
      const ranInput =
        input.call.input && input.call.input.hash !== call.hash ? { ranInput: input.call.input } : {};
      const { output, durationMs } = input;
      return {
        type: "finished",
        at,
        ...(output !== undefined && { output }),
        ...(durationMs !== undefined && { durationMs }),
        ...ranInput,
      };
    }
    case "tool.failed": {
      const { error, durationMs } = input;
      return { type: "failed", at, error, ...(durationMs !== undefined && { durationMs }) };
    }
    case "tool.lost":
      return { type: "missed", at, cause: input.cause, evidence: "result" };
    case "tool.denied":
      return denied(scene, id, call, input);
  }
}

function denied(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): CallEvent {
  const { at } = scene;
  const denial = input.verdict === "rejected" ? rejected(scene, id, call, input) : read(input);
  if (!denial) return { type: "missed", at, cause: "interrupted", evidence: "result" };
  return {
    type: "denied",
    at,
    denial: { ...denial, ...(input.message !== undefined && { message: input.message }) },
  };
}

const VERDICTS = {
  user: { cause: "direct", by: "user" },
  hook: { cause: "hook", by: "hook" },
  rule: { cause: "hook", by: "client-rule" },
} as const;

function read(input: ToolDenied): Denial | undefined {
  return input.verdict === "rejected" ? undefined : { ...VERDICTS[input.verdict], predicted: false };
}

/** C4: what the general rejection means for this call; undefined: it was interrupted, not denied. */
function rejected(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): Denial | undefined {
  const batch = batches.get(scene.records, call.batchId);
  const first = batch?.rejected;
  if (batch && first === undefined) remember(scene, call, batch, id);
  if (call.asked && !call.allowed) return { cause: "direct", by: "user", predicted: false };
  if (call.hadPre || call.allowed || input.beforeRun === false) return undefined;
  if (first !== undefined && first !== id) return { cause: "cascade", callId: first, predicted: false };
  return input.beforeRun === true ? { cause: "direct", by: "user", predicted: false } : undefined;
}

function remember(scene: Scene, call: CallBook, batch: BatchBook, id: CallId): void {
  batches.set(scene.records, call.batchId, { ...batch, rejected: id });
}
