// Holders
// Whose a request is: everybody who has a token, until it is taken away.
//
//   Owns:          tokens, what stands for one in a cookie or an address, the end of one.
//   Does not own:  where in a request they stand (server, session-cookie, inspect), what a holder may do.
//   Decided in:    docs/decisions/0037-tokens-and-proxies.md.
//
// HOLDERS-1. A token is compared in constant time, against all tokens, whatever it is; so is what stands for it.
// HOLDERS-2. Who has lost a token has lost all that came of it: cookie, address and open streams end with it.
// HOLDERS-3. One token says one name.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AccessToken } from "../../runtime/access-token.ts";
import { RefusedError } from "../../runtime/errors.ts";
import { cookieValue } from "./session-cookie.ts";

export interface Holder {
  readonly name: string;
  readonly isNearOnly: boolean;
  /** Aborted when the token is taken away. */
  readonly gone: AbortSignal;
  /** For a client that can send no header: good for looking, as long as the token and the engine last. */
  readonly ticket: string;
}

interface Known {
  readonly holder: Holder;
  readonly end: AbortController;
  readonly digests: Readonly<Record<Kind, Buffer>>;
}

type Kind = "token" | "cookie" | "ticket";

const TICKET_BYTES = 32;

export class Holders {
  #known: readonly Known[] = [];

  /** @throws RefusedError as `replace` does. */
  constructor(tokens: readonly AccessToken[]) {
    this.replace(tokens);
  }

  /**
   * Lets those in who have a token of these, and nobody else from now on; who had one and keeps it notices nothing.
   * @throws RefusedError BAD_TOKEN for an empty one, which would let everybody in, and one of two names; then nothing is
   *   changed.
   */
  replace(tokens: readonly AccessToken[]): void {
    if (tokens.some(({ token }) => token === "")) throw badToken("A token is empty.");
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
      throw badToken("Two names have the same token.");
    const before = this.#known;
    const isSame = (known: Known, { name, token }: AccessToken): boolean =>
      known.holder.name === name && known.digests.token.equals(digest(token));
    this.#known = tokens.map((token) => before.find((known) => isSame(known, token)) ?? newcomer(token));
    for (const known of before) if (!this.#known.includes(known)) known.end.abort();
  }

  /** @throws RefusedError UNAUTHENTICATED */
  by(kind: Kind, given = ""): Holder {
    const offered = digest(given);
    let found: Holder | undefined;
    for (const { holder, digests } of this.#known)
      if (timingSafeEqual(offered, digests[kind])) found = holder;
    if (!found) throw unauthenticated();
    return found;
  }
}

function newcomer({ name, token, isNearOnly = false }: AccessToken): Known {
  const end = new AbortController();
  const ticket = randomBytes(TICKET_BYTES).toString("base64url");
  return {
    holder: { name, isNearOnly, gone: end.signal, ticket },
    end,
    digests: { token: digest(token), cookie: digest(cookieValue(token)), ticket: digest(ticket) },
  };
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

const badToken = (what: string): RefusedError =>
  new RefusedError("BAD_TOKEN", what, "Give each name a token of its own.");

const unauthenticated = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request has no token that is known here.",
    "Send Authorization: Bearer with the token of the engine's data folder, or one of your own.",
    "Authorization",
  );
