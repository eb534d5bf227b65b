// Health
// The probes, which say whether the engine lives and whether it is ready; the metrics' route; and the route that orders the
// engine to hand its journal over to a spare.
//
//   Owns:          the probes' answers, accepting the order to hand the journal over.
//   Does not own:  the metrics (metrics.ts), the troubles (runtime), what a hand-over does (composition/cluster).

import type { Hono } from "hono";
import { answer, answerWith, type Env, givenIn, type Serving, TEXT } from "./context.ts";
import { metrics } from "./metrics.ts";
import { bad, parametersOf } from "../../runtime/reading/parameters.ts";
import { noSpare } from "../../runtime/engine/owner-errors.ts";

export function healthRoutes(app: Hono<Env>, serving: Serving): void {
  app.get("/livez", (c) => answer(c, 200, { live: true }));
  app.get("/readyz", (c) => {
    const reasons = serving.troubles();
    const code = serving.waitsFor()?.code;
    const ready = takesMessages(serving);
    return answer(c, ready ? 200 : 503, {
      ready,
      ...serving.standing?.(),
      ...(reasons.length > 0 && { reasons }),
      ...(code !== undefined && { waitsFor: code }),
    });
  });
  app.post("/v1/handover", async (c) => {
    const { upgrade } = parametersOf(givenIn(c), ["upgrade"]);
    if (!serving.handOver) throw noSpare();
    const waitMs = upgrade === undefined ? undefined : secondsIn(upgrade) * 1_000;
    return answer(c, 202, await serving.handOver(waitMs));
  });
  app.get("/metrics", (c) => answerWith(c, 200, metrics(serving, takesMessages(serving)), TEXT));
}

function secondsIn(upgrade: string): number {
  if (/^\d{1,4}$/.test(upgrade) && Number(upgrade) <= 3_600) return Number(upgrade);
  throw bad("upgrade", "is no whole number of seconds from 0 to 3600");
}

export const takesMessages = ({ isReady, troubles }: Serving): boolean =>
  isReady() && !troubles().some(({ isEssential }) => isEssential);
