// Over TCP
// Sends requests to an engine without a socket: both sides prove that they have its data folder's line key, or a user's token.
//
//   Owns:          for each request, on one connection: the greeting, its check, the request and its proof, the answer's check;
//                  the connections that are kept for later requests.
//   Does not own:  what the proofs cover (runtime/line), where the line key is stored (data-folder).
//
// OVER-TCP-1. The client sends only a nonce until the engine has proved its identity, on the same connection that will carry the
//     request.
// OVER-TCP-2. An engine at another address than the dialled one is refused, unless the dialled name is configured there and leads
//     to another machine. A relay to an engine of another machine can read the requests, and so can a server that carries them.
// OVER-TCP-3. An answer without a proof, or one that differs from its proof, is dropped. No option turns this off.
// OVER-TCP-4. A user's token is never sent: only its id, which gives no access.
// OVER-TCP-5. A kept connection begins each request with a greeting, as a new one does. If it was closed meanwhile, the greeting
//     fails before anything of the request is sent, and another connection is used.

import { Agent, type ClientRequest, type RequestOptions } from "node:http";
import { connect, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bytesOf, type EngineRequest, type Exchange, textOf } from "../../runtime/line/exchange.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import {
  ANSWER_HEADER,
  answerProof,
  type Asked,
  bodyHashOf,
  endpointOf,
  type Greeting,
  greetingProof,
  HANDSHAKE_ROUTE,
  HANDSHAKE_VERSION,
  type HandshakeKeys,
  handshakeKeys,
  isLoopback,
  isNonce,
  isProof,
  newNonce,
  REQUEST_HEADER,
  requestHeader,
  tokenIdOf,
  UNENDING,
} from "../../runtime/line/handshake.ts";
import { sent, UNHEARD } from "./request.ts";

const NOTHING = new Uint8Array();

/** Uses one connection, and opens no other. */
class OneConnection extends Agent {
  readonly socket: Duplex;
  /** Where to connect. Each request gets the same object, because an agent opens a new connection for a new object. */
  readonly place: RequestOptions;

  constructor(socket: Duplex, host: string) {
    super({ keepAlive: true, maxSockets: 1 });
    this.place = { agent: this, host };
    this.socket = socket;
    // Callers that wait get the error themselves. If nobody waits, an error without a listener would end the process.
    this.socket.on("error", () => undefined);
  }

  /** Not every connection is a socket with Node's own pings. */
  override keepSocketAlive(): boolean {
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    if (socket instanceof Socket) super.reuseSocket(socket, request);
  }

  override createConnection(
    _options: unknown,
    made?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | undefined {
    if (!this.socket.destroyed) return this.socket;
    made?.(notProven("it hung up"), this.socket);
    return undefined;
  }
}

/** The secret that both sides have. */
export type Shared = { readonly lineKey: string } | { readonly token: string };

/** A connection to an engine. */
export interface Dialled {
  readonly socket: Duplex;
  /** The engine's name in the requests. */
  readonly host: string;
  /** @returns why the engine that greets is another one than the dialled; undefined if it is the same. */
  readonly differs: (seen: Greeting) => string | undefined;
}

interface Connected extends Dialled {
  readonly place: RequestOptions;
}

const KEPT_MAX = 8;

/** @param url the url of plain http. */
export function overTcp(url: string, shared: Shared): Exchange {
  const { hostname, port, host } = new URL(url);
  const dial = (): Dialled => {
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 80) });
    return { socket, host, differs: (seen) => differsFrom(socket, host, seen) };
  };
  return overDialled(dial, shared, url);
}

