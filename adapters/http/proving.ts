// Proving
// The route with which an engine proves its identity to a caller.
//
//   Owns:          the route.
//   Does not own:  making proofs (access/handshakes), adding them to answers (answer-writer).

import type { Hono } from "hono";
import { HANDSHAKE_ROUTE } from "../../runtime/line/handshake.ts";
import { parametersOf, required } from "../../runtime/reading/parameters.ts";
import type { Handshakes } from "./access/handshakes.ts";
import { answer, type Env } from "./context.ts";

export function greetingRoute(app: Hono<Env>, handshakes: Handshakes): void {
  app.get(HANDSHAKE_ROUTE, (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["nonce", "tokenId"]);
    const { incoming } = c.env;
    // Only a configured name goes into the greeting. A name such as `localhost` proves nothing, as every machine has it.
    const { isBehind, isNear } = c.get("place");
    const name = isBehind || isNear ? "" : (incoming.headers.host ?? "");
    const introduction = { nonce: required(given, "nonce"), name, tokenId: given["tokenId"] };
    return answer(c, 200, handshakes.greet(incoming, introduction));
  });
}
