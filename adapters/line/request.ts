// Request
// Sends one HTTP request with Node's own client.
//
//   Owns:          sending the request, over TCP or through the data folder's socket; its answer, or why there is none.
//   Does not own:  other connections (over-tcp, with-token), the check of the folder's owner (data-folder).

import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import type { EngineRequest, Exchange } from "../../runtime/line/exchange.ts";

/** @returns the answer's head; undefined if nobody waits for the answer. @throws the system's error; AbortError. */
export function sent(
  { method, path, headers, body, signal, isOneWay }: EngineRequest,
  options: RequestOptions,
  send = plainRequest,
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

/** The answer that a caller gets if it does not wait for the engine's answer. */
export const UNHEARD = { status: 0, body: emptyBody() } as const;

/** @param socketPath a path in a folder that was just checked, so that nobody else can have put the socket there. */
export function overSocket(socketPath: string): Exchange {
  return async (request) => {
    const headers = { Host: "localhost", ...request.headers };
    const answer = await sent({ ...request, headers }, { socketPath, agent: false });
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // The body is empty, because whoever gets `UNHEARD` has not waited for an answer.
}
