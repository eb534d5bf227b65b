// Gating
// The routes of a client's hook that waits for its answer.
//
//   Owns:          their parameters, hearing that a caller hung up.
//   Does not own:  the waiting, who is gone (runtime/gate); the hook's program (adapters/gate).
//
// GATING-1. An approval is answered for once it is durable, or refused; whoever asked is never told more than is known.

import type { Context, Hono } from "hono";
import { RefusedError } from "../../runtime/errors.ts";
import { WORKSPACE_HEADER } from "../../runtime/door/workspace.ts";
import { inTime } from "../../runtime/in-time.ts";
import { parametersOf, pick, required } from "../../runtime/reading/parameters.ts";
import { answer, type Env, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

const WAIT_MAX_MS = 25_000;

export function gatingRoutes(app: Hono<Env>, serving: Serving): void {
  const { gate, clock } = serving;
  app.post("/v1/gate", async (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["approval", "wait", "closed"]);
    const wanted = {
      approvalId: required(given, "approval"),
      waitMs: milliseconds(required(given, "wait"), "wait"),
      onDeadline: closedOf(required(given, "closed")),
    };
    const caller = callerOf(c);
    const body = await bodyOf(c, serving, caller);
    const workspace = c.req.header(WORKSPACE_HEADER);
    const says = workspace === undefined || workspace === "" ? {} : { workspace };
    return answer(c, 200, await inTime(clock, gate.ask(body, says, caller, wanted)));
  });
  app.get("/v1/approvals/:id/answer", async (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["workspace", "wait"]);
    const waitMs = given["wait"] === undefined ? 0 : milliseconds(given["wait"], "wait");
    const id = c.req.param("id");
    const within = pick(given, "workspace");
    return answer(c, 200, await gate.answer(id, within, Math.min(waitMs, WAIT_MAX_MS), goneOf(c)));
  });
  app.delete("/v1/approvals/:id/answer", (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["workspace"]);
    return answer(c, 200, gate.leave(c.req.param("id"), pick(given, "workspace")));
  });
}

/** Aborted once the connection is closed. */
function goneOf(c: Context<Env>): AbortSignal {
  const gone = new AbortController();
  c.env.outgoing.once("close", () => gone.abort());
  return gone.signal;
}

function milliseconds(text: string, name: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new RefusedError(
    "BAD_PARAMETER",
    `${name} is no number of milliseconds.`,
    "Give a whole number.",
    name,
  );
}

function closedOf(text: string): "ask" | "deny" {
  if (text === "ask" || text === "deny") return text;
  throw new RefusedError("BAD_PARAMETER", "closed is neither ask nor deny.", "Give one of them.", "closed");
}
