// Health
// Reports whether the engine is alive, and whether it accepts messages.
//
//   Owns:          the probes.
//   Does not own:  the metrics (metrics.ts), the troubles (runtime).

import type { Hono } from "hono";
import { answer, answerWith, type Env, type Serving, TEXT } from "./context.ts";
import { metrics } from "./metrics.ts";

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
  app.get("/metrics", (c) => answerWith(c, 200, metrics(serving, takesMessages(serving)), TEXT));
}

/** Whether a message sent now would be accepted. */
export const takesMessages = ({ isReady, troubles }: Serving): boolean =>
  isReady() && !troubles().some(({ isEssential }) => isEssential);
