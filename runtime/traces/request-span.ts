// Request span
// A request as a span: what a session was asked to do, from its beginning to its end.
//
//   Owns:          its name, its attributes, which ends are errors.
//   Does not own:  its ids (spans-of), the states of a request (machines).
//
// REQUEST-SPAN-1. A prompt, an answer and the words of an error stay here: what a failure says may be anything.

import type { RequestView } from "../rows/views.ts";
import { spanText } from "./span-text.ts";
import type { Measure, SpanAttributes } from "./span.ts";

/** As the GenAI conventions call one run of an agent. */
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
      // In the rest of its time an approval was pending, or a call was deferred.
      "signalbox.request.running_ms": runningForMs,
    },
    ...(end !== "completed" && { error: end }),
  };
}

/** How long it took, those waits included. */
export const requestMeasure = (seconds: number, error: string | undefined): Measure => ({
  name: "gen_ai.invoke_agent.duration",
  seconds,
  attributes: { "gen_ai.operation.name": INVOKE_AGENT, ...(error !== undefined && { "error.type": error }) },
});
