// Keyed engine
// An engine as small as can be that has the key, and changes what it says after the proof was made.
//
//   Owns:          the greeting and the proof of each answer.
//   Does not own:  where it listens, what is changed (each test).

import type { RequestListener } from "node:http";
import {
  ANSWER_HEADER,
  answerProof,
  bodyHashOf,
  endpointOf,
  type Greeting,
  greetingProof,
  HANDSHAKE_ROUTE,
  HANDSHAKE_VERSION,
  handshakeKeys,
  newNonce,
  readRequestHeader,
  REQUEST_HEADER,
} from "../../../runtime/line/handshake.ts";

interface Said {
  readonly status: number;
  readonly text: string;
  readonly shown: string;
}
export type Change = (said: Said) => Said;

/** @param answer to a request for a path; by default a denial. */
export function keyedEngine(
  secret: string,
  change: Change,
  answer: (path: string) => object = () => ({ state: "denied" }),
): RequestListener {
  const keys = handshakeKeys(secret);
  return (request, response) => {
    const { url = "", method = "", headers, socket } = request;
    request.resume();
    if (url.startsWith(HANDSHAKE_ROUTE)) {
      const endpoint = endpointOf(socket.localAddress, socket.localPort);
      const said: Greeting = {
        version: HANDSHAKE_VERSION,
        start: "s",
        endpoint,
        name: "",
        nonce: newNonce(),
      };
      const callerNonce = new URL(url, "http://engine").searchParams.get("nonce") ?? "";
      response.end(JSON.stringify({ ...said, proof: greetingProof(keys, callerNonce, said) }));
      return;
    }
    const read = readRequestHeader(String(headers[REQUEST_HEADER]));
    if (!read) throw new Error("The request has no proof.");
    const text = JSON.stringify(answer(url));
    const shown = answerProof(
      keys,
      { ...read, method, path: url, headers },
      200,
      bodyHashOf(Buffer.from(text)),
    );
    const said = change({ status: 200, text, shown });
    response.writeHead(said.status, said.shown === "" ? {} : { [ANSWER_HEADER]: said.shown }).end(said.text);
  };
}
