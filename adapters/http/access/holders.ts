// Holders
// The users who may send requests: everybody with a token, until it is removed, and this machine's user.
//
//   Owns:          the tokens; for each token its ticket, the keys that prove it, and what ends with it.
//   Does not own:  where a request carries a token (server, inspect), the users' browsers (browsers), how this machine's user is
//                  recognised (entrance), what a holder may do.
//   Decided in:    docs/decisions/0037-tokens-and-proxies.md, 0052-the-folder-is-the-proof.md.
//
// HOLDERS-1. Every given token or ticket is compared in constant time, with all known ones.
// HOLDERS-2. Removing a token ends everything derived from it: cookie, ticket and open streams.
// HOLDERS-3. Each token belongs to one name.
// HOLDERS-4. A ticket is random, and made anew at each start: a ticket of an earlier start gives no access.
// HOLDERS-5. Nobody can prove that they know a token that was removed.
// HOLDERS-6. If a token's access changes, its tickets stay valid. The streams that it opened before end.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type Access,
  type AccessToken,
  bareToken,
  EVERYTHING,
  isSameAccess,
  LIMITED,
} from "../../../runtime/access-token.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { newPanelName } from "./panel-name.ts";
import { type HandshakeKeys, handshakeKeys, tokenIdOf } from "../../../runtime/line/handshake.ts";

/** This machine's user, who needs no token. */
export interface LocalUser {
  readonly name: string;
  /** The data folder's line key, with which this user proves itself over TCP; undefined if no folder keeps one. */
  readonly lineKey?: string;
}

/** A user who proves over TCP that they have a key, without sending it. */
export interface Prover {
  readonly holder: Holder;
  /** True if the data folder's line key proved it. */
  readonly isLocal: boolean;
  readonly keys: HandshakeKeys;
}

export interface Holder {
  readonly name: string;
  readonly isNearOnly: boolean;
  /** The only route that the token counts for. */
  readonly only?: string;
  readonly access: Access;
  /** Aborted when the token is removed, or its access changes. */
  readonly gone: AbortSignal;
  /** The text that a client which can send no header puts into an address. A ticket allows reading until token or engine end. */
  readonly ticket: string;
  /** True for a user of another engine, which passes the request on. */
  readonly isPassedOn?: true;
  /** The host where this user's browser is signed in, on this machine (PANEL-NAME-3). */
  readonly panel: string;
}

interface Known {
  readonly holder: Holder;
  readonly end: AbortController;
  readonly digests: Readonly<Record<Kind, Buffer>>;
}

type Kind = "token" | "ticket";

const STAND_IN_BYTES = 32;

export class Holders {
  #known: readonly Known[] = [];
  #provers: ReadonlyMap<string, Prover> = new Map();
  readonly #local: Known | undefined;
  readonly #localProver: Prover | undefined;

  /** @param local this machine's user; undefined if there is none. @throws RefusedError as `replace` does. */
  constructor(tokens: readonly AccessToken[], local?: LocalUser) {
    if (local) {
      this.#local = newcomer({ name: local.name, token: standIn(), isNearOnly: true });
      const { holder } = this.#local;
      if (local.lineKey !== undefined)
        this.#localProver = { holder, isLocal: true, keys: handshakeKeys(local.lineKey) };
    }
    this.replace(tokens);
  }

  /** This machine's user. @throws RefusedError UNAUTHENTICATED if there is none. */
  local(): Holder {
    if (!this.#local) throw unauthenticated();
    return this.#local.holder;
  }

  /**
   * @param tokenId undefined for this machine's user, who has no token.
   * @returns what checks that a caller holds the token. @throws RefusedError UNAUTHENTICATED
   */
  prover(tokenId?: string): Prover {
    const found = tokenId === undefined ? this.#localProver : this.#provers.get(tokenId);
    if (!found) throw unauthenticated();
    return found;
  }

  /**
   * Replaces all tokens. If a token stays, its connections go on.
   * @throws RefusedError BAD_TOKEN for an empty token, which would let everybody in, and for a token with two names. All tokens
   * then stay as they were.
   */
  replace(tokens: readonly AccessToken[]): void {
    if (tokens.some(({ token }) => token === "")) throw badToken("A token is empty.");
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
      throw badToken("Two names have the same token.");
    const before = this.#known;
    const isSame = (known: Known, { name, token }: AccessToken): boolean =>
      known.holder.name === name && known.digests.token.equals(digest(token));
    this.#known = tokens.map((token) =>
      knownBy(
        token,
        before.find((known) => isSame(known, token)),
      ),
    );
    this.#provers = new Map(tokens.flatMap(({ token }, at) => proverOf(this.#known[at], token)));
    for (const known of before) if (!this.#known.includes(known)) known.end.abort();
  }

  /** @returns the holder with the access that they have now; undefined if they may no longer come in. */
  now({ panel }: Holder): Holder | undefined {
    return this.#all().find(({ holder }) => holder.panel === panel)?.holder;
  }

  hasPanel(name: string): boolean {
    return this.#all().some(({ holder }) => holder.panel === name);
  }

  /** Finds the user of a token or ticket (HOLDERS-1). @throws RefusedError UNAUTHENTICATED */
  by(kind: Kind, given = ""): Holder {
    const offered = digest(kind === "token" ? bareToken(given) : given);
    let found: Holder | undefined;
    for (const { holder, digests } of this.#all())
      if (timingSafeEqual(offered, digests[kind])) found = holder;
    if (!found) throw unauthenticated();
    return found;
  }

  #all(): readonly Known[] {
    return this.#local ? [...this.#known, this.#local] : this.#known;
  }
}

/** Makes the entry of a token. Tickets stay if the token's access changed (HOLDERS-6). @param before its previous entry. */
function knownBy(token: AccessToken, before: Known | undefined): Known {
  if (!before) return newcomer(token);
  const { access = EVERYTHING } = token;
  if (isSameAccess(before.holder.access, access)) return before;
  const end = new AbortController();
  return { ...before, end, holder: { ...before.holder, access, gone: end.signal } };
}

function newcomer({ name, token, isNearOnly = false, only, access = EVERYTHING }: AccessToken): Known {
  const end = new AbortController();
  const ticket = standIn();
  const panel = newPanelName();
  return {
    holder: {
      name,
      isNearOnly,
      access,
      gone: end.signal,
      ticket,
      panel,
      ...(only !== undefined && { only }),
    },
    end,
    digests: { token: digest(token), ticket: digest(ticket) },
  };
}

/** Makes a token's keys. A caller may have the token with the prefix `limited_` or without, so there are keys for both texts. */
const proverOf = (known: Known | undefined, token: string): readonly (readonly [string, Prover])[] =>
  known
    ? [token, LIMITED + token].map((text) => [
        tokenIdOf(text),
        { holder: known.holder, isLocal: false, keys: handshakeKeys(text) },
      ])
    : [];

/** Makes a random text that can be sent in place of a token (HOLDERS-4). */
const standIn = (): string => randomBytes(STAND_IN_BYTES).toString("base64url");

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

const badToken = (what: string): RefusedError =>
  new RefusedError("BAD_TOKEN", what, "Give each name a token of its own.");

export const unauthenticated = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request has no token that is known here.",
    "On the engine's machine use its socket: curl --unix-socket FOLDER/engine.sock. From elsewhere send Authorization: Bearer with a token of your own.",
    "Authorization",
  );