/** @param dial opens a connection to the engine. @param where the engine is, for messages. */
export function overDialled(dial: () => Dialled | Promise<Dialled>, shared: Shared, where: string): Exchange {
  const keys = handshakeKeys("token" in shared ? shared.token : shared.lineKey);
  const meant = "token" in shared ? `&tokenId=${tokenIdOf(shared.token)}` : "";
  const kept: Connected[] = [];

  const greet = async (to: Connected, request: EngineRequest) => {
    const { socket, host, differs, place } = to;
    try {
      const callerNonce = newNonce();
      const path = `${HANDSHAKE_ROUTE}?nonce=${callerNonce}${meant}`;
      const greeted = await sent(
        { method: "GET", path, headers: { Host: host }, ...signalOf(request) },
        place,
      );
      if (greeted?.statusCode === 401) throw unknownToken(where);
      const seen = greetingIn(keys, callerNonce, greeted && (await textOf({ body: greeted })));
      const why = differs(seen);
      if (why !== undefined) throw notProven(why);
      return { to, nonces: { callerNonce, engineNonce: seen.nonce } };
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };

  const greeted = async (request: EngineRequest): ReturnType<typeof greet> => {
    const old = kept.pop();
    if (!old) {
      const dialled = await dial();
      return greet({ ...dialled, place: new OneConnection(dialled.socket, dialled.host).place }, request);
    }
    return greet(old, request).catch((error: unknown) => {
      if (request.signal?.aborted === true) throw error;
      return greeted(request);
    });
  };

  return async (request) => {
    const { to, nonces } = await greeted(request);
    const { socket, host, place } = to;
    // Only users of tokens ask often: a gate asks once.
    const isOften = "token" in shared && request.isStream !== true && request.isOneWay !== true;
    const isKept = isOften && socket instanceof Socket && kept.length < KEPT_MAX;
    try {
      const answer = await proven(keys, nonces, request, { place, host, isKept });
      if (isKept) kept.push(to);
      // An idle connection keeps no process alive.
      if (isKept) socket.unref();
      return answer;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

/** OVER-TCP-2. If the other end is on this machine, no name counts: any account may listen beside the engine. */
function differsFrom(socket: Socket, host: string, { endpoint, name }: Greeting): string | undefined {
  const { remoteAddress = "", remotePort, localAddress } = socket;
  const dialled = endpointOf(remoteAddress, remotePort);
  const isHere = isLoopback(remoteAddress) || remoteAddress === localAddress;
  if (endpoint === dialled || (!isHere && name === host)) return undefined;
  return `it listens at ${endpoint}, not at ${dialled}`;
}

const signalOf = ({ signal }: EngineRequest): Pick<EngineRequest, "signal"> => (signal ? { signal } : {});

/** OVER-TCP-1. @throws Error for an answer that does not prove the engine's identity. */
function greetingIn(keys: HandshakeKeys, callerNonce: string, text: string | undefined): Greeting {
  const said = JSON.parse(text ?? "null") as Partial<Greeting & { proof: string }> | null;
  const { version, start, endpoint, name, nonce, proof } = said ?? {};
  if (version !== HANDSHAKE_VERSION) throw notProven("it has no handshake of this version");
  if (![start, endpoint, name, nonce, proof].every((each) => typeof each === "string"))
    throw notProven("its greeting is malformed");
  const greeting = { version, start, endpoint, name, nonce } as Greeting;
  if (!isNonce(greeting.nonce) || !isProof(String(proof), greetingProof(keys, callerNonce, greeting)))
    throw notProven("it does not have the same key");
  return greeting;
}

async function proven(
  keys: HandshakeKeys,
  nonces: Pick<Asked, "callerNonce" | "engineNonce">,
  request: EngineRequest,
  {
    place,
    host,
    isKept,
  }: { readonly place: RequestOptions; readonly host: string; readonly isKept: boolean },
): Promise<Awaited<ReturnType<Exchange>>> {
  const given = Object.entries({ ...request.headers, Host: host });
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  const { method, path, body = NOTHING, isStream = false } = request;
  const asked: Asked = { ...nonces, method, path, headers, bodyHash: bodyHashOf(body) };
  const proof = { [REQUEST_HEADER]: requestHeader(keys, asked), connection: isKept ? "keep-alive" : "close" };
  const answer = await sent({ ...request, headers: { ...headers, ...proof } }, place);
  if (!answer) return UNHEARD;
  const status = answer.statusCode ?? 0;
  const shown = String(answer.headers[ANSWER_HEADER] ?? "");
  const isShown = (bodyHash: string): boolean => isProof(shown, answerProof(keys, asked, status, bodyHash));
  if (isStream && isShown(UNENDING)) return { status, body: answer };
  const whole = await bytesOf({ body: answer });
  if (!isShown(bodyHashOf(whole))) throw notProven("its answer has no proof");
  return { status, body: once(whole) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- Whoever reads it awaits it.
async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

const notProven = (why: string): RetryableError =>
  new RetryableError(
    "NOT_PROVEN",
    `The program that answers there does not prove that it is your engine: ${why}.`,
    "Start the engine with `npx signalbox up`, or name its folder with --data. Through ssh -L or a container: the same address and port on both sides (docs/how-to/away.md).",
    1_000,
  );

const unknownToken = (where: string): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    `The program that answers at ${where} does not know this token.`,
    "Have a token made on the engine's machine: `npx signalbox token add NAME`. If this token was made there, another program has the port.",
    "token",
  );
