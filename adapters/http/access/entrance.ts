// Entrance
// Where a request was sent to, and who sent it.
//
//   Owns:          whether token, cookie or ticket counts for a request.
//   Does not own:  the tokens (holders), the names (places), each check (guard, session-cookie).

import type { IncomingMessage } from "node:http";
import { bearerOf, checkForm, checkNear, checkOnly, checkOrigin } from "./guard.ts";
import type { Holder, Holders } from "./holders.ts";
import type { Place } from "../places.ts";
import { cookieOf } from "./session-cookie.ts";

interface Listening {
  readonly port: number;
  readonly places: readonly Place[];
}

export class Entrance {
  readonly #holders: Holders;
  readonly #listening: Listening;

  /** @param listening may be filled in later, before the first request. */
  constructor(holders: Holders, listening: Listening) {
    this.#holders = holders;
    this.#listening = listening;
  }

  /** @throws RefusedError when the request may not come in, whoever sent it. */
  place(request: IncomingMessage): Place {
    checkForm(request);
    return checkOrigin(request, this.#listening.places);
  }

  /** By its token, else by the page's cookie. @throws RefusedError UNAUTHENTICATED, NOT_NEAR, FORBIDDEN_ORIGIN */
  holder(request: IncomingMessage, place: Place): Holder {
    const bearer = bearerOf(request);
    const cookie = bearer === undefined ? cookieOf(request, this.#listening.port, place) : undefined;
    const holder =
      cookie === undefined ? this.#holders.by("token", bearer) : this.#holders.by("cookie", cookie);
    return checkNear(checkOnly(holder, request), request, place);
  }

  /** By the ticket in the request's address. @throws RefusedError UNAUTHENTICATED, NOT_NEAR */
  holderInAddress(kind: "token" | "ticket", given: string, request: IncomingMessage, place: Place): Holder {
    return checkNear(checkOnly(this.#holders.by(kind, given), request), request, place);
  }
}
