// Handshakes
// Shows a caller over TCP that this is the engine of its data folder, and believes requests that show the same.
//
//   Owns:          the nonces of each connection, the name of this start, checking and making proofs.
//   Does not own:  what a proof covers (runtime/line), what such a caller may do (holders).
//
// HANDSHAKES-1. A nonce counts once, on the connection it was made for.
// HANDSHAKES-2. A request whose proof is wrong is refused, whatever else it carries; so is a body other than the proven one.
// HANDSHAKES-3. The greeting names the end of the connection as it is here, and a name only if it was configured.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RefusedError } from "../../../runtime/errors.ts";
import {
  ANSWER_HEADER,
  answerProof,
  type Asked,
  bodyHashOf,
  endpointOf,
  type Greeting,
  greetingProof,
  HANDSHAKE_VERSION,
  type HandshakeKeys,
  handshakeKeys,
  isNonce,
  isProof,
  newNonce,
  readRequestHeader,
  REQUEST_HEADER,
  requestProof,
  UNENDING,
} from "../../../runtime/line/handshake.ts";

const START_BYTES = 12;

export class Handshakes {
  readonly #keys: HandshakeKeys;
  readonly #start = randomBytes(START_BYTES).toString("base64url");
  readonly #nonces = new WeakMap<Socket, string>();
  readonly #asked = new WeakMap<IncomingMessage, Asked>();

  /** @param lineKey of the data folder. */
  constructor(lineKey: string) {
    this.#keys = handshakeKeys(lineKey);
  }

  /** @param name the configured one that the request was sent to; empty for none. @throws RefusedError BAD_PARAMETER */
  greet(
    { socket }: IncomingMessage,
    callerNonce: string,
    name: string,
  ): Greeting & { readonly proof: string } {
    if (!isNonce(callerNonce)) throw badNonce();
    const nonce = newNonce();
    this.#nonces.set(socket, nonce);
    const greeting: Greeting = {
      version: HANDSHAKE_VERSION,
      start: this.#start,
      endpoint: endpointOf(socket.localAddress, socket.localPort),
      name,
      nonce,
    };
    return { ...greeting, proof: greetingProof(this.#keys, callerNonce, greeting) };
  }

  /** @returns whether the request shows that its sender has the line key. @throws RefusedError UNAUTHENTICATED */
  isProven(request: IncomingMessage): boolean {
    const header = request.headers[REQUEST_HEADER];
    if (header === undefined) return false;
    const read = readRequestHeader(String(header));
    const { socket, method = "", url: path = "", headers } = request;
    const engineNonce = this.#nonces.get(socket);
    this.#nonces.delete(socket);
    if (!read || engineNonce === undefined || read.engineNonce !== engineNonce) throw notProven();
    const { proof, ...said } = read;
    const asked: Asked = { ...said, method, path, headers };
    if (!isProof(proof, requestProof(this.#keys, asked))) throw notProven();
    this.#asked.set(request, asked);
    return true;
  }

  /** HANDSHAKES-2. @throws RefusedError for a body other than the proven one. */
  checkBody(request: IncomingMessage, body: Uint8Array): void {
    const asked = this.#asked.get(request);
    if (asked && asked.bodyHash !== bodyHashOf(body)) throw notProven();
  }

  /** @param body undefined for an answer that does not end. @returns the headers that prove it; none where nobody asked so. */
  proofOf(request: IncomingMessage, status: number, body: Uint8Array | undefined): Record<string, string> {
    const asked = this.#asked.get(request);
    if (!asked) return {};
    const bodyHash = body ? bodyHashOf(body) : UNENDING;
    return { [ANSWER_HEADER]: answerProof(this.#keys, asked, status, bodyHash) };
  }

  wasProven(request: IncomingMessage): boolean {
    return this.#asked.has(request);
  }
}

const badNonce = (): RefusedError =>
  new RefusedError("BAD_PARAMETER", "nonce is not 24 random bytes as base64url.", "Make a new one.", "nonce");

const notProven = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request does not prove that its sender has this data folder's line key.",
    "Ask for a greeting on the same connection, and prove each request with its nonce.",
    REQUEST_HEADER,
  );
