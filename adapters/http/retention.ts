// Retention
// The routes that report which data is old enough to remove, remove that data, and forget a session.
//
//   Owns:          how much data one request removes, the answers of the routes.
//   Does not own:  which data is old enough, and when the engine removes it without a request (runtime).
//
// HTTP-RETENTION-1. One request removes a limited number of rows, so that its answer comes soon. The field `more` says that
//     further rows can be removed.

import type { Hono } from "hono";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { inTime } from "../../runtime/in-time.ts";
import { answer, type Env, givenIn, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

/** How many sweeps one request makes at most; each sweep removes at most 500 rows. */
const SWEEPS_AT_ONCE = 20;

export function retentionRoutes(app: Hono<Env>, serving: Serving): void {
  const { engine, clock, forgetting } = serving;
  app.get("/v1/sweep", async (c) => {
    parametersOf(givenIn(c), []);
    return answer(c, 200, { due: await inTime(clock, engine.retention.due()) });
  });
  app.post("/v1/sweep", async (c) => {
    const { more, ...swept } = await inTime(clock, engine.retention.sweep(SWEEPS_AT_ONCE));
    return answer(c, 200, { swept, more });
  });
  app.post("/v1/sessions/:id/forget", async (c) => {
    const caller = callerOf(c);
    return answer(
      c,
      200,
      await forgetting.forget(c.req.param("id"), await bodyOf(c, serving, caller), caller),
    );
  });
}
