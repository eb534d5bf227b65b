// Gating
// The routes on which a caller waits for an approval's answer: a client's hook, another program of the client, or a service.
//
//   Owns:          the routes' parameters, noticing that a caller has disconnected.
//   Does not own:  waiting for an answer, deciding when a caller counts as gone (runtime/gate); the program that runs as a hook
//                  (adapters/gate).
//
// GATING-1. A request for an approval is answered once the approval is durable or refused: no crash can make the answer untrue.
// GATING-2. A service that requests an approval gets an address at which it can read the answer later. The address contains the
//     workspace and the call for which the approval was requested (ASKER-2).

import type { Context, Hono } from "hono";
import { defined } from "../../machines/index.ts";
import { placeWithin, WORKSPACE_HEADER } from "../../runtime/workspace-reach.ts";
import type { Within } from "../../runtime/reading/lookup.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { VIAS } from "../../runtime/door/gate-terms.ts";
import type { AnswerWanted, Acknowledged } from "../../runtime/gate/requesting.ts";
import { GATE_MS } from "../../runtime/gate/times.ts";
import { inTime } from "../../runtime/in-time.ts";
import { SAID, saidIn } from "../../runtime/reading/asker.ts";
import { countOf, type Parameters, parametersOf, pick, required } from "../../runtime/reading/parameters.ts";
import { answer, approvalHome, type Env, givenIn, reachOf, type Serving } from "./context.ts";
import { bodyOf, callerOf } from "./writing.ts";

export function gatingRoutes(app: Hono<Env>, serving: Serving): void {
  const { gate, clock, queries } = serving;
  app.post("/v1/gate", async (c) => {
    const given = parametersOf(givenIn(c), [
      "approval",
      "wait",
      "closed",
      "client",
      "via",
      "session",
      "call",
    ]);
    const wanted = {
      approvalId: required(given, "approval"),
      waitMs: countOf(given, "wait") ?? 0,
      onDeadline: closedOf(required(given, "closed"), "closed"),
      ...viaOf(given),
    };
    const says = { ...workspaceOf(c), ...pick(given, "client") };
    const caller = callerOf(c);
    const body = await bodyOf(c, serving, caller);
    return answer(c, 200, await inTime(clock, gate.requesting.ask(body, says, caller, wanted)));
  });
  app.post("/v1/approvals", async (c) => {
    parametersOf(givenIn(c), []);
    const caller = callerOf(c);
    const body = await bodyOf(c, serving, caller);
    const asked = inTime(clock, gate.requesting.askForService(body, workspaceOf(c), caller));
    return answer(c, 200, withAddress(await asked));
  });
  app.get("/v1/approvals/:id/answer", async (c) => {
    const given = parametersOf(givenIn(c), ["workspace", "wait", ...SAID]);
    const waitMs = countOf(given, "wait") ?? 0;
    const id = c.req.param("id");
    const asks = { ...approvalHome(c, queries, id, given["workspace"]), ...saidIn(given) };
    return answer(c, 200, await gate.answer(id, asks, Math.min(waitMs, GATE_MS.answer), goneOf(c)));
  });
  app.post("/v1/approvals/:id/taken", async (c) => {
    const given = parametersOf(givenIn(c), ["workspace"]);
    const id = c.req.param("id");
    const within = approvalHome(c, queries, id, given["workspace"]);
    const taken = gate.afterwards.taken(id, within, callerOf(c).by);
    return answer(c, 200, await inTime(clock, taken));
  });
  app.delete("/v1/approvals/:id/answer", async (c) => {
    const given = parametersOf(givenIn(c), ["workspace", "said", "ago"]);
    const id = c.req.param("id");
    const within = approvalHome(c, queries, id, given["workspace"]);
    const said = given["said"] === undefined ? undefined : closedOf(given["said"], "said");
    const agoMs = countOf(given, "ago") ?? 0;
    if (said === undefined) return answer(c, 200, gate.leave(id, within));
    return answer(c, 200, await inTime(clock, gate.afterwards.closed(id, within, said, agoMs)));
  });
}

/** @throws RefusedError NOT_ALLOWED if the header names a workspace that the caller may not use. */
const workspaceOf = (c: Context<Env>): Within =>
  defined({ workspace: placeWithin(reachOf(c), c.req.header(WORKSPACE_HEADER) || undefined) });

// Adds the address at which a service reads the answer later (GATING-2).
function withAddress({ answer, asked, workspace }: Acknowledged): object {
  if (answer.state !== "pending") return answer;
  const query = new URLSearchParams({ workspace, ...asked });
  return { ...answer, answer: `/v1/approvals/${answer.approvalId}/answer?${query.toString()}` };
}

/**
 * Reads which program asks, and from a program that does not know the session of its call, the session to use if the engine does
 * not know the call either.
 */
function viaOf({ via, session, call }: Parameters): Pick<AnswerWanted, "via" | "unplaced"> {
  const door = VIAS.find((each) => each === via);
  if (via !== undefined && door === undefined)
    throw new RefusedError(
      "BAD_PARAMETER",
      `via is none of ${VIAS.join(", ")}.`,
      `Give ${VIAS.join(" or ")}.`,
      "via",
    );
  const unplaced = session !== undefined && { session, ...(call !== undefined && { toolUseId: call }) };
  return { ...(door !== undefined && { via: door }), ...(unplaced && { unplaced }) };
}

/** @returns a signal that is aborted once the connection is closed, or the caller's token is removed. */
function goneOf(c: Context<Env>): AbortSignal {
  const gone = new AbortController();
  c.env.outgoing.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, c.get("holder").gone]);
}

function closedOf(text: string, name: string): "ask" | "deny" {
  if (text === "ask" || text === "deny") return text;
  throw new RefusedError("BAD_PARAMETER", `${name} is neither ask nor deny.`, "Give ask or deny.", name);
}
