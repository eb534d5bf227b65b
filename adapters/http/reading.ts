// Reading
// The routes for reading: lists, single things, history, the stream of changes.
//
//   Owns:          which query each route runs.
//   Does not own:  the queries, their parameters, their answers (runtime/reading).

import type { Context, Hono } from "hono";
import { countOf, type Given, parametersOf, pick } from "../../runtime/reading/parameters.ts";
import { ask, type Op } from "../../runtime/reading/query-table.ts";
import { inTime } from "../../runtime/in-time.ts";
import { answer, type Env, type Serving } from "./context.ts";
import { noSuchRoute } from "./errors.ts";

/** The query of each route, and the parameter that the id in its path becomes. */
export const QUERY_ROUTES: Readonly<Record<string, readonly [op: Op, id?: string]>> = {
  "/v1/requests": ["request.list"],
  "/v1/requests/:id": ["request.get", "id"],
  "/v1/sessions": ["session.list"],
  "/v1/sessions/:id": ["session.get", "id"],
  "/v1/sessions/:id/tool-calls": ["toolcall.list", "session"],
  "/v1/sessions/:id/history": ["history", "session"],
  "/v1/sessions/:id/rejections": ["session.rejections", "id"],
  "/v1/tool-calls/:id": ["toolcall.get", "id"],
  "/v1/approvals": ["approval.list"],
  "/v1/approvals/:id": ["approval.get", "id"],
  "/v1/alarms": ["alarm.list"],
  "/v1/journal/:id": ["entry.get", "position"],
  "/v1/dead-letters": ["deadletter.list"],
  "/v1/dead-letters/:id": ["deadletter.get", "n"],
  "/v1/rules": ["rule.list"],
  "/v1/rules/:id": ["rule.get", "id"],
  "/v1/search": ["search"],
  "/v1/stats": ["stats"],
};

export function readingRoutes(app: Hono<Env>, serving: Serving): void {
  for (const [path, [op, id]] of Object.entries(QUERY_ROUTES)) {
    app.get(path, async (c) => {
      const askedAt = serving.clock.monotonic();
      const inPath: Given = id === undefined ? [] : [[id, c.req.param("id") ?? ""]];
      const asked = ask(serving, op, [...inPath, ...givenIn(c)]);
      const { body, change, version } = await inTime(serving.clock, asked);
      const headers = {
        "Signalbox-Change": change,
        ...(version !== undefined && { "Signalbox-Version": String(version) }),
      };
      if (op === "request.get") serving.tally.answered("lookup", serving.clock.monotonic() - askedAt);
      return answer(c, 200, body, headers);
    });
  }
  app.get("/v1/stream", (c) => follow(c, serving));
}

const givenIn = (c: Context<Env>): Given => new URL(c.req.url).searchParams;

function follow(c: Context<Env>, { followers }: Serving): Response {
  // Hono answers HEAD as GET without reading the body: a stream nobody reads would never end.
  if (c.req.method !== "GET") throw noSuchRoute();
  const given = parametersOf(givenIn(c), ["workspace", "session", "entity", "after", "behindMax"]);
  const beginning = {
    after: c.req.header("Last-Event-ID") ?? given["after"],
    behindMax: countOf(given, "behindMax"),
  };
  const filter = pick(given, "workspace", "session", "entity");
  const stream = followers.open(beginning, filter, c.get("holder"), () => c.env.outgoing.destroy());
  return c.body(stream, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    Connection: "close",
    // A proxy that buffers whole answers would hold back every change.
    "X-Accel-Buffering": "no",
  });
}
