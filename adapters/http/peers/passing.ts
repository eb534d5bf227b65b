// Passing
// Passes a request on to the peer that the request is about, and passes the peer's answer back.
//
//   Owns:          which parts of a request are passed on; the errors if the peer is silent, or if several engines have the id.
//   Does not own:  finding the peer (found), sending to the peer (runtime/peers).
//
// PASSING-1. Only those headers of a request are passed on that change what the request means. (checked by review: the list of
//     these headers)

import type { Context } from "hono";
import { defined } from "../../../machines/index.ts";
import { isFields } from "../../../machines/json.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import type { UserQuery } from "../../../runtime/peers/last-seen.ts";
import { forUser } from "../../../runtime/peers/on-behalf.ts";
import { type PeerAnswer, type Peers, type PeerRequest } from "../../../runtime/peers/peers.ts";
import { answer, type Env, givenIn, type Serving } from "../context.ts";
import { bodyOf, callerOf } from "../writing.ts";

const METHODS = ["GET", "POST", "DELETE"] as const;
const HEADERS = ["Content-Type", "Idempotency-Key", "traceparent"] as const;

/** @param query the query to send to the peer, if it differs from the query of the request itself. */
export function requestOf(c: Context<Env>, query?: URLSearchParams): Omit<PeerRequest, "body"> {
  const { pathname, searchParams } = new URL(c.req.url);
  const asked = String(query ?? searchParams);
  const headers = HEADERS.flatMap((name) => {
    const value = c.req.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    // A HEAD request is passed on as a GET: Hono itself leaves out the body of the answer to a HEAD request.
    method: METHODS.find((each) => each === c.req.method) ?? "GET",
    path: asked === "" ? pathname : `${pathname}?${asked}`,
    user: forUser(c.get("holder")),
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

export function userQueryOf(c: Context<Env>): UserQuery {
  const { gone, ...user } = c.get("holder");
  return { user: forUser(user), gone, query: givenIn(c) };
}

/** Passes the request on to a peer. @throws RetryableError PEER_SILENT */
export async function passOn(
  c: Context<Env>,
  serving: Serving,
  { peers, name, query }: { readonly peers: Peers; readonly name: string; readonly query?: URLSearchParams },
): Promise<Response> {
  const body = c.req.method === "POST" ? await bodyOf(c, serving, callerOf(c)) : undefined;
  const found = await peers.askOne(name, { ...requestOf(c, query), ...defined({ body }) });
  if (!found) throw silent([name]);
  return passBack(c, found);
}

/** Passes a peer's answer on. The answer names the peer, so that the caller can send later requests to that peer. */
export const passBack = (c: Context<Env>, { peer, status, body }: PeerAnswer): Response =>
  answer(c, status, { ...(isFields(body) && body), ...(status === 200 && { engine: peer }) });

export const silent = (names: readonly string[]): RetryableError =>
  new RetryableError(
    "PEER_SILENT",
    `${names.join(", ")} ${names.length === 1 ? "does" : "do"} not answer, and may be the engine that the request is about.`,
    "See whether the engine that does not answer runs; then send the request again.",
    2_000,
  );

export const severalHave = (what: string, names: readonly string[]): RefusedError =>
  new RefusedError(
    "AMBIGUOUS",
    `Several engines have ${what}: ${names.join(", ")}.`,
    "Add engine= to the request, with one of these names.",
    "engine",
  );

export const noSuchPeer = (peers: Peers): RefusedError =>
  new RefusedError(
    "BAD_PARAMETER",
    "The parameter engine names no engine that is known here.",
    `Give one of ${peers.all.map(({ name }) => name).join(", ")}, or leave it out.`,
    "engine",
  );
