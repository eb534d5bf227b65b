// Ruling
// The routes that make, remove, enforce and test rules.
//
//   Owns:          the bodies and answers of the routes for rules.
//   Does not own:  reading rules (reading), what a rule may contain (runtime/door).
//
// HTTP-RULING-1. Only a user whose token permits `manage` may make rules, because a rule answers, in its maker's name, the
//     approvals that anybody requests.
// HTTP-RULING-2. A caller that accepts server-sent events gets the progress of a rule's trial. The last event, `trial`, contains
//     the same bytes as the answer to a caller that accepts no events. If the trial fails, the last event is `error`.
// HTTP-RULING-3. A trial with a stream stops when its caller stops reading. (checked by review: a test cannot show that no work
//     goes on)

import type { Context, Hono } from "hono";
import { RuleDoor } from "../../runtime/door/rule-door.ts";
import { failureOf } from "../../runtime/errors/failure.ts";
import type { Trial, TrialProgress } from "../../runtime/reading/rule-trial.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { answer, answerEvents, type Env, givenIn, reachOf, ruleHome, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

export function rulingRoutes(app: Hono<Env>, serving: Serving): void {
  const rules = new RuleDoor(serving);
  const homeOf = (c: Context<Env>, id: string): string | undefined =>
    ruleHome(c, serving.queries, id, parametersOf(givenIn(c), ["workspace"]).workspace).workspace;
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
    if (wantsStream(c)) return streamTrial(c, rules.trialInSlices(body, reachOf(c)), serving);
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

const wantsStream = (c: Context<Env>): boolean =>
  (c.req.header("Accept") ?? "").split(",").some((type) => type.trim().split(";")[0] === "text/event-stream");

// Sends the progress and the result of a rule's trial as events (HTTP-RULING-2).
function streamTrial(
  c: Context<Env>,
  run: AsyncGenerator<TrialProgress, Trial>,
  { handshakes, onError }: Serving,
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
      cancel: () => void run.return(undefined as never),
    },
    { highWaterMark: 0 },
  );
  return answerEvents(c, handshakes, stream);
}
