// Trial
// Has the engine try rules on past approvals, and reports the progress until the result is there or the caller aborts.
//
//   Owns:          reading the events that the engine sends during a trial.
//   Does not own:  when a trial begins (trying.ts), how the result is shown (found.tsx).
//
// WRITING-TRIAL-1. If the caller aborts a trial, the request ends, and so the engine ends the trial, too.

import type { Trial, TrialProgress } from "../../../../../runtime/reading/rule-trial.ts";
import { answerTo, ApiError, failureOf, UNREACHABLE } from "../../engine/api.ts";

const BROKEN = new ApiError(
  0,
  UNREACHABLE,
  "The trial ended before it was complete.",
  "Change the rule, or try it again.",
);

/** @param body as for `POST /v1/rules/test`. @throws ApiError; once `signal` is aborted, whatever the fetch throws. */
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
  const init = { method: "POST", headers, body: JSON.stringify(body), signal };
  const response = await answerTo("/v1/rules/test", init);
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
