// Team
// The routes by which people tell one another that they look at an approval.
//
//   Owns:          the parameters and answers of the routes by which a look (that a person looks at an approval) begins and ends.
//   Does not own:  how long a look counts (runtime/presence), reporting looks to followers (followers).
//
// TEAM-1. The name of the person who looks at an approval is the name that belongs to the request's token, not one that the
//     request contains.

import type { Context, Hono } from "hono";
import { notFound } from "../../../runtime/reading/not-found.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { answer, approvalHome, type Env, givenIn, type Serving } from "../context.ts";

export function teamRoutes(app: Hono<Env>, serving: Serving): void {
  const { queries, followers } = serving;
  const spotOf = (c: Context<Env>) => {
    const { workspace: named } = parametersOf(givenIn(c), ["workspace"]);
    const given = c.req.param("id") ?? "";
    const found = queries.getApproval(given, approvalHome(c, queries, given, named));
    if (!found) throw notFound("approval", given, "GET /v1/approvals");
    return { workspace: found.workspace, id: found.id };
  };
  app.post("/v1/approvals/:id/looking", (c) => {
    followers.looking.put({ ...spotOf(c), name: c.get("holder").name });
    return answer(c, 200, {});
  });
  app.delete("/v1/approvals/:id/looking", (c) => {
    followers.looking.take({ ...spotOf(c), name: c.get("holder").name });
    return answer(c, 200, {});
  });
}
