// Handshake
// The handshake by which an engine and its caller prove to each other, over TCP, that both have the data folder's line key, or
// a person's token. The key and the token are never sent.
//
//   Owns:          the key of each direction, what each proof covers, the names of the handshake's route and headers.
//   Does not own:  the connection (adapters/line), who may do what (adapters/http), storing the line key (adapters/data-folder).
//   Decided in:    docs/decisions/0052-the-folder-is-the-proof.md.
//
// HANDSHAKE-1. Each direction has its own key, so a proof that is sent back to its sender proves nothing.
// HANDSHAKE-2. A proof covers the nonces of caller and engine, and the version. The engine's nonce is valid for one request on
//     one connection.
// HANDSHAKE-3. The engine's greeting proves the id of the engine's start, and the engine's own address on the connection. If the
//     caller dialled another address, a relay is between them, and the caller sends nothing.
// HANDSHAKE-4. A request's proof covers method, path, body, and the headers that the engine reads, except Accept and
//     Content-Encoding, which change no effect of a request. The proof of an answer covers the request, the status and the whole
//     answer.
// HANDSHAKE-5. A request names its token by the token's id, which is derived from the token and gives no access.
// HANDSHAKE-6. In an answer that does not end, each part has a proof, which covers the request, the part's number and its bytes.

import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export const HANDSHAKE_VERSION = 1;
export const HANDSHAKE_ROUTE = "/v1/handshake";
/** The header of a request: the caller's nonce, the engine's nonce, the body's hash, and the proof. */
export const REQUEST_HEADER = "signalbox-proof";
/** The header of an answer, with the engine's proof. */
export const ANSWER_HEADER = "signalbox-answer-proof";
/** Stands for the body's hash in the proof of an answer that does not end, because each part of such an answer has a proof. */
export const UNENDING = "stream";

const COVERED = ["content-type", "idempotency-key", "last-event-id", "signalbox-workspace"] as const;
const NONCE_BYTES = 24;
const NONCE = /^[\w-]{32}$/;

export interface HandshakeKeys {
  readonly engine: Buffer;
  readonly caller: Buffer;
}

/** The first message of the engine on a connection. */
export interface Greeting {
  readonly version: number;
  /** A random name of this start of the engine. */
  readonly start: string;
  /** The engine's own end of the connection, as `address:port`. */
  readonly endpoint: string;
  /** The configured name at which the caller connected; empty if the caller used none. */
  readonly name: string;
  readonly nonce: string;
}

export interface Asked {
  readonly callerNonce: string;
  readonly engineNonce: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyHash: string;
}

/** @param secret the line key of the data folder, or a person's token. HANDSHAKE-1. */
export const handshakeKeys = (secret: string): HandshakeKeys => ({
  engine: derived(secret, "engine"),
  caller: derived(secret, "caller"),
});

/** The id of a token. Whoever knows only the id has no access (HANDSHAKE-5). */
export const tokenIdOf = (token: string): string => derived(token, "token").toString("base64url");

const derived = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `signalbox line ${HANDSHAKE_VERSION} ${use}`, 32));

export const newNonce = (): string => randomBytes(NONCE_BYTES).toString("base64url");
export const isNonce = (text: string): boolean => NONCE.test(text);

export const bodyHashOf = (body: string | Uint8Array): string =>
  createHash("sha256").update(body).digest("base64url");

export function greetingProof(keys: HandshakeKeys, callerNonce: string, greeting: Greeting): string {
  const { version, start, endpoint, name, nonce } = greeting;
  return sealed(keys.engine, ["greeting", version, callerNonce, nonce, start, endpoint, name]);
}

export function requestProof(keys: HandshakeKeys, asked: Asked): string {
  return sealed(keys.caller, ["request", ...said(asked)]);
}

/** @param bodyHash the hash of the answer's body, or `UNENDING`. */
export function answerProof(keys: HandshakeKeys, asked: Asked, status: number, bodyHash: string): string {
  return sealed(keys.engine, ["answer", ...said(asked), status, bodyHash]);
}

/**
 * What precedes a part of an answer that does not end: the part's length and proof, as a comment of the event stream.
 * @param n the part's number, from 1.
 */
export function partHead(keys: HandshakeKeys, asked: Asked, n: number, part: Uint8Array): string {
  const proof = sealed(keys.engine, ["part", ...said(asked), n, bodyHashOf(part)]);
  return `:proof ${String(part.length).padStart(8, "0")} ${proof}\n`;
}

/** How many bytes `partHead` has. */
export const PART_HEAD_BYTES = 60;
/** The length that the head of a part names; undefined for any other text. */
export function partLengthIn(head: string): number | undefined {
  const [, length] = /^:proof (\d{8}) [\w-]{43}\n$/.exec(head) ?? [];
  return length === undefined ? undefined : Number(length);
}

export const requestHeader = (keys: HandshakeKeys, asked: Asked): string =>
  `${HANDSHAKE_VERSION} ${asked.callerNonce} ${asked.engineNonce} ${asked.bodyHash} ${requestProof(keys, asked)}`;

/** The parts of a request's proof header; undefined for any other text. */
export function readRequestHeader(
  text: string,
): (Pick<Asked, "callerNonce" | "engineNonce" | "bodyHash"> & { readonly proof: string }) | undefined {
  const [version, callerNonce = "", engineNonce = "", bodyHash = "", proof = "", ...more] = text.split(" ");
  if (version !== String(HANDSHAKE_VERSION) || more.length > 0) return undefined;
  if (!isNonce(callerNonce) || !isNonce(engineNonce)) return undefined;
  return { callerNonce, engineNonce, bodyHash, proof };
}

/** Compares in constant time. */
export function isProof(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The text for one end of a connection. Both sides of the connection make the same text. */
export const endpointOf = (address = "", port = 0): string =>
  `${address.replace(/^::ffff:(?=\d+\.)/, "")}:${port}`;

export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

function said({ callerNonce, engineNonce, method, path, headers, bodyHash }: Asked): readonly unknown[] {
  const { "signalbox-for": onBehalf, traceparent } = headers;
  return [
    HANDSHAKE_VERSION,
    callerNonce,
    engineNonce,
    method,
    path,
    COVERED.map((name) => headers[name] ?? null),
    bodyHash,
    // A proof covers these headers only if they are sent. So the proofs of callers of older versions, which do not send them,
    // remain valid.
    ...(onBehalf === undefined ? [] : [[onBehalf]]),
    ...(traceparent === undefined ? [] : [{ traceparent }]),
  ];
}

/** Signs the parts as JSON, because in JSON adjacent parts cannot run together. */
const sealed = (key: Buffer, parts: readonly unknown[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
