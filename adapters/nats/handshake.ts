// Handshake
// What a connection says first: the key, and only to the server that it is for.
//
//   Owns:          when the server is looked at, signing its nonce.
//   Does not own:  how a server is known (nats-server), reading the key (nats-key.ts), the address (servers.ts).
//   Decided in:    docs/decisions/0053-whose-server-it-is.md.
//
// NATS-HANDSHAKE-1. A private server is looked at before each dial and again once it has greeted. Nothing is sent, at
//     the first connect or any later one, unless it was the same live server both times: so it had the port in between.
// NATS-HANDSHAKE-2. While the server is not there, nobody is dialled, and the client keeps looking.
// NATS-HANDSHAKE-3. Of the key, only the public part and a signature of the server's nonce are sent.

import { type Authenticator, type ConnectionOptions, nkeyAuthenticator } from "nats";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";

/** @returns what names the live private server that has the port; undefined when it has none. */
export type Prove = (port: number) => string | undefined;

export interface NatsKey {
  readonly seed: Uint8Array;
  /** For the key of a private server. */
  readonly prove?: Prove;
}

const PAUSE_MS = 250;

/** The only address at which a private server listens. */
const PRIVATE = /^127\.0\.0\.1:(\d+)$/;

/**
 * @param at the options with the address (servers.ts).
 * @returns them with the key. @throws RefusedError BAD_OPTION, BAD_NATS_URL for an address that does not go with the key;
 *   RetryableError NATS_UNAVAILABLE when the private server is not there.
 */
export function withKey(at: ConnectionOptions, { seed, prove }: NatsKey): ConnectionOptions {
  if ((at.user ?? at.token) !== undefined) throw keyAndUser();
  const sign = nkeyAuthenticator(seed);
  if (!prove) return { ...at, authenticator: sign };
  const [, port] = PRIVATE.exec([at.servers ?? []].flat().join()) ?? [];
  if (port === undefined || at.tls) throw notPrivate();
  const look = (): string | undefined => prove(Number(port));
  if (look() === undefined) throw notThere(port);
  const handshake = new Handshake(look, sign, port);
  return {
    ...at,
    authenticator: (nonce) => handshake.greeted(nonce),
    reconnectDelayHandler: () => handshake.pauseMs(),
  };
}

class Handshake {
  readonly #look: () => string | undefined;
  readonly #sign: Authenticator;
  readonly #port: string;
  /** The server before the dial that is under way. */
  #dialled: string | undefined;
  /** Of the wall clock, as the client's own. */
  #dialledAt = Date.now() - PAUSE_MS;

  constructor(look: () => string | undefined, sign: Authenticator, port: string) {
    this.#look = look;
    this.#sign = sign;
    this.#port = port;
  }

  /**
   * The client asks before each dial how long ago the last one must be. So 0 has it dial at once, and as long ago as it
   * was, and a pause, has it ask again after the pause.
   */
  pauseMs(): number {
    const now = Date.now();
    const agoMs = Math.max(0, now - this.#dialledAt);
    this.#dialled = agoMs < PAUSE_MS ? undefined : this.#look();
    if (this.#dialled === undefined) return agoMs < PAUSE_MS ? PAUSE_MS : agoMs + PAUSE_MS;
    this.#dialledAt = now;
    return 0;
  }

  /** NATS-HANDSHAKE-1: what is thrown here ends the client for good; only a server that dies this moment comes so far. */
  greeted(nonce?: string): ReturnType<Authenticator> {
    const dialled = this.#dialled;
    this.#dialled = undefined;
    if (dialled === undefined || this.#look() !== dialled) throw notThere(this.#port);
    return this.#sign(nonce);
  }
}

const notThere = (port: string): RetryableError =>
  new RetryableError(
    "NATS_UNAVAILABLE",
    `The data folder's private NATS server does not run on port ${port}; whatever else listens there is sent nothing.`,
    "See that `npx signalbox up` runs, and that the port is the one it prints.",
    PAUSE_MS,
  );

const keyAndUser = (): RefusedError =>
  new RefusedError(
    "BAD_OPTION",
    "The address of the NATS server has a user or a token, and there is a key as well.",
    "Leave one of them out.",
    "nkey",
  );

const notPrivate = (): RefusedError =>
  new RefusedError(
    "BAD_NATS_URL",
    "The key is of a data folder's private NATS server, and the address is not.",
    "Take the address that `npx signalbox up` prints: nats://127.0.0.1 with its port.",
  );
