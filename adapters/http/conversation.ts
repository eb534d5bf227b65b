// Conversation
// The route that returns what was said around the calls of a session.
//
//   Owns:          the route's parameters and answers.
//   Does not own:  reading transcripts (transcripts), which sessions there are (runtime/reading).

import type { Context, Hono } from "hono";
import { defined } from "../../machines/index.ts";
import { homeWithin } from "../../runtime/workspace-reach.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { countOf, type Given, parametersOf } from "../../runtime/reading/parameters.ts";
import { notFound } from "../../runtime/reading/not-found.ts";
import { UNKNOWN_CONVERSATION } from "../../runtime/reading/conversation.ts";
import { answer, type Env, reachOf, type Serving } from "./context.ts";

const LIMIT = 100;
const LIMIT_MAX = 500;

export function conversationRoute(app: Hono<Env>, { queries, conversation }: Serving): void {
  app.get("/v1/sessions/:id/conversation", async (c) => {
    const given = parametersOf(givenIn(c), ["workspace", "limit", "cursor"]);
    const id = c.req.param("id");
    const within = (workspace: string): boolean => queries.getSession(id, { workspace }) !== undefined;
    const workspace = homeWithin(reachOf(c), given["workspace"], within);
    const session = queries.getSession(id, defined({ workspace }));
    if (!session) throw notFound("session", id, "GET /v1/sessions");
    const limit = countOf(given, "limit") ?? LIMIT;
    const cursor = countOf(given, "cursor");
    if (limit < 1 || limit > LIMIT_MAX) throw badLimit();
    const slice = { limit, ...(cursor !== undefined && { cursor }) };
    const found = await conversation?.(session.workspace, session.id, slice);
    return answer(c, 200, found ?? UNKNOWN_CONVERSATION);
  });
}

const givenIn = (c: Context<Env>): Given => new URL(c.req.url).searchParams;

const badLimit = (): RefusedError =>
  new RefusedError("BAD_LIMIT", `limit is not between 1 and ${LIMIT_MAX}.`, "Ask for fewer.", "limit");
