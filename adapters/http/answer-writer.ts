// Answer writer
// Writes each answer, once all of its parts are known.
//
//   Owns:          the headers that all answers have, adding the proof of an answer, writing the answer.
//   Does not own:  the content of answers (the routes), what a proof is (access/handshakes).
//   Decided in:    docs/decisions/0069-answers-are-written-by-node.md.
//
// ANSWER-WRITER-1. Every answer, also a refusal of the guard, is written here. Each has the headers for a browser, and a proof if
//     the caller proved itself.
// ANSWER-WRITER-2. A whole answer is passed to node as text or bytes. Only a stream is a web Response: making one costs more than
//     all the checks of a request together.
// ANSWER-WRITER-3. The process's own `Request` and `Response` stay unchanged.

import type { Hono } from "hono";
import { ANSWER_HEADERS } from "./access/guard.ts";
import type { Handshakes } from "./access/handshakes.ts";
import type { Env } from "./context.ts";

interface Writing {
  readonly handshakes: Handshakes;
  readonly listening: { readonly isClosing: boolean };
}

/** Makes the function that the server calls with each request: it runs the routes, and writes their answer. */
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
