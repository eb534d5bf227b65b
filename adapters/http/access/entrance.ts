// Entrance
// Finds out to which address an HTTP request was sent, and who sent it.
//
//   Owns:          choosing what identifies a request's sender: the socket, a proof, a token, a cookie, a ticket in its address.
//   Does not own:  the tokens (holders), the proofs (handshakes), the engine's names (places), the checks of a request (guard).
//
// ENTRANCE-1. This machine's user is recognised by the socket in the data folder, which nobody else can open, or over TCP by a
//     proof that they have the folder's line key. So this user sends no token, which a wrong program on the port could read.
// ENTRANCE-2. Only another engine, which has a token for engines, may send a request on behalf of a user whom the request names.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { FOR_HEADER, userIn } from "../../../runtime/peers/on-behalf.ts";
import { bearerOf, checkForm, checkNear, checkOnly, checkOrigin } from "./guard.ts";
import type { Browsers } from "./browsers.ts";
import type { Handshakes } from "./handshakes.ts";
import { type Holder, type Holders, unauthenticated } from "./holders.ts";
import type { Place } from "../places.ts";
import { cookieOf } from "./session-cookie.ts";

/** Where the server listens. The server fills this in before the first request. */
export interface Listening {
  /** The engine's address by which programs on this machine reach it. */
  readonly origin: string;
  readonly port: number;
  readonly places: readonly Place[];
  readonly hasPanelNames: boolean;
  readonly isBySocket: (request: IncomingMessage) => boolean;
}

export class Entrance {
  readonly #holders: Holders;
  readonly #browsers: Browsers;
  readonly #listening: Listening;
  readonly #handshakes: Handshakes;

  constructor(holders: Holders, browsers: Browsers, listening: Listening, handshakes: Handshakes) {
    this.#holders = holders;
    this.#browsers = browsers;
    this.#listening = listening;
    this.#handshakes = handshakes;
  }

  /**
   * @returns the place (one of the engine's addresses) to which the request was sent. @throws RefusedError if the request may
   * not come in, whoever sent it.
   */
  place(request: IncomingMessage): Place {
    checkForm(request);
    const { places, isBySocket, hasPanelNames } = this.#listening;
    const isPanel = (name: string): boolean => hasPanelNames && this.#holders.hasPanel(name);
    return checkOrigin(request, places, isBySocket(request), isPanel);
  }

  /** @throws RefusedError UNAUTHENTICATED, NOT_NEAR, FORBIDDEN_ORIGIN, NEEDS_TLS, NOT_FOR_THIS; the errors of `userIn`. */
  holder(request: IncomingMessage, place: Place): Holder {
    const holder = checkOnly(this.#of(request, place), request);
    const here = checkNear(holder, request, place, this.#handshakes.isLocal(request));
    const named = request.headers[FOR_HEADER.toLowerCase()];
    return named === undefined ? here : { ...here, ...userIn(String(named), here), isPassedOn: true };
  }

  /** Finds the sender by the token or ticket in the request's address. @throws RefusedError as `holder` does. */
  holderInAddress(kind: "token" | "ticket", given: string, request: IncomingMessage, place: Place): Holder {
    const found = (kind === "ticket" && this.#browsers.byTicket(given)) || this.#holders.by(kind, given);
    return checkNear(checkOnly(found, request), request, place);
  }

  /** Checks that a sign-in link may sign its user in at this place. @throws RefusedError, as `holder` does, if it may not. */
  holderByLink(holder: Holder | undefined, request: IncomingMessage, place: Place): Holder {
    return checkNear(checkOnly(this.#atOwnPanel(holder, place), request), request, place);
  }

  /** Signs a browser in; it stays signed in for as long as the holder has access. @returns the cookie. */
  signIn(holder: Holder): string {
    return this.#browsers.signIn(holder.name, () => this.#holders.now(holder));
  }

  /** True if a cookie alone identifies the sender: the request came over TCP, and has neither a token nor a proof. */
  isByCookie(request: IncomingMessage, place: Place): boolean {
    return !place.isSocket && bearerOf(request) === undefined && !this.#handshakes.wasProven(request);
  }

  #of(request: IncomingMessage, place: Place): Holder {
    const prover = this.#handshakes.prover(request);
    const bearer = bearerOf(request);
    // A proof and a token may be of two different users, so a request with both is refused.
    if (prover && bearer !== undefined) throw bothGiven();
    if (prover) return prover;
    if (bearer !== undefined) return this.#holders.by("token", bearer);
    if (place.isSocket) return this.#holders.local();
    // At a plain name of loopback, such as `localhost`, no cookie is read, because a browser sends a cookie of this name to every
    // program that listens on loopback (PANEL-NAME-2).
    if (place.browsers === "nothing") throw unauthenticated();
    const cookie = cookieOf(request, this.#listening.port, place);
    return this.#atOwnPanel(cookie === undefined ? undefined : this.#browsers.byCookie(cookie), place);
  }

  /**
   * @returns the holder; at a panel name, only if it is the holder's own panel name (PANEL-NAME-3).
   * @throws RefusedError UNAUTHENTICATED for nobody, or at another holder's panel name.
   */
  #atOwnPanel(holder: Holder | undefined, { browsers, origin }: Place): Holder {
    const isTheirs = browsers !== "code" || new URL(origin).hostname === holder?.panel;
    if (holder && isTheirs) return holder;
    throw unauthenticated();
  }
}

const bothGiven = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request has a proof and a token, so it is not clear who sends it.",
    "Send either the proof or the token.",
    "Authorization",
  );
