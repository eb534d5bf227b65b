// Proving
// The greeting that an engine proves itself with, and the proof on each answer to a caller who proved themselves.
//
//   Owns:          the route, the header on answers.
//   Does not own:  the proofs (access/handshakes).

import type { Context, Hono } from "hono";
import { HANDSHAKE_ROUTE } from "../../runtime/line/handshake.ts";
import { parametersOf, required } from "../../runtime/reading/parameters.ts";
import type { Handshakes } from "./access/handshakes.ts";
import { answer, type Env } from "./context.ts";

export function greetingRoute(app: Hono<Env>, handshakes: Handshakes): void {
  app.get(HANDSHAKE_ROUTE, (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["nonce", "tokenId"]);
    const { incoming } = c.env;
    // Only a name that somebody configured says anything: this machine's own are everybody's.
    const { isBehind, isNear } = c.get("place");
    const name = isBehind || isNear ? "" : (incoming.headers.host ?? "");
    const introduction = { nonce: required(given, "nonce"), name, tokenId: given["tokenId"] };
    return answer(c, 200, handshakes.greet(incoming, introduction));
  });
}

/** Does nothing for a caller who did not prove themselves. */
export async function proveAnswer(c: Context<Env>, handshakes: Handshakes): Promise<void> {
  const { incoming } = c.env;
  if (!handshakes.wasProven(incoming)) return;
  const isUnending = (c.res.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
  const body = isUnending ? undefined : new Uint8Array(await c.res.arrayBuffer());
  const { status, headers } = c.res;
  if (body) c.res = new Response(body, { status, headers });
  for (const [name, value] of Object.entries(handshakes.proofOf(incoming, status, body)))
    c.header(name, value);
}
