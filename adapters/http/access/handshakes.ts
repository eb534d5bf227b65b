// Handshakes
// Proves to a caller over TCP that this is the engine of its data folder, and checks the proofs of requests.
//
//   Owns:          the nonces of each connection, the name of this start, checking and making proofs.
//   Does not own:  what a proof covers (runtime/line), who has which key, and what such a caller may do (holders).
//
// HANDSHAKES-1. A nonce counts once, on its own connection, for the caller it was made for.
// HANDSHAKES-2. A request with a wrong proof is refused, whatever else it carries. So is a request whose body is not the one
//     that its proof covers.
// HANDSHAKES-3. The greeting contains the engine's own address on the connection. It contains a name of the engine only if that
//     name was configured.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Holder, Holders, Prover } from "./holders.ts";
import {
  ANSWER_HEADER,
  answerProof,
  type Asked,
  bodyHashOf,
  endpointOf,
  type Greeting,
  greetingProof,
  HANDSHAKE_VERSION,
  isNonce,
  isProof,
  newNonce,
  readRequestHeader,
  REQUEST_HEADER,
  requestProof,
  UNENDING,
} from "../../../runtime/line/handshake.ts";

/** What a caller sends before either side has proved anything. */
interface Introduction {
  readonly nonce: string;
  readonly name: string;
  readonly tokenId: string | undefined;
}

const START_BYTES = 12;

export class Handshakes {
  readonly #holders: Holders;
  readonly #start = randomBytes(START_BYTES).toString("base64url");
  readonly #greeted = new WeakMap<Socket, Prover & { readonly nonce: string }>();
  readonly #proven = new WeakMap<IncomingMessage, Prover & { readonly asked: Asked }>();

  constructor(holders: Holders) {
    this.#holders = holders;
  }

  /**
   * Answers a caller's greeting, with a proof that this is the engine of its data folder (HANDSHAKES-3).
   * @param name the configured name that the request was sent to; empty if there is none. @param tokenId the token's id, as in
   *   `Holders.prover`.
   * @throws RefusedError BAD_PARAMETER, UNAUTHENTICATED
   */
  greet(
    { socket }: IncomingMessage,
    { nonce: callerNonce, name, tokenId }: Introduction,
  ): Greeting & { readonly proof: string } {
    if (!isNonce(callerNonce)) throw badNonce();
    const prover = this.#holders.prover(tokenId);
    const nonce = newNonce();
    this.#greeted.set(socket, { ...prover, nonce });
    const greeting: Greeting = {
      version: HANDSHAKE_VERSION,
      start: this.#start,
      endpoint: endpointOf(socket.localAddress, socket.localPort),
      name,
      nonce,
    };
    return { ...greeting, proof: greetingProof(prover.keys, callerNonce, greeting) };
  }

  /**
   * Checks the proof of a request, and uses up its nonce (HANDSHAKES-1).
   * @returns the sender; undefined if the request carries no proof. @throws RefusedError UNAUTHENTICATED
   */
  prover(request: IncomingMessage): Holder | undefined {
    const header = request.headers[REQUEST_HEADER];
    if (header === undefined) return undefined;
    const read = readRequestHeader(String(header));
    const { socket, method = "", url: path = "", headers } = request;
    const greeted = this.#greeted.get(socket);
    this.#greeted.delete(socket);
    if (!read || read.engineNonce !== greeted?.nonce || greeted.holder.gone.aborted) throw notProven();
    const { proof, ...said } = read;
    const asked: Asked = { ...said, method, path, headers };
    if (!isProof(proof, requestProof(greeted.keys, asked))) throw notProven();
    this.#proven.set(request, { ...greeted, asked });
    return greeted.holder;
  }

  /** Checks that the body is the one that the request's proof covers (HANDSHAKES-2). @throws RefusedError UNAUTHENTICATED */
  checkBody(request: IncomingMessage, body: Uint8Array): void {
    const proven = this.#proven.get(request);
    if (proven && proven.asked.bodyHash !== bodyHashOf(body)) throw notProven();
  }

  /**
   * Proves an answer to a caller who proved its request.
   * @param body undefined for an answer that does not end. @returns the proof's headers; none if the request was not proved.
   */
  proofOf(
    request: IncomingMessage,
    status: number,
    body: string | Uint8Array | undefined,
  ): Record<string, string> {
    const proven = this.#proven.get(request);
    if (!proven) return {};
    const bodyHash = body === undefined ? UNENDING : bodyHashOf(body);
    return { [ANSWER_HEADER]: answerProof(proven.keys, proven.asked, status, bodyHash) };
  }

  wasProven(request: IncomingMessage): boolean {
    return this.#proven.has(request);
  }

  /** Whether the sender has proved that they have the data folder's line key. */
  isLocal(request: IncomingMessage): boolean {
    return this.#proven.get(request)?.isLocal === true;
  }
}

const badNonce = (): RefusedError =>
  new RefusedError(
    "BAD_PARAMETER",
    "nonce is not 24 random bytes as base64url.",
    "Make a new nonce for each greeting.",
    "nonce",
  );

const notProven = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request does not prove that its sender has this data folder's line key, or a valid token.",
    "Ask for a greeting on the same connection, and prove each request with the greeting's nonce.",
    REQUEST_HEADER,
  );
