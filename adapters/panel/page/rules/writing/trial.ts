// Trial
// Tries rules on past approvals, and reports the progress, until the caller aborts.
//
//   Owns:          reading the engine's events.
//   Does not own:  when a trial begins (trying.ts), how its result is shown (found.tsx).
//
// WRITING-TRIAL-1. A trial that is aborted does not go on in the engine: its request ends.

import type { Trial, TrialProgress } from "../../../../../runtime/reading/rule-trial.ts";
import { ApiError, failureOf, UNREACHABLE } from "../../engine/api.ts";

const BROKEN = new ApiError(
  0,
  UNREACHABLE,
  "The trial ended before it was complete.",
  "Change the rule, or try it again.",
);

/**
 * Has the engine try a rule, and reads the events of the trial until its result.
 * @param body the body of the request, as the route takes it.
 * @throws ApiError; once `signal` is aborted, whatever the fetch throws.
 */
export async function tried(
  body: object,
  signal: AbortSignal,
  onProgress: (progress: TrialProgress) => void,
): Promise<Trial> {
  for await (const { event, data } of eventsOf(await begun(body, signal), signal)) {
    if (event === "progress") onProgress(JSON.parse(data) as TrialProgress);
    else if (event === "trial") return JSON.parse(data) as Trial;
    else throw failureOf(0, data);
  }
  throw BROKEN;
}

async function begun(body: object, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  const asked = {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    credentials: "same-origin",
    signal,
  } as const;
  let response: Response;
  try {
    response = await fetch("/v1/rules/test", asked);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError(
      0,
      UNREACHABLE,
      "The engine does not answer.",
      "Check whether `npx signalbox up` runs.",
    );
  }
  if (!response.ok || !response.body) throw failureOf(response.status, await response.text());
  return response.body;
}

interface Told {
  readonly event: string;
  readonly data: string;
}

async function* eventsOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Told> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : BROKEN;
    });
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      yield { event, data };
    }
  }
}
