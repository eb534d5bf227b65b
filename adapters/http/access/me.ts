// Me
// The route that tells callers their own name and what they may do.
//
//   Owns:          the route's answer.
//   Does not own:  which routes each part of a token opens (parts).

import type { Hono } from "hono";
import { type Me, PARTS } from "../../../runtime/access-token.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { answer, type Env } from "../context.ts";

export function meRoute(app: Hono<Env>): void {
  app.get("/v1/me", (c) => {
    parametersOf(new URL(c.req.url).searchParams, []);
    const { name, access } = c.get("holder");
    const { parts, workspaces } = access;
    const me: Me = {
      name,
      parts: PARTS.filter((part) => parts.has(part)),
      ...(workspaces && { workspaces: [...workspaces].sort() }),
    };
    return answer(c, 200, me);
  });
}
