// Holders
// Who sent a request: everybody with a token, until it is removed.
//
//   Owns:          tokens, their stand-ins in cookies and addresses, the end of each.
//   Does not own:  where a request carries them (server, session-cookie, inspect), what a holder may do.
//   Decided in:    docs/decisions/0037-tokens-and-proxies.md.
//
// HOLDERS-1. A token is compared in constant time, with all tokens, whatever it is; so is its stand-in.
// HOLDERS-2. Removing a token ends everything derived from it: cookie, address and open streams.
// HOLDERS-3. Each token stands for one name.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { AccessToken } from "../../../runtime/access-token.ts";
import { RefusedError } from "../../../runtime/errors.ts";
import { cookieValue } from "./session-cookie.ts";

export interface Holder {
  readonly name: string;
  readonly isNearOnly: boolean;
  /** The one route that the token counts for. */
  readonly only?: string;
  /** Aborted when the token is removed. */
  readonly gone: AbortSignal;
  /** For a client that can send no header: allows reading, as long as token and engine last. */
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
   * From now on only these tokens count; a holder who keeps a token notices nothing.
   * @throws RefusedError BAD_TOKEN for an empty token, which would let everybody in, and for one with two names; nothing
   *   changes then.
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

function newcomer({ name, token, isNearOnly = false, only }: AccessToken): Known {
  const end = new AbortController();
  const ticket = randomBytes(TICKET_BYTES).toString("base64url");
  return {
    holder: { name, isNearOnly, gone: end.signal, ticket, ...(only !== undefined && { only }) },
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
