// Request
// One HTTP request of Node's own, as an exchange.
//
//   Owns:          sending it, and its answer or the reason why there is none.
//   Does not own:  where it goes (over-socket, over-tcp, with-token).

import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import type { EngineRequest } from "../../runtime/line/exchange.ts";

type Send = typeof plainRequest;

/** @returns the answer's head; of one that is not waited for, an empty one. @throws the system's error; AbortError. */
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

/** For an answer that nobody waits for. */
export const UNHEARD = { status: 0, body: emptyBody() } as const;

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // Nothing is heard.
}
