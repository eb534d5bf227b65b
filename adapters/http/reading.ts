// Reading
// The routes that show what is: lists, single things, history, machines, the stream of changes.
//
//   Owns:          their parameters and answers.
//   Does not own:  what is read (runtime/queries).

import type { Context, Hono } from "hono";
import { approvalMachine, callMachine, requestMachine, sessionMachine } from "../../machines/index.ts";
import { toId } from "../../runtime/door/foreign-id.ts";
import { STATES } from "../../runtime/stats.ts";
import { answer, type Env, type Serving } from "./context.ts";
import { noSuchRoute, notFound } from "./errors.ts";
import { checkState, listParametersOf, parametersOf, pick, sliceOf, timesOf } from "./query.ts";

export function readingRoutes(app: Hono<Env>, serving: Serving): void {
  const { engine, queries } = serving;

  /** An answer, with the change after which the stream goes on from what it shows. */
  const show = (c: Context<Env>, what: string, read: () => object | undefined): Response => {
    const change = `${engine.incarnation}-${engine.meta().changes}`;
    const found = read();
    if (!found) throw notFound(what);
    return answer(c, 200, found, { "Signalbox-Change": change });
  };

  app.get("/v1/requests", (c) => {
    const given = listParametersOf(c.req.url, ["workspace", "session", "chatId", "state", "since", "until"]);
    checkState(given, STATES.requests.states);
    const filter = { ...pick(given, "workspace", "session", "chatId", "state"), ...timesOf(given) };
    return show(c, "list", () => queries.listRequests(filter, sliceOf(given)));
  });
  app.get("/v1/requests/:id", (c) => {
    parametersOf(c.req.url, []);
    return show(c, "request", () => queries.getRequest(toId(c.req.param("id"))));
  });
  app.get("/v1/sessions", (c) => {
    const given = listParametersOf(c.req.url, ["workspace", "state"]);
    checkState(given, STATES.sessions.states);
    return show(c, "list", () => queries.listSessions(pick(given, "workspace", "state"), sliceOf(given)));
  });
  app.get("/v1/sessions/:id", (c) => {
    const given = parametersOf(c.req.url, ["workspace"]);
    return show(c, "session", () => queries.getSession(toId(c.req.param("id")), pick(given, "workspace")));
  });
  app.get("/v1/sessions/:id/tool-calls", (c) => {
    const given = listParametersOf(c.req.url, ["workspace", "request", "state"]);
    checkState(given, CALL_STATES);
    const filter = pick(given, "workspace", "request", "state");
    return show(c, "session", () => queries.toolCallsOf(toId(c.req.param("id")), filter, sliceOf(given)));
  });
  app.get("/v1/sessions/:id/history", (c) => {
    const given = listParametersOf(c.req.url, ["workspace"]);
    const id = toId(c.req.param("id"));
    return show(c, "session", () => queries.history(id, pick(given, "workspace"), sliceOf(given)));
  });
  app.get("/v1/sessions/:id/rejections", (c) => {
    const given = parametersOf(c.req.url, ["workspace"]);
    const found = queries.rejections(toId(c.req.param("id")), pick(given, "workspace"));
    return show(c, "session", () => found && { items: found.rejections, rejected: found.rejected });
  });
  app.get("/v1/tool-calls/:id", (c) => {
    const given = parametersOf(c.req.url, ["workspace", "session"]);
    const hint = pick(given, "workspace", "session");
    return show(c, "tool call", () => queries.getToolCall(toId(c.req.param("id")), hint));
  });
  app.get("/v1/approvals", (c) => {
    const given = listParametersOf(c.req.url, ["workspace", "state"]);
    checkState(given, STATES.approvals.states);
    return show(c, "list", () => queries.listApprovals(pick(given, "workspace", "state"), sliceOf(given)));
  });
  app.get("/v1/approvals/:id", (c) => {
    parametersOf(c.req.url, []);
    return show(c, "approval", () => queries.getApproval(toId(c.req.param("id"))));
  });
  app.get("/v1/dead-letters", (c) => {
    const given = listParametersOf(c.req.url, []);
    return show(c, "list", () => queries.deadLetters(sliceOf(given)));
  });
  app.get("/v1/stats", (c) => show(c, "stats", () => queries.stats()));
  app.get("/v1/machines", (c) => answer(c, 200, { machines: MACHINES }));
  app.get("/v1/stream", (c) => follow(c, serving));
}

function follow(c: Context<Env>, { followers }: Serving): Response {
  // Hono answers HEAD as GET without reading the body: a stream nobody reads would never end.
  if (c.req.method !== "GET") throw noSuchRoute();
  const given = parametersOf(c.req.url, ["workspace", "session", "entity", "after"]);
  const after = c.req.header("Last-Event-ID") ?? given["after"];
  const filter = pick(given, "workspace", "session", "entity");
  const stream = followers.open(after, filter, () => c.env.outgoing.destroy());
  return c.body(stream, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    Connection: "close",
  });
}

const CALL_STATES = ["created", "queued", "processing", "completed", "failed", "denied", "missing-post"];

const MACHINES = Object.fromEntries(
  [sessionMachine, requestMachine, callMachine, approvalMachine].map(({ id, version, definition }) => [
    id,
    { version, definition },
  ]),
);
