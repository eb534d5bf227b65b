// Team
// The routes by which people tell one another that they look at an approval, and who else should look at it.
//
//   Owns:          the parameters and answers of these routes.
//   Does not own:  how long a look or a mention counts (runtime/presence), telling followers (followers).
//
// TEAM-1. The name of the person who looks, or who mentions somebody, comes from the token.

import type { Context, Hono } from "hono";
import { parseBody } from "../../../runtime/door/parse.ts";
import { readAs } from "../../../runtime/door/schemas.ts";
import { notFound } from "../../../runtime/reading/not-found.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { MENTION, mentionOf } from "../../../runtime/presence/mentions.ts";
import { approvalHome } from "../access/home.ts";
import { answer, type Env, type Serving } from "../context.ts";
import { bodyOf, callerOf } from "../writing.ts";

interface Spot {
  readonly workspace: string;
  readonly id: string;
}

export function teamRoutes(app: Hono<Env>, serving: Serving): void {
  const { queries, followers, door } = serving;
  const spotOf = (c: Context<Env>): Spot => {
    const { workspace: named } = parametersOf(new URL(c.req.url).searchParams, ["workspace"]);
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
  app.post("/v1/approvals/:id/mention", async (c) => {
    const spot = spotOf(c);
    const caller = callerOf(c);
    const sent = await bodyOf(c, serving, caller);
    const read = () =>
      readAs(
        MENTION,
        parseBody(sent, () => false),
        "",
      );
    const { to } = await door.refusals.refusing({ ...caller, body: sent }, read);
    followers.mentions.put(mentionOf(spot, to, c.get("holder").name));
    return answer(c, 200, {});
  });
}
