// Over TCP
// Sends requests to an engine without a socket: both sides prove that they have its data folder's line key, or a user's token.
//
//   Owns:          one connection for each request: the greeting, its check, the request and its proof, the answer's check.
//   Does not own:  what the proofs cover (runtime/line), where the line key is stored (data-folder).
//
// OVER-TCP-1. The client sends only a nonce until the engine has proved its identity, on the same connection that will carry the
//     request.
// OVER-TCP-2. An engine at another address than the dialled one is refused, unless the dialled name is configured there and leads
//     to another machine. A relay to an engine of another machine can read the requests.
// OVER-TCP-3. An answer without a proof, or one that differs from its proof, is dropped. No option turns this off.
// OVER-TCP-4. A user's token is never sent: only its id, which gives no access.

import { Agent, type RequestOptions } from "node:http";
import { connect, type Socket } from "node:net";
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
  readonly socket: Socket;
  /** The same object for each request: an agent opens another connection for another one. */
  readonly place: RequestOptions;

  constructor(host: string, port: number) {
    super({ keepAlive: true, maxSockets: 1 });
    this.place = { agent: this, host, port };
    this.socket = connect({ host, port });
    // Nothing to do here: callers that wait for the connection get the error, and perhaps nobody waits.
    this.socket.on("error", () => undefined);
  }

  override createConnection(
    _options: unknown,
    made?: (error: Error | null, socket: Duplex) => void,
  ): Socket | undefined {
    if (!this.socket.destroyed) return this.socket;
    made?.(notProven("it hung up"), this.socket);
    return undefined;
  }
}

/** The secret that both sides have. */
export type Shared = { readonly lineKey: string } | { readonly token: string };

/** @param url of plain http. */
export function overTcp(url: string, shared: Shared): Exchange {
  const { hostname, port, host } = new URL(url);
  const keys = handshakeKeys("token" in shared ? shared.token : shared.lineKey);
  const meant = "token" in shared ? `&tokenId=${tokenIdOf(shared.token)}` : "";
  return async (request) => {
    const agent = new OneConnection(hostname.replace(/^\[(.*)\]$/, "$1"), Number(port || 80));
    const { socket } = agent;
    try {
      const callerNonce = newNonce();
      const path = `${HANDSHAKE_ROUTE}?nonce=${callerNonce}${meant}`;
      const greeted = await sent(
        { method: "GET", path, headers: { Host: host }, ...signalOf(request) },
        agent.place,
      );
      if (greeted?.statusCode === 401) throw unknownToken(url);
      const { nonce, ...seen } = greetingIn(keys, callerNonce, greeted && (await textOf({ body: greeted })));
      const dialled = endpointOf(socket.remoteAddress, socket.remotePort);
      const isNamed = !isHere(socket) && seen.name === host;
      if (seen.endpoint !== dialled && !isNamed)
        throw notProven(`it listens at ${seen.endpoint}, not at ${dialled}`);
      return await proven(keys, { callerNonce, engineNonce: nonce }, request, { place: agent.place, host });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

/** If the other end is on this machine, no name counts: any account may listen beside the engine. */
const isHere = ({ remoteAddress = "", localAddress }: Socket): boolean =>
  isLoopback(remoteAddress) || remoteAddress === localAddress;

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
  { place, host }: { readonly place: RequestOptions; readonly host: string },
): Promise<Awaited<ReturnType<Exchange>>> {
  const given = Object.entries({ ...request.headers, Host: host });
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  const { method, path, body = NOTHING, isStream = false } = request;
  const asked: Asked = { ...nonces, method, path, headers, bodyHash: bodyHashOf(body) };
  const proof = { [REQUEST_HEADER]: requestHeader(keys, asked), connection: "close" };
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

const unknownToken = (url: string): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    `The program that answers at ${url} does not know this token.`,
    "Have a token made on the engine's machine: `npx signalbox token add NAME`. If this token was made there, another program has the port.",
    "token",
  );
