// Reading
// The routes for reading: lists, single items, history, the stream of changes.
//
//   Owns:          which query each route runs.
//   Does not own:  the queries, their parameters, their answers (runtime/reading).

import type { Context, Hono } from "hono";
import { countOf, type Given, isTrue, parametersOf, pick } from "../../runtime/reading/parameters.ts";
import { ask, type Op, OPS } from "../../runtime/reading/query-table.ts";
import { placeWithin } from "../../runtime/workspace-reach.ts";
import { inTime } from "../../runtime/in-time.ts";
import { answer, answerEvents, type Env, givenIn, noSuchRoute, reachOf, type Serving } from "./context.ts";

/** The route of each query, and the name of the id in the route's path; undefined if another route answers the query. */
export const QUERY_ROUTES: Readonly<Record<Op, readonly [path: string, id?: string] | undefined>> = {
  "request.list": ["/v1/requests"],
  "request.get": ["/v1/requests/:id", "id"],
  "session.list": ["/v1/sessions"],
  "session.get": ["/v1/sessions/:id", "id"],
  "toolcall.list": ["/v1/sessions/:id/tool-calls", "session"],
  history: ["/v1/sessions/:id/history", "session"],
  "session.rejections": ["/v1/sessions/:id/rejections", "id"],
  "toolcall.get": ["/v1/tool-calls/:id", "id"],
  "approval.list": ["/v1/approvals"],
  "approval.get": ["/v1/approvals/:id", "id"],
  "approval.answer": undefined, // gating.ts has this route, because it waits for the answer
  "alarm.list": ["/v1/alarms"],
  "entry.get": ["/v1/journal/:id", "position"],
  "change.list": undefined, // over HTTP, changes are read as a stream
  "deadletter.list": ["/v1/dead-letters"],
  "deadletter.get": ["/v1/dead-letters/:id", "n"],
  "rule.list": ["/v1/rules"],
  // `/v1/rules/suggestions` must come before `/v1/rules/:id`, which would match the same requests.
  "rule.suggestions": ["/v1/rules/suggestions"],
  "rule.get": ["/v1/rules/:id", "id"],
  search: ["/v1/search"],
  answers: ["/v1/answers"],
  stats: ["/v1/stats"],
};

export function readingRoutes(app: Hono<Env>, serving: Serving): void {
  for (const op of OPS) {
    const [path, id] = QUERY_ROUTES[op] ?? [];
    if (path === undefined) continue;
    app.get(path, async (c) => {
      const askedAt = serving.clock.monotonic();
      const inPath: Given = id === undefined ? [] : [[id, c.req.param("id") ?? ""]];
      const asked = ask(serving, op, [...inPath, ...givenIn(c)], reachOf(c));
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

function follow(c: Context<Env>, { followers, handshakes }: Serving): Response {
  // Hono runs a HEAD request as a GET but never reads the body, so a stream that is opened for a HEAD request would never end.
  if (c.req.method !== "GET") throw noSuchRoute();
  const given = parametersOf(givenIn(c), ["workspace", "session", "entity", "after", "behindMax", "looking"]);
  const beginning = {
    after: c.req.header("Last-Event-ID") ?? given["after"],
    behindMax: countOf(given, "behindMax"),
  };
  const reach = reachOf(c);
  placeWithin(reach, given["workspace"]);
  const looking = isTrue(given, "looking");
  const filter = { ...pick(given, "workspace", "session", "entity"), reach, looking };
  const events = followers.open(beginning, filter, c.get("holder"), () => c.env.outgoing.destroy());
  return answerEvents(c, handshakes, events);
}
