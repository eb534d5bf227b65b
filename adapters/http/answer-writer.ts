// Answer writer
// Writes each answer, once all parts of the answer are known.
//
//   Owns:          the headers that all answers have, adding the proof of an answer, writing the answer.
//   Does not own:  the content of answers (the routes), what a proof is (access/handshakes).
//   Decided in:    docs/decisions/0069-answers-are-written-by-node.md.
//
// ANSWER-WRITER-1. Every answer, also a refusal of the guard, has the headers for browsers. If the caller proved itself, the
//     answer has a proof, too.
// ANSWER-WRITER-2. An answer is passed to Node as text or bytes, not as a web Response, which would cost more than all checks of
//     a request together.
// ANSWER-WRITER-3. The global `Request` and `Response` of the process stay unchanged.

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
