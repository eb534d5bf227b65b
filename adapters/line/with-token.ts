// With token
// To an engine anywhere, as the person whose token it is.
//
//   Owns:          where a token may be sent to.
//   Does not own:  what it opens there (http), the proofs that stand for it on this machine (over-tcp).
//
// WITH-TOKEN-1. A token travels by https only, where the certificate shows who answers. On this machine, where any
//     account can have the port, both sides prove that they know it. It goes nowhere else.

import type { Exchange } from "../../runtime/line/exchange.ts";
import { isHere } from "../../runtime/line/here.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { overTcp } from "./over-tcp.ts";
import { sent, UNHEARD } from "./request.ts";

/** @throws RefusedError NEEDS_TLS for an address where what is said could be read on the way. */
export function withToken(url: string, token: string): Exchange {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "https:") return overTls({ host: hostname.replace(/^\[(.*)\]$/, "$1"), port }, token);
  if (!isHere(hostname)) throw needsTls(hostname);
  return overTcp(url, { token });
}

function overTls({ host, port }: { readonly host: string; readonly port: string }, token: string): Exchange {
  return async (request) => {
    const { request: send } = await import("node:https");
    const headers = { ...request.headers, Authorization: `Bearer ${token}` };
    const answer = await sent({ ...request, headers }, { host, port: port || undefined, agent: false }, send);
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}

const needsTls = (hostname: string): RefusedError =>
  new RefusedError(
    "NEEDS_TLS",
    `Others could read a token for ${hostname} on the way, and so could any program that answers there.`,
    "Name the engine by https, behind a proxy that ends TLS for it; or reach it through ssh -L.",
    "url",
  );
