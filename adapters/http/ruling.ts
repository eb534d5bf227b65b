// Ruling
// The routes that make, remove, enforce and try rules.
//
//   Owns:          their bodies and answers.
//   Does not own:  reading rules (reading), what a rule may say (runtime/door).
//
// HTTP-RULING-1. Whoever may answer an approval may make a rule: it answers on their behalf.

import type { Hono } from "hono";
import { RuleDoor } from "../../runtime/door/rule-door.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { answer, type Env, type Serving } from "./context.ts";
import { streamTrial, wantsStream } from "./trial-stream.ts";
import { bodyOf, callerOf } from "./writing.ts";

export function rulingRoutes(app: Hono<Env>, serving: Serving): void {
  const rules = new RuleDoor(serving);
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
    if (wantsStream(c)) return streamTrial(c, rules.trialInSlices(body), serving.onError);
    return answer(c, 200, await rules.trial(body));
  });
  app.post("/v1/rules/:id/enforce", async (c) =>
    answer(c, 200, await rules.enforce(c.req.param("id"), callerOf(c), workspaceIn(c.req.url))),
  );
  app.delete("/v1/rules/:id", async (c) =>
    answer(c, 200, await rules.remove(c.req.param("id"), callerOf(c), workspaceIn(c.req.url))),
  );
}

const workspaceIn = (url: string): string | undefined =>
  parametersOf(new URL(url).searchParams, ["workspace"]).workspace;
