// Handshakes
// Proves to callers over TCP that this is the engine of its data folder, and checks the proofs of their requests.
//
//   Owns:          the nonces of each connection, the random name of this start of the engine, checking and making proofs.
//   Does not own:  what a proof covers (runtime/line), who has which key, what a caller with a proof may do (holders).
//
// HANDSHAKES-1. A nonce (a random text that a proof must cover) is valid for one request of the caller who got it, on the same
//     connection.
// HANDSHAKES-2. A request is refused if its proof is wrong, or if its body is not the one that the proof covers, even if the
//     request also has a valid cookie.
// HANDSHAKES-3. The greeting, the engine's first answer on a connection, proves that this is the folder's engine. It contains the
//     address at which the caller reached the engine, and a name of the engine only if one was configured.
// HANDSHAKES-4. If a request for a stream has a proof, each part of the stream has one, too.

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
  partHead,
  readRequestHeader,
  REQUEST_HEADER,
  requestProof,
  UNENDING,
} from "../../../runtime/line/handshake.ts";

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
   * The engine's greeting to a caller (HANDSHAKES-3).
   * @param name the engine's configured name, or empty.
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
   * @returns the sender whom the request's proof identifies (HANDSHAKES-1); undefined without a proof.
   * @throws RefusedError UNAUTHENTICATED
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

  /** Checks that the proof covers the request's body (HANDSHAKES-2). @throws RefusedError UNAUTHENTICATED */
  checkBody(request: IncomingMessage, body: Uint8Array): void {
    const proven = this.#proven.get(request);
    if (proven && proven.asked.bodyHash !== bodyHashOf(body)) throw notProven();
  }

  /** @param body undefined for a stream. @returns the header with the answer's proof; none if the request had no proof. */
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

  /** @returns the stream with a proof before each part (HANDSHAKES-4); the same stream if the request had no proof. */
  proving(request: IncomingMessage, events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const proven = this.#proven.get(request);
    if (!proven) return events;
    let n = 0;
    const parts = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        const head = partHead(proven.keys, proven.asked, (n += 1), part);
        controller.enqueue(Buffer.concat([Buffer.from(head), part]));
      },
    });
    return events.pipeThrough(parts);
  }

  wasProven(request: IncomingMessage): boolean {
    return this.#proven.has(request);
  }

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
