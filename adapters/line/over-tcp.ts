// Over TCP
// Sends requests by TCP: both sides prove that they have the line key of the engine's data folder, or a user's token.
//
//   Owns:          the greeting (the engine's first answer, by which it proves its identity), request and answer on one
//                  connection; checking both; keeping connections open.
//   Does not own:  what the proofs cover (runtime/line), where the line key is stored (data-folder).
//
// OVER-TCP-1. Until the engine has proved its identity on a connection, the client sends only a nonce on it. The request is sent
//     on the same connection.
// OVER-TCP-2. If an engine reports another address than the dialled one, it is refused, unless the dialled name is configured at
//     the engine and leads to another machine: the program that was dialled may be a relay, which could read the requests, as
//     they are not encrypted.
// OVER-TCP-3. An answer, or a part of a stream, is dropped if it has no proof or a wrong proof. Such a part also ends the stream.
//     No option turns this check off.
// OVER-TCP-4. A user's token itself is not sent over such a connection. Only the token's id is sent, which gives no access.
// OVER-TCP-5. On a connection that was kept open, each request begins with a greeting. If the connection was closed meanwhile,
//     the greeting fails before anything of the request is sent, and another connection is used.
// OVER-TCP-6. A request no longer waits for a connection once its caller has given up. A connection that opens later is closed.

import { Agent, type ClientRequest, type RequestOptions } from "node:http";
import { connect, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isFields, jsonIn } from "../../machines/json.ts";
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
  PART_HEAD_BYTES,
  partHead,
  partLengthIn,
  REQUEST_HEADER,
  requestHeader,
  tokenIdOf,
  UNENDING,
} from "../../runtime/line/handshake.ts";
import { anyNews, settling, waitFor } from "../../runtime/wait-for.ts";
import { sent, UNHEARD } from "./request.ts";

const NOTHING = new Uint8Array();

class OneConnection extends Agent {
  readonly socket: Duplex;
  /** Where to connect. All requests get this same object, because Node's agent opens a new connection for another object. */
  readonly place: RequestOptions;

  constructor(socket: Duplex, host: string) {
    super({ keepAlive: true, maxSockets: 1 });
    this.place = { agent: this, host };
    this.socket = socket;
    // A caller that waits gets a socket's error anyway. Without this empty listener, the error would end the process.
    this.socket.on("error", () => undefined);
  }

  /** Keeps the connection for the next request. Node's own method cannot be used: it works only for network sockets. */
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

export type Shared = { readonly lineKey: string } | { readonly token: string };

export interface Dialled {
  readonly socket: Duplex;
  /** The Host header that requests to the engine have. */
  readonly host: string;
  /** @returns why the engine that greets cannot be the engine that was dialled; undefined if it can. */
  readonly differs: (seen: Greeting) => string | undefined;
}

/** Opens a connection. @param signal aborted when the caller gives up: a connection that opens later is closed. */
export type Dial = (signal?: AbortSignal) => Dialled | Promise<Dialled>;

interface Connected extends Dialled {
  readonly place: RequestOptions;
}

const KEPT_MAX = 8;

export function overTcp(url: string, shared: Shared): Exchange {
  const { hostname, port, host } = new URL(url);
  const dial: Dial = () => {
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 80) });
    return { socket, host, differs: (seen) => differsFrom(socket, host, seen) };
  };
  return overDialled(dial, shared, url);
}

