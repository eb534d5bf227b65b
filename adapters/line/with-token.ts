// With token
// To an engine anywhere, with a person's token in the request.
//
//   Owns:          where a token may be sent to.
//   Does not own:  what it opens there (http).
//
// WITH-TOKEN-1. A token travels by https, where the certificate shows who answers, or to this machine itself. It goes
//     nowhere else.

import { request as plainRequest } from "node:http";
import type { Exchange } from "../../runtime/line/exchange.ts";
import { RefusedError } from "../../runtime/errors.ts";
import { sent, UNHEARD } from "./request.ts";

const HERE: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** @throws RefusedError NEEDS_TLS for an address where the token could be read on the way. */
export function withToken(url: string, token: string): Exchange {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  if (!isSecure && !HERE.includes(hostname)) throw needsTls(hostname);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return async (request) => {
    const send = isSecure ? (await import("node:https")).request : plainRequest;
    const headers = { ...request.headers, Authorization: `Bearer ${token}` };
    const options = { protocol, host, port: port || undefined, agent: false } as const;
    const answer = await sent({ ...request, headers }, options, send);
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}

const needsTls = (hostname: string): RefusedError =>
  new RefusedError(
    "NEEDS_TLS",
    `A token for ${hostname} could be read on the way, and by whoever answers there.`,
    "Name the engine by https, behind a proxy that ends TLS for it; or reach it through ssh -L.",
    "url",
  );
