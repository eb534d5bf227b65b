// Computed
// The routes whose answers are computed: machines, what hooks cannot hold, figures of the last day; and for an approval: what a
// denial would end, the precedents, and the lines of the file around an edit.
//
//   Owns:          the parameters and answers of these routes.
//   Does not own:  the computations (machines, runtime/reading).

import type { Context, Hono } from "hono";
import {
  type ApprovalId,
  approvalMachine,
  callMachine,
  requestMachine,
  sessionMachine,
} from "../../machines/index.ts";
import { type Given, isTrue, parametersOf } from "../../runtime/reading/parameters.ts";
import { toId } from "../../runtime/foreign-id.ts";
import type { SeriesAnswer } from "../../runtime/reading/figures/series.ts";
import { notFound } from "../../runtime/reading/not-found.ts";
import { mermaid } from "../../runtime/reading/mermaid.ts";
import { UNKNOWN_LINES } from "../../runtime/reading/around/file-lines.ts";
import { approvalHome } from "./access/home.ts";
import { answer, type Env, type Serving } from "./context.ts";

export function computedRoutes(app: Hono<Env>, serving: Serving): void {
  const { preview, door, queries, lines } = serving;
  app.get("/v1/machines", (c) => {
    parametersOf(givenIn(c), []);
    return answer(c, 200, { machines: MACHINES });
  });
  app.get("/v1/agents", (c) => {
    parametersOf(givenIn(c), []);
    return answer(c, 200, { agents: door.clients.openEnds() });
  });
  app.get("/v1/stats/series", async (c) => answer(c, 200, await ownSeries(serving, givenIn(c))));
  app.get("/v1/approvals/:id/precedents", async (c) => {
    const { workspace } = parametersOf(givenIn(c), ["workspace"]);
    const id = toId(c.req.param("id"));
    const found = await queries.precedents(id, approvalHome(c, queries, id, workspace));
    if (!found) throw notFound("approval", id, "GET /v1/approvals");
    return answer(c, 200, found);
  });
  app.get("/v1/approvals/:id/lines", async (c) => {
    const { workspace } = parametersOf(givenIn(c), ["workspace"]);
    const id = toId(c.req.param("id"));
    const within = approvalHome(c, queries, id, workspace);
    if (!queries.getApproval(id, within)) throw notFound("approval", id, "GET /v1/approvals");
    const found = await lines?.read(id, within, c.get("holder").name);
    return answer(c, 200, found ?? UNKNOWN_LINES);
  });
  app.get("/v1/approvals/:id/denial", (c) => {
    const given = parametersOf(givenIn(c), ["interrupt", "workspace"]);
    const id = toId(c.req.param("id")) as ApprovalId;
    const within = approvalHome(c, queries, id, given["workspace"]);
    const items = preview.denial(id, isTrue(given, "interrupt"), within);
    if (!items) throw notFound("approval", id, "GET /v1/approvals");
    return answer(c, 200, { items });
  });
}

/** The figures of this engine alone. @throws RefusedError BAD_PARAMETER */
export const ownSeries = ({ series }: Serving, given: Given): Promise<SeriesAnswer> =>
  series.read(parametersOf(given, ["span"]).span);

const MACHINES = Object.fromEntries(
  [sessionMachine, requestMachine, callMachine, approvalMachine].map(({ id, version, definition }) => [
    id,
    { version, definition, mermaid: mermaid(JSON.parse(JSON.stringify(definition))) },
  ]),
);

const givenIn = (c: Context<Env>): Given => new URL(c.req.url).searchParams;
