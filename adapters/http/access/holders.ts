// Holders
// The users who may send HTTP requests: everybody with a token, until it is removed, and this machine's user.
//
//   Owns:          the tokens; each token's ticket; the keys with which a holder proves to have the token; what ends when a
//                  token is removed.
//   Does not own:  the users' browsers (browsers), recognising this machine's user (entrance), what a holder may do (parts).
//   Decided in:    docs/decisions/0037-tokens-and-proxies.md, 0052-the-folder-is-the-proof.md.
//
// HOLDERS-1. A token or ticket that a caller sends is compared with every known one, in constant time.
// HOLDERS-2. Removing a token ends everything derived from it: cookie, ticket (for clients that can send no header) and streams.
// HOLDERS-3. Each token belongs to one holder's name.
// HOLDERS-4. A ticket is random, and made anew at each start.
// HOLDERS-5. A proof that was made with a removed token is refused.
// HOLDERS-6. If a token's access changes, its tickets stay valid, but the streams that were opened with the old access end.

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

/** The user of this machine who runs the engine and needs no token. */
export interface LocalUser {
  readonly name: string;
  /** The data folder's line key, which proves this user over TCP. */
  readonly lineKey?: string;
}

/** A user who proves over TCP that they have a key, without sending it. */
export interface Prover {
  readonly holder: Holder;
  /** True if the key is the data folder's line key. */
  readonly isLocal: boolean;
  readonly keys: HandshakeKeys;
}

export interface Holder {
  readonly name: string;
  readonly isNearOnly: boolean;
  /** The only route for which the token is valid; absent if it is valid for all routes. */
  readonly only?: string;
  readonly access: Access;
  /** A signal that is aborted when the token is removed, or its access changes. */
  readonly gone: AbortSignal;
  /**
   * A text for clients that can send no header: as part of an address, it allows reading until the token is removed or the
   * engine ends.
   */
  readonly ticket: string;
  /** True if another engine has passed this user's request on to this engine. */
  readonly isPassedOn?: true;
  /** The name of the holder's own panel (PANEL-NAME-3). */
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

  /** @throws RefusedError for tokens that `replace` refuses. */
  constructor(tokens: readonly AccessToken[], local?: LocalUser) {
    if (local) {
      this.#local = newcomer({ name: local.name, token: standIn(), isNearOnly: true });
      const { holder } = this.#local;
      if (local.lineKey !== undefined)
        this.#localProver = { holder, isLocal: true, keys: handshakeKeys(local.lineKey) };
    }
    this.replace(tokens);
  }

  /** @returns this machine's user. @throws RefusedError UNAUTHENTICATED if the engine accepts no user without a token. */
  local(): Holder {
    if (!this.#local) throw unauthenticated();
    return this.#local.holder;
  }

  /** @param tokenId undefined for this machine's user, who has no token. @throws RefusedError UNAUTHENTICATED */
  prover(tokenId?: string): Prover {
    const found = tokenId === undefined ? this.#localProver : this.#provers.get(tokenId);
    if (!found) throw unauthenticated();
    return found;
  }

  /**
   * Replaces all tokens. Connections of a token that stays are not closed.
   * @throws RefusedError BAD_TOKEN for an empty token, which would let everybody in, and for a token with two names; all tokens
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

  /** @returns the holder with their present access; undefined if the holder no longer has any. */
  now({ panel }: Holder): Holder | undefined {
    return this.#all().find(({ holder }) => holder.panel === panel)?.holder;
  }

  hasPanel(name: string): boolean {
    return this.#all().some(({ holder }) => holder.panel === name);
  }

  /** Finds the holder by a token or ticket (HOLDERS-1). @throws RefusedError UNAUTHENTICATED */
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

/** A token's new entry, which continues the previous entry (HOLDERS-6). @param before the token's previous entry. */
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

/** The keys of a token. A caller may have the token's text with the prefix `limited_` or without, so both texts get keys. */
const proverOf = (known: Known | undefined, token: string): readonly (readonly [string, Prover])[] =>
  known
    ? [token, LIMITED + token].map((text) => [
        tokenIdOf(text),
        { holder: known.holder, isLocal: false, keys: handshakeKeys(text) },
      ])
    : [];

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