/** @param dial opens a connection to the engine. @param where the engine's address, as error messages name it. */
export function overDialled(dial: Dial, shared: Shared, where: string): Exchange {
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
      const dialled = await dialledFor(request, dial);
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
    // Only programs with a token ask often, so only their connections are kept; a gate asks once.
    const isOften = "token" in shared && request.isStream !== true && request.isOneWay !== true;
    const isKept = isOften && socket instanceof Socket && kept.length < KEPT_MAX;
    try {
      const answer = await proven(keys, nonces, request, { place, host, isKept });
      if (isKept) kept.push(to);
      // An idle connection does not keep the process from ending.
      if (isKept) socket.unref();
      return answer;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

/** Opens a connection unless the request is given up (OVER-TCP-6). @throws the signal's reason. */
async function dialledFor({ signal }: EngineRequest, dial: Dial): Promise<Dialled> {
  signal?.throwIfAborted();
  const dialling = Promise.resolve(dial(signal));
  if ((await waitFor(settling(dialling), anyNews, undefined, signal)) === "gone") {
    void dialling.then(
      ({ socket }) => socket.destroy(),
      () => undefined,
    );
    signal?.throwIfAborted();
  }
  return dialling;
}

/** OVER-TCP-2. On this machine, the engine's name proves nothing, because programs of any account can listen here. */
function differsFrom(socket: Socket, host: string, { endpoint, name }: Greeting): string | undefined {
  const { remoteAddress = "", remotePort, localAddress } = socket;
  const dialled = endpointOf(remoteAddress, remotePort);
  const isHere = isLoopback(remoteAddress) || remoteAddress === localAddress;
  if (endpoint === dialled || (!isHere && name === host)) return undefined;
  return `it listens at ${endpoint}, not at ${dialled}`;
}

const signalOf = ({ signal }: EngineRequest): Pick<EngineRequest, "signal"> => (signal ? { signal } : {});

/** Reads and checks the engine's greeting (OVER-TCP-1). @throws Error if the greeting does not prove the engine's identity. */
function greetingIn(keys: HandshakeKeys, callerNonce: string, text: string | undefined): Greeting {
  const said = jsonIn(text ?? "");
  const { version, start, endpoint, name, nonce, proof } = isFields(said) ? said : {};
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
  if (isStream && isShown(UNENDING)) return { status, body: provenParts(keys, asked, answer) };
  const whole = await bytesOf({ body: answer });
  if (!isShown(bodyHashOf(whole))) throw notProven("its answer has no proof");
  return { status, body: once(whole) };
}

/** The longest part: the longest event of a stream (runtime/line/server-events.ts), with four bytes for each character. */
const PART_BYTES_MAX = 32 * 1024 * 1024;

/** Yields the parts of a stream without their proofs. @throws RetryableError NOT_PROVEN */
async function* provenParts(
  keys: HandshakeKeys,
  asked: Asked,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [held, size, n, head]: [Uint8Array[], number, number, string] = [[], 0, 0, ""];
  let wanted = PART_HEAD_BYTES;
  for await (const chunk of body) {
    held.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const [first = NOTHING, ...more] = held;
      const all = more.length === 0 ? first : Buffer.concat(held);
      const [taken, rest] = [all.subarray(0, wanted), all.subarray(wanted)];
      [held, size] = [[rest], rest.length];
      if (head === "") {
        head = Buffer.from(taken).toString("latin1");
        wanted = partLengthIn(head) ?? Infinity;
        if (wanted > PART_BYTES_MAX) throw notProven("its stream has no proof");
      } else {
        if (!isProof(head, partHead(keys, asked, (n += 1), taken))) throw notProven("its stream was changed");
        [head, wanted] = ["", PART_HEAD_BYTES];
        yield taken;
      }
    }
  }
  if (head !== "" || size > 0) throw notProven("its stream was cut");
}

// eslint-disable-next-line @typescript-eslint/require-await -- Whoever reads it awaits it.
async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

const notProven = (why: string): RetryableError =>
  new RetryableError(
    "NOT_PROVEN",
    `The program that answers at the engine's address does not prove that it is your engine: ${why}.`,
    "Start the engine with `npx signalbox up`, or name its folder with --data. Through ssh -L or a container, use the same address and port on both sides (docs/how-to/away.md).",
    1_000,
  );

const unknownToken = (where: string): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    `The program that answers at ${where} does not know this token.`,
    "Make a token on the engine's machine: `npx signalbox token add NAME`. If this token was made on that machine, another program has the port.",
    "token",
  );
