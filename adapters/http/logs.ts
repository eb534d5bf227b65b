// Logs
// The route for the client's own telemetry, which OpenTelemetry sends as logs over HTTP.
//
//   Owns:          the route's body and answer.
//   Does not own:  which events are read from a body (runtime/door/logs), the protocol's format (adapters of clients).
//
// HTTP-LOGS-1. The answer reports which parts of a body could not be read, because sending the same body again would not help.

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
