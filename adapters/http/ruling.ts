// Ruling
// The routes that make, remove, enforce and test rules.
//
//   Owns:          the bodies and answers of these routes.
//   Does not own:  reading rules (reading), what a rule may contain (runtime/door).
//
// HTTP-RULING-1. A user with the part `manage` may make rules. A rule answers in that user's name, for all callers.
// HTTP-RULING-2. A caller that accepts events gets the progress of a trial. The last event, `trial`, has exactly the bytes of the
//     answer without a stream. A stream without that event broke off; if the engine knows why, the last event is `error`.
// HTTP-RULING-3. A streamed trial goes on only while it is read. (checked by review: a test cannot see that nothing goes on)

import type { Context, Hono } from "hono";
import { RuleDoor } from "../../runtime/door/rule-door.ts";
import { failureOf } from "../../runtime/errors/failure.ts";
import type { Trial, TrialProgress } from "../../runtime/reading/rule-trial.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { ruleHome } from "./access/home.ts";
import { answer, type Env, reachOf, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

export function rulingRoutes(app: Hono<Env>, serving: Serving): void {
  const rules = new RuleDoor(serving);
  const homeOf = (c: Context<Env>, id: string): string | undefined =>
    ruleHome(c, serving.queries, id, workspaceIn(c.req.url)).workspace;
  app.post("/v1/rules", async (c) => {
    const caller = callerOf(c);
    return answer(c, 200, await rules.add(await bodyOf(c, serving, caller), caller));
  });
  app.post("/v1/rules/file", async (c) => {
    const caller = callerOf(c);
    return answer(c, 200, await rules.file(await bodyOf(c, serving, caller), caller));
  });
  app.post("/v1/rules/test", async (c) => {
    const body = await bodyOf(c, serving, callerOf(c));
    if (wantsStream(c)) return streamTrial(c, rules.trialInSlices(body, reachOf(c)), serving.onError);
    return answer(c, 200, await rules.trial(body, reachOf(c)));
  });
  app.post("/v1/rules/:id/enforce", async (c) => {
    const id = c.req.param("id");
    return answer(c, 200, await rules.enforce(id, callerOf(c), homeOf(c, id)));
  });
  app.delete("/v1/rules/:id", async (c) => {
    const id = c.req.param("id");
    return answer(c, 200, await rules.remove(id, callerOf(c), homeOf(c, id)));
  });
}

const workspaceIn = (url: string): string | undefined =>
  parametersOf(new URL(url).searchParams, ["workspace"]).workspace;

const STREAM = "text/event-stream";

const wantsStream = (c: Context<Env>): boolean =>
  (c.req.header("Accept") ?? "").split(",").some((type) => type.trim().split(";")[0] === STREAM);

/** Sends the progress of a trial as events, and its result as the last one (HTTP-RULING-2). @param onError gets a failure. */
function streamTrial(
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
      // The caller has left, so the rest of the answer is dropped.
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
