// Looking
// The routes by which a page says that its reader looks at an approval, and that they no longer do.
//
//   Owns:          their parameters and answers.
//   Does not own:  who looks where (runtime/presence), telling followers (followers).
//
// TEAM-LOOKING-1. The door names who looks, by the token.

import type { Context, Hono } from "hono";
import { notFound } from "../../../runtime/reading/not-found.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import type { Looker } from "../../../runtime/presence/looking.ts";
import { approvalHome } from "../access/home.ts";
import { answer, type Env, type Serving } from "../context.ts";

const PATH = "/v1/approvals/:id/looking";

export function lookingRoutes(app: Hono<Env>, { queries, followers }: Serving): void {
  const lookerOf = (c: Context<Env>): Looker => {
    const { workspace: named } = parametersOf(new URL(c.req.url).searchParams, ["workspace"]);
    const id = c.req.param("id") ?? "";
    const found = queries.getApproval(id, approvalHome(c, queries, id, named));
    if (!found) throw notFound("approval", id, "GET /v1/approvals");
    return { workspace: found.workspace, id: found.id, name: c.get("holder").name };
  };
  app.post(PATH, (c) => {
    followers.looking.look(lookerOf(c));
    return answer(c, 200, {});
  });
  app.delete(PATH, (c) => {
    followers.looking.leave(lookerOf(c));
    return answer(c, 200, {});
  });
}
