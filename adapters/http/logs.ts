// Logs
// The route for the client's own telemetry, as OpenTelemetry sends logs over HTTP.
//
//   Owns:          its body and its answer.
//   Does not own:  what is taken of it (runtime/door/logs), the protocol's wrapping (adapters of clients).
//
// HTTP-LOGS-1. What cannot be taken of a body is told in the answer; sending the same again would not help.

import type { Hono } from "hono";
import { TELEMETRY_ROUTE } from "../../runtime/access-token.ts";
import { answer, type Env, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

export function logsRoutes(app: Hono<Env>, serving: Serving): void {
  app.post(TELEMETRY_ROUTE, async (c) => {
    const caller = callerOf(c);
    const { rejected, why } = await serving.logs.take(await bodyOf(c, serving, caller), caller);
    if (rejected === 0) return answer(c, 200, {});
    return answer(c, 200, {
      partialSuccess: {
        rejectedLogRecords: String(rejected),
        ...(why !== undefined && { errorMessage: why }),
      },
    });
  });
}
