// Health
// Reports whether the engine is alive, and whether it accepts messages. On request, the engine gives its journal to a spare.
//
//   Owns:          the probes, the order to hand over.
//   Does not own:  the metrics (metrics.ts), the troubles (runtime), what handing over is (composition/cluster).

import type { Hono } from "hono";
import { answer, answerWith, type Env, type Serving, TEXT } from "./context.ts";
import { metrics } from "./metrics.ts";
import { noSpare } from "../../runtime/engine/mandate.ts";

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
  app.post("/v1/handover", (c) => {
    if (!serving.handOver) throw noSpare();
    return answer(c, 202, serving.handOver());
  });
  app.get("/metrics", (c) => answerWith(c, 200, metrics(serving, takesMessages(serving)), TEXT));
}

/** Whether a message sent now would be accepted. */
export const takesMessages = ({ isReady, troubles }: Serving): boolean =>
  isReady() && !troubles().some(({ isEssential }) => isEssential);
