// Computed
// The routes whose answers are not stored as rows: they are computed, or read from files, anew for each request.
//
//   Owns:          the parameters and answers of the routes whose answers are computed.
//   Does not own:  the computations (machines, runtime/reading), transcripts and files, the audit log (adapters/audit-log).

import type { Hono } from "hono";
import {
  type ApprovalId,
  approvalMachine,
  callMachine,
  defined,
  requestMachine,
  sessionMachine,
} from "../../machines/index.ts";
import { homeWithin } from "../../runtime/workspace-reach.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { countOf, type Given, isTrue, parametersOf } from "../../runtime/reading/parameters.ts";
import { UNKNOWN_CONVERSATION } from "../../runtime/reading/conversation.ts";
import type { AtPeer } from "../../runtime/rows/views.ts";
import { toId } from "../../runtime/foreign-id.ts";
import type { SeriesAnswer } from "../../runtime/reading/figures/series.ts";
import { notFound } from "../../runtime/reading/not-found.ts";
import { mermaid } from "../../runtime/reading/mermaid.ts";
import { UNKNOWN_LINES } from "../../runtime/reading/around/file-lines.ts";
import { answer, approvalHome, type Env, givenIn, reachOf, type Serving } from "./context.ts";

const LIMIT = 100;
const LIMIT_MAX = 500;

export function computedRoutes(app: Hono<Env>, serving: Serving): void {
  const { preview, door, queries, lines, conversation } = serving;
  app.get("/v1/machines", (c) => {
    parametersOf(givenIn(c), []);
    return answer(c, 200, { machines: MACHINES });
  });
  app.get("/v1/agents", (c) => {
    parametersOf(givenIn(c), []);
    return answer(c, 200, { agents: door.clients.openEnds() });
  });
  app.get("/v1/stats/series", async (c) => answer(c, 200, await ownSeries(serving, givenIn(c))));
  app.get("/v1/audit/heads", async (c) => answer(c, 200, await ownHeads(serving, givenIn(c))));
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

/** @throws RefusedError BAD_PARAMETER */
export const ownSeries = ({ series }: Serving, given: Given): Promise<SeriesAnswer> =>
  series.read(parametersOf(given, ["span"]).span);

export interface Heads {
  readonly items: readonly (AtPeer & {
    /** The audit log's checkpoint, in the form of c2sp.org/tlog-checkpoint: the log's name, size and root, signed. */
    readonly checkpoint: string;
  })[];
}

/** @throws RefusedError BAD_PARAMETER; the system's error. */
export async function ownHeads({ auditHead }: Serving, given: Given): Promise<Heads> {
  parametersOf(given, []);
  const checkpoint = await auditHead?.();
  return { items: checkpoint === undefined ? [] : [{ checkpoint }] };
}

const MACHINES = Object.fromEntries(
  [sessionMachine, requestMachine, callMachine, approvalMachine].map(({ id, version, definition }) => [
    id,
    { version, definition, mermaid: mermaid(JSON.parse(JSON.stringify(definition))) },
  ]),
);

const badLimit = (): RefusedError =>
  new RefusedError("BAD_LIMIT", `limit is not between 1 and ${LIMIT_MAX}.`, "Ask for fewer.", "limit");
