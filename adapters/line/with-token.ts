// With token
// Sends requests to an engine on any machine, as the user of a token.
//
//   Owns:          to which engines a token may be sent.
//   Does not own:  what a token may do at the engine (http), proofs that replace a token on this machine (over-tcp).
//
// WITH-TOKEN-1. To another machine, a token is sent only by https, where the certificate proves who the server is. On this
//     machine, where any account may use the port, the token is not sent: both sides prove that they know it.
// WITH-TOKEN-2. By https, requests that only read share connections that stay open, and are sent again if the other side has
//     closed the connection. A request that changes something gets a connection of its own, and is sent only once.

import type { Agent } from "node:https";
import type { Exchange } from "../../runtime/line/exchange.ts";
import { isHere } from "../../runtime/line/here.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { overTcp } from "./over-tcp.ts";
import { sent, UNHEARD } from "./request.ts";

/** @throws RefusedError NEEDS_TLS if others could read requests on the way to this address. */
export function withToken(url: string, token: string): Exchange {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "https:") return overTls({ host: hostname.replace(/^\[(.*)\]$/, "$1"), port }, token);
  if (!isHere(hostname)) throw needsTls(hostname);
  return overTcp(url, { token });
}

function overTls(place: { readonly host: string; readonly port: string }, token: string): Exchange {
  let kept: Agent | undefined;
  return async (request) => {
    const https = await import("node:https");
    kept ??= new https.Agent({ keepAlive: true });
    const headers = { ...request.headers, Authorization: `Bearer ${token}` };
    const through = (agent: Agent | false) => {
      const options = { host: place.host, port: place.port || undefined, agent };
      return sent({ ...request, headers }, options, https.request);
    };
    const isRead = request.method === "GET";
    const answer = await through(isRead && kept).catch((error: unknown) => {
      if (isRead && isClosed(error)) return through(false);
      throw error;
    });
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}

const isClosed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");

const needsTls = (hostname: string): RefusedError =>
  new RefusedError(
    "NEEDS_TLS",
    `Others could read a token for ${hostname} on the way, and so could any program that answers at that address.`,
    "Use an https address, of a proxy that ends TLS for the engine; or reach the engine through ssh -L.",
    "url",
  );
