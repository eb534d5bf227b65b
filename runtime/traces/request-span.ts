// Request span
// Makes the span of a request, from the beginning to the end of the request.
//
//   Owns:          the name of a request's span, its attributes, which ends of a request are errors.
//   Does not own:  the ids of the span (spans-of), the states of a request (machines).
//
// REQUEST-SPAN-1. A request's span contains no prompt, no answer and no error text, because such texts may contain anything.

import type { RequestView } from "../rows/views.ts";
import { type Measure, type SpanAttributes, spanText } from "./span.ts";

/** The name of an agent's run in the GenAI conventions. */
export const INVOKE_AGENT = "invoke_agent";
const INTERRUPTED = "interrupted";

type RequestEnd = "completed" | "failed" | "interrupted" | "timeout";

export const isRequestEnd = (to: string): boolean => ["completed", "failed", "timeout"].includes(to);

const endOf = ({ state, error }: RequestView): RequestEnd => {
  if (state === "failed") return error === INTERRUPTED ? "interrupted" : "failed";
  return state === "timeout" ? "timeout" : "completed";
};

export function requestSpan(view: RequestView): {
  readonly attributes: SpanAttributes;
  readonly error?: string;
} {
  const end = endOf(view);
  const { requestId, origin, model, runningForMs } = view;
  return {
    attributes: {
      "gen_ai.operation.name": INVOKE_AGENT,
      ...(model !== undefined && { "gen_ai.request.model": spanText(model) }),
      "signalbox.request.id": requestId,
      "signalbox.request.origin": origin,
      "signalbox.request.outcome": end,
      // Running time leaves out the time in which an approval was pending or a call was deferred.
      "signalbox.request.running_ms": runningForMs,
    },
    ...(end !== "completed" && { error: end }),
  };
}

/** How long the request took, including its waits for people. */
export const requestMeasure = (seconds: number, error: string | undefined): Measure => ({
  name: "gen_ai.invoke_agent.duration",
  seconds,
  attributes: { "gen_ai.operation.name": INVOKE_AGENT, ...(error !== undefined && { "error.type": error }) },
});
