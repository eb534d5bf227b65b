// Trial stream
// A trial of rules as server-sent events: how far it is, then what it found.
//
//   Owns:          the events, the end of a stream that nobody reads any more.
//   Does not own:  the trial (runtime/reading/rule-trial).
//
// TRIAL-STREAM-1. The last event, `trial`, has the very bytes that the answer has where it is not streamed. A stream that
//     ends without one broke off; where the engine knows why, the last event is `error`.
// TRIAL-STREAM-2. The trial goes on only while it is read.

import type { Context } from "hono";
import { failureOf } from "../../runtime/errors/failure.ts";
import type { Trial, TrialProgress } from "../../runtime/reading/rule-trial.ts";
import type { Env } from "./context.ts";

const STREAM = "text/event-stream";

/** Whether the asker wants to hear how far it is. */
export const wantsStream = (c: Context<Env>): boolean =>
  (c.req.header("Accept") ?? "").split(",").some((type) => type.trim().split(";")[0] === STREAM);

/** @param onError called with what broke it off. */
export function streamTrial(
  c: Context<Env>,
  run: AsyncGenerator<TrialProgress, Trial>,
  onError: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const tell = (event: string, data: object): void =>
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        try {
          const { done, value } = await run.next();
          tell(done === true ? "trial" : "progress", value);
          if (done === true) controller.close();
        } catch (error) {
          onError(error);
          tell("error", failureOf(error).body);
          controller.close();
        }
      },
      // Whoever left reads nothing of what it returns.
      cancel: () => void run.return(undefined as never),
    },
    { highWaterMark: 0 },
  );
  return c.body(stream, 200, {
    "Content-Type": `${STREAM}; charset=utf-8`,
    Connection: "close",
    "X-Accel-Buffering": "no",
  });
}
