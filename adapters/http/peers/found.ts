// Found
// The routes about one thing, such as a call, that is found by its id at this engine or at one of its peers.
//
//   Owns:          which routes are about one thing with an id, finding the engine that has the id.
//   Does not own:  passing a request on (passing), this engine's own answers (the other routes).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-FOUND-1. If this engine does not have the id, it asks all peers. If none of the peers that answer has the id, and
//     another peer does not answer in time, the caller gets 503, because the silent peer may have the id.
// PEERS-FOUND-2. A request that changes something is passed on to at most one engine.
// PEERS-FOUND-3. A request that a peer passed on is never passed on again.
// PEERS-FOUND-4. An id of a workspace that the caller may not use counts as an id that this engine does not have.

import type { Context, Hono, Next } from "hono";
import { isFields } from "../../../machines/json.ts";
import { toId } from "../../../runtime/foreign-id.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { FIND_MS, type PeerAnswer, type Peers } from "../../../runtime/peers/peers.ts";
import type { Holder } from "../access/holders.ts";
import { approvalHome, type Env, givenIn, type Serving } from "../context.ts";
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

/** True if no peer is asked. `holder` is undefined on routes that are open to callers without a token. */
const isOwnAlone = (c: Context<Env>): boolean => {
  const holder = c.get("holder") as Holder | undefined;
  const isShared = c.req.path.startsWith("/v1/") && c.req.path !== "/v1/stream";
  return holder === undefined || holder.isPassedOn === true || !isShared;
};

async function here(next: Next): Promise<undefined> {
  await next();
  return undefined;
}

async function named(
  c: Context<Env>,
  next: Next,
  serving: Serving,
  peers: Peers,
): Promise<Response | undefined> {
  const query = givenIn(c);
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
  const having = answers.filter(hasIt);
  const [found, ...others] = having;
  if (others.length > 0) throw severalHave("this id", names(having));
  if (!found && away.length > 0) throw silent(away);
  // If no peer has the id, but a peer refused a parameter, the peer's refusal helps the caller more than this engine's 404.
  const told = found ?? answers.find(({ status }) => status !== 404 && status !== 403);
  if (!told) return undefined;
  const isApproval = path === "/v1/approvals/:id" && told.status === 200;
  if (isApproval && isFields(told.body)) peers.lastSeen.one(told.peer, userQueryOf(c), told.body);
  passBack(c, told);
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
  if (isOwnAlone(c) || isHere(c, serving, id, workspace)) return here(next);
  const path = `/v1/approvals/${encodeURIComponent(id)}`;
  const asked = workspace === undefined ? path : `${path}?workspace=${encodeURIComponent(workspace)}`;
  const { user } = requestOf(c);
  const { answers, silent: away } = await peers.ask({ method: "GET", path: asked, user }, FIND_MS);
  const having = answers.filter(hasIt);
  const [found, ...others] = having;
  if (others.length > 0) throw severalHave("this approval", names(having));
  if (found) return passOn(c, serving, { peers, name: found.peer });
  if (away.length > 0) throw silent(away);
  return here(next);
}

/** True if the peer has the item. The status 409 says that the peer has the id in several workspaces. */
const hasIt = ({ status }: PeerAnswer): boolean => status === 200 || status === 409;

const names = (answers: readonly { readonly peer: string }[]): readonly string[] =>
  answers.map(({ peer }) => peer);

/** True if this engine has the id, or refuses to say whether it has: this engine's own route then sends the refusal. */
function isHere(c: Context<Env>, { queries }: Serving, id: string, workspace: string | undefined): boolean {
  try {
    const known = toId(id);
    return queries.getApproval(known, approvalHome(c, queries, known, workspace)) !== undefined;
  } catch (error) {
    if (error instanceof RefusedError) return true;
    throw error;
  }
}
