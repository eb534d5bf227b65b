// Handshake
// The handshake by which an engine and its caller prove to each other, over TCP, that both have the data folder's line key, or
// a person's token. The key and the token are never sent.
//
//   Owns:          the two keys, what each proof covers, the names of route and headers.
//   Does not own:  the connection (adapters/line), who may do what (adapters/http), storing the line key (adapters/data-folder).
//   Decided in:    docs/decisions/0052-the-folder-is-the-proof.md.
//
// HANDSHAKE-1. Each direction has its own key, so a proof that is sent back to its sender proves nothing.
// HANDSHAKE-2. A proof covers both nonces and the version. The engine's nonce is valid for one request on one connection.
// HANDSHAKE-3. The engine's greeting proves the id of its start and its own address on the connection. A caller that dialled
//     another address has met a relay, and sends nothing.
// HANDSHAKE-4. A request's proof covers method, path, the headers that the engine reads, and the body. The answer's proof
//     covers the request, the status and the whole answer.
// HANDSHAKE-5. A token is named by its id, which is derived from the token and opens nothing.

import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export const HANDSHAKE_VERSION = 1;
export const HANDSHAKE_ROUTE = "/v1/handshake";
/** On a request: the caller's nonce, the engine's, the body's hash, the proof. */
export const REQUEST_HEADER = "signalbox-proof";
/** On an answer: the proof. */
export const ANSWER_HEADER = "signalbox-answer-proof";
/** Replaces the body's hash for an answer that does not end, whose connection is the proof. */
export const UNENDING = "stream";

const COVERED = ["content-type", "idempotency-key", "last-event-id", "signalbox-workspace"] as const;
/** The proof covers this header only if the request has it, so that the proofs of older callers still count. */
const COVERED_IF_SENT = "signalbox-for";

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
  /** The configured name that the caller dialled; empty if it dialled none. */
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

/** The id of a token, which gives no access (HANDSHAKE-5). */
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

/** @param bodyHash the answer's, or `UNENDING`. */
export function answerProof(keys: HandshakeKeys, asked: Asked, status: number, bodyHash: string): string {
  return sealed(keys.engine, ["answer", ...said(asked), status, bodyHash]);
}

/** The text of the header for a request. */
export const requestHeader = (keys: HandshakeKeys, asked: Asked): string =>
  `${HANDSHAKE_VERSION} ${asked.callerNonce} ${asked.engineNonce} ${asked.bodyHash} ${requestProof(keys, asked)}`;

/** The parts of a request's header; undefined for any other text. */
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

/** One end of a connection as text, the same on both sides. */
export const endpointOf = (address = "", port = 0): string =>
  `${address.replace(/^::ffff:(?=\d+\.)/, "")}:${port}`;

/** Whether an address belongs to the machine's own loopback. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

const said = ({ callerNonce, engineNonce, method, path, headers, bodyHash }: Asked): readonly unknown[] => [
  HANDSHAKE_VERSION,
  callerNonce,
  engineNonce,
  method,
  path,
  COVERED.map((name) => headers[name] ?? null),
  bodyHash,
  ...(headers[COVERED_IF_SENT] === undefined ? [] : [[headers[COVERED_IF_SENT]]]),
];

/** Signs JSON, in which adjacent parts cannot run together. */
const sealed = (key: Buffer, parts: readonly unknown[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
