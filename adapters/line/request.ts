// Request
// Sends one HTTP request with Node's own client.
//
//   Owns:          sending it, and its answer or the reason why there is none.
//   Does not own:  where a request is sent (over-socket, over-tcp, with-token).

import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import type { EngineRequest } from "../../runtime/line/exchange.ts";

type Send = typeof plainRequest;

/** @returns the answer's head; an empty one if nobody waits for the answer. @throws the system's error; AbortError. */
export function sent(
  { method, path, headers, body, signal, isOneWay }: EngineRequest,
  options: RequestOptions,
  send: Send = plainRequest,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const going = send({
      ...options,
      method,
      path,
      ...(signal && { signal }),
      headers: { ...headers, ...(body && { "Content-Length": body.length }) },
    });
    going.on("response", resolve);
    going.on("error", reject);
    if (isOneWay === true) going.on("finish", () => resolve(undefined));
    going.end(body);
  });
}

/** The answer of a request for which nobody waits. */
export const UNHEARD = { status: 0, body: emptyBody() } as const;

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // Nobody reads the answer.
}
