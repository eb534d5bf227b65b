// Handshake
// Proves with the key who the engine is when a connection opens, but only to the server that the key is for.
//
//   Owns:          when the server is checked, signing the server's nonce.
//   Does not own:  how a server is recognised (nats-server), reading the key (nats-key.ts), the address (servers.ts).
//   Decided in:    docs/decisions/0053-whose-server-it-is.md.
//
// NATS-HANDSHAKE-1. A private server is checked before the client dials it, and again after its greeting. The client sends
//     nothing unless both checks found the same running server: only then did that server have the port all the time.
// NATS-HANDSHAKE-2. While the private server is not running, the client connects to nobody, and keeps checking whether it runs.
// NATS-HANDSHAKE-3. Of the key, only the public part and a signature of the server's nonce are sent.

import { type Authenticator, type ConnectionOptions, nkeyAuthenticator } from "nats";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";

/** @returns a text that identifies the running server process; undefined if no private server runs, or if it has another port. */
export type Prove = (port: number) => string | undefined;

export interface NatsKey {
  readonly seed: Uint8Array;
  /** Identifies the private server that runs (`Prove`); present only if the key is for a private server. */
  readonly prove?: Prove;
}

const PAUSE_MS = 250;

/** The only address at which a private server listens. */
const PRIVATE = /^127\.0\.0\.1:(\d+)$/;

/**
 * @throws RefusedError BAD_OPTION, BAD_NATS_URL for an address that does not fit the key; RetryableError NATS_UNAVAILABLE if the
 * private server is not running.
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
  /** What `prove` returned just before the current dial: the same process must still run after the greeting. */
  #dialled: string | undefined;
  /** When the last dial was made, by the wall clock, because the NATS client compares it with the wall clock. */
  #dialledAt = Date.now() - PAUSE_MS;

  constructor(look: () => string | undefined, sign: Authenticator, port: string) {
    this.#look = look;
    this.#sign = sign;
    this.#port = port;
  }

  /**
   * The NATS client asks before each dial how long ago the last dial must be. If the answer is 0, the client dials immediately.
   * If the answer is the time since the last dial plus a pause, the client asks again after the pause.
   */
  pauseMs(): number {
    const now = Date.now();
    const agoMs = Math.max(0, now - this.#dialledAt);
    this.#dialled = agoMs < PAUSE_MS ? undefined : this.#look();
    if (this.#dialled === undefined) return agoMs < PAUSE_MS ? PAUSE_MS : agoMs + PAUSE_MS;
    this.#dialledAt = now;
    return 0;
  }

  /**
   * Signs the server's nonce (NATS-HANDSHAKE-1). An error ends the client for good; this happens only if the server dies
   * between the check before the dial and this check.
   */
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
    `The data folder's private NATS server does not run on port ${port}; Signalbox sends nothing to whatever else listens there.`,
    "Check that `npx signalbox up` runs, and that it prints this port.",
    PAUSE_MS,
  );

const keyAndUser = (): RefusedError =>
  new RefusedError(
    "BAD_OPTION",
    "The address of the NATS server has a user or a token, but a key was given as well.",
    "Leave out the key, or the user or token in the address.",
    "nkey",
  );

const notPrivate = (): RefusedError =>
  new RefusedError(
    "BAD_NATS_URL",
    "The key belongs to a data folder's private NATS server, but the address is that of another server.",
    "Use the address that `npx signalbox up` prints: nats://127.0.0.1 with its port.",
  );
