// Answer writer
// Writes the answer to each request, once the route has run and its status, body and headers are known.
//
//   Owns:          the headers that all answers have; adding to an answer the proof that it comes from this engine; writing the
//                  answer.
//   Does not own:  the content of answers (the routes), what a proof is (access/handshakes).
//   Decided in:    docs/decisions/0069-answers-are-written-by-node.md.
//
// ANSWER-WRITER-1. Every answer, even a refusal by the guard, has the headers that tell browsers not to run, store or frame it.
//     If the caller proved who they are, the answer also has a proof that it comes from this engine.
// ANSWER-WRITER-2. A route hands its answer over as text or bytes. A web `Response` is not used, because making one takes more
//     time than all checks of a request together.
// ANSWER-WRITER-3. The HTTP adapter does not replace the global `Request` and `Response` of the process: the engine may run
//     inside a host program, which uses them, too.

import type { Hono } from "hono";
import { ANSWER_HEADERS } from "./access/guard.ts";
import type { Handshakes } from "./access/handshakes.ts";
import type { Env } from "./context.ts";

interface Writing {
  readonly handshakes: Handshakes;
  readonly listening: { readonly isClosing: boolean };
}

export function answerWriter(app: Hono<Env>, { handshakes, listening }: Writing) {
  return async (request: Request, given: object): Promise<Response> => {
    // The cast is safe: the server hands over node:http's own request and response.
    const env = given as Env["Bindings"];
    const response = await app.fetch(request, env);
    const { incoming, outgoing, whole } = env;
    if (listening.isClosing) outgoing.setHeader("Connection", "close");
    if (!whole) {
      const headers = { ...ANSWER_HEADERS, ...handshakes.proofOf(incoming, response.status, undefined) };
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
      return response;
    }
    const { status, body, headers } = whole;
    outgoing.writeHead(status, {
      ...ANSWER_HEADERS,
      ...headers,
      ...handshakes.proofOf(incoming, status, body),
      "Content-Length": Buffer.byteLength(body),
    });
    outgoing.end(body);
    return response;
  };
}
