// Found
// The routes about one thing by its id, which this engine or one of its peers has.
//
//   Owns:          which routes these are, finding the engine.
//   Does not own:  passing a request on (passing), this engine's own answers (the other routes).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-FOUND-1. If this engine has the id, it answers itself. Otherwise it asks all peers. If no peer that answers has the id
//     and a peer is silent, the answer is 503, because the silent peer may have the id.
// PEERS-FOUND-2. A request that changes something goes to exactly one engine, or to none.
// PEERS-FOUND-3. A request that a peer passed on is never passed on again.

import type { Context, Hono, Next } from "hono";
import { defined } from "../../../machines/index.ts";
import { isFields } from "../../../machines/json.ts";
import { toId } from "../../../runtime/foreign-id.ts";
import { AmbiguousError } from "../../../runtime/errors/ambiguous.ts";
import { FIND_MS, type Peers } from "../../../runtime/peers/peers.ts";
import type { Holder } from "../access/holders.ts";
import type { Env, Serving } from "../context.ts";
import { userQueryOf, noSuchPeer, passBack, passOn, requestOf, severalHave, silent } from "./passing.ts";

const READ = [
  "/v1/requests/:id",
  "/v1/sessions/:id",
  "/v1/sessions/:id/tool-calls",
  "/v1/sessions/:id/history",
  "/v1/sessions/:id/rejections",
  "/v1/sessions/:id/conversation",
  "/v1/tool-calls/:id",
  "/v1/approvals/:id",
  "/v1/approvals/:id/denial",
  "/v1/approvals/:id/precedents",
  "/v1/approvals/:id/lines",
] as const;

const CHANGED = [
  ["POST", "/v1/approvals/:id/decision"],
  ["POST", "/v1/approvals/:id/assignment"],
  ["POST", "/v1/approvals/:id/looking"],
  ["DELETE", "/v1/approvals/:id/looking"],
] as const;

export function peerFound(app: Hono<Env>, serving: Serving, peers: Peers): void {
  app.use((c, next) => named(c, next, serving, peers));
  for (const path of READ) app.get(path, (c, next) => read(c, next, peers, path));
  for (const [method, path] of CHANGED) app.on(method, path, (c, next) => changed(c, next, serving, peers));
}

/** Some routes are open to callers without a token, who are no holders. */
const isOwnAlone = (c: Context<Env>): boolean => {
  const holder = c.get("holder") as Holder | undefined;
  const isShared = c.req.path.startsWith("/v1/") && c.req.path !== "/v1/stream";
  return holder === undefined || holder.isPassedOn === true || !isShared;
};

/** Lets this engine's own route answer. */
async function here(next: Next): Promise<undefined> {
  await next();
  return undefined;
}

/** Passes a request that names a peer on to that peer. */
async function named(
  c: Context<Env>,
  next: Next,
  serving: Serving,
  peers: Peers,
): Promise<Response | undefined> {
  const query = new URL(c.req.url).searchParams;
  const name = query.get("engine");
  if (name === null || isOwnAlone(c)) return here(next);
  if (!peers.all.some((peer) => peer.name === name)) throw noSuchPeer(peers);
  query.delete("engine");
  return passOn(c, serving, { peers, name, query });
}

async function read(
  c: Context<Env>,
  next: Next,
  peers: Peers,
  path: (typeof READ)[number],
): Promise<Response | undefined> {
  await next();
  if (c.env.whole?.status !== 404 || isOwnAlone(c)) return undefined;
  const { answers, silent: away } = await peers.ask(requestOf(c), FIND_MS);
  const having = answers.filter(({ status }) => status !== 404 && status !== 403);
  const [found, ...others] = having;
  if (others.length > 0) throw severalHave("this id", names(having));
  if (found) {
    const isApproval = path === "/v1/approvals/:id" && found.status === 200;
    if (isApproval && isFields(found.body)) peers.lastSeen.one(found.peer, userQueryOf(c), found.body);
    passBack(c, found);
  } else if (away.length > 0) throw silent(away);
  return undefined;
}

async function changed(
  c: Context<Env>,
  next: Next,
  serving: Serving,
  peers: Peers,
): Promise<Response | undefined> {
  const id = c.req.param("id") ?? "";
  const workspace = c.req.query("workspace");
  if (isOwnAlone(c) || isHere(serving, id, workspace)) return here(next);
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const asked = workspace === undefined ? path : `${path}?workspace=${encodeURIComponent(workspace)}`;
  const { user } = requestOf(c);
  const { answers, silent: away } = await peers.ask({ method: "GET", path: asked, user }, FIND_MS);
  const having = answers.filter(({ status }) => status === 200 || status === 409);
  const [found, ...others] = having;
  if (others.length > 0) throw severalHave("this approval", names(having));
  if (found) return passOn(c, serving, { peers, name: found.peer });
  if (away.length > 0) throw silent(away);
  return here(next);
}

const names = (answers: readonly { readonly peer: string }[]): readonly string[] =>
  answers.map(({ peer }) => peer);

/** Whether this engine has the approval, in whatever workspace. */
function isHere({ queries }: Serving, id: string, workspace: string | undefined): boolean {
  try {
    return queries.getApproval(toId(id), defined({ workspace })) !== undefined;
  } catch (error) {
    if (error instanceof AmbiguousError) return true;
    throw error;
  }
}
