// Sign-in links
// Links that sign a browser in once, within minutes. A link contains a code instead of a token.
//
//   Owns:          the codes, when a code expires, the route that makes a sign-in link.
//   Does not own:  what a token allows (holders), the page's answer (page).
//
// SIGN-IN-LINKS-1. A code signs in one browser, once, within five minutes, and only while the token of the code's holder is
//     valid.
// SIGN-IN-LINKS-2. A request that is identified only by a cookie gets no sign-in link.
// SIGN-IN-LINKS-3. A holder has at most 16 codes: a new one replaces the holder's own oldest, and no other holder's.

import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { Clock } from "../../../runtime/ports.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { answer, type Env, givenIn } from "../context.ts";
import type { Entrance, Listening } from "./entrance.ts";
import type { Holder } from "./holders.ts";

const LASTS_MS = 300_000;
const CODE_BYTES = 18;
/** How many codes one holder may have. The number of holders is limited by the number of tokens. */
const CODES_MAX = 16;

interface Made {
  readonly holder: Holder;
  /** When the link expires, by the monotonic clock, ms. */
  readonly until: number;
}

export class SignInLinks {
  readonly #clock: Clock;
  readonly #made = new Map<string, Made>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(holder: Holder): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    this.#made.set(code, { holder, until: this.#clock.monotonic() + LASTS_MS });
    const own = [...this.#made].filter(([, made]) => made.holder.name === holder.name);
    for (const [old] of own.slice(0, -CODES_MAX)) this.#made.delete(old);
    return { code, expiresAt: this.#clock.now() + LASTS_MS };
  }

  // Uses a code up; undefined if the code is used, expired or unknown, or its holder's token is gone (SIGN-IN-LINKS-1).
  use(code: string): Holder | undefined {
    const made = this.#made.get(code);
    this.#made.delete(code);
    const counts = made !== undefined && made.until > this.#clock.monotonic() && !made.holder.gone.aborted;
    return counts ? made.holder : undefined;
  }
}

export function signInRoutes(
  app: Hono<Env>,
  links: SignInLinks,
  entrance: Entrance,
  listening: Listening,
): void {
  app.post("/v1/sign-in-links", (c) => {
    parametersOf(givenIn(c), []);
    if (entrance.isByCookie(c.env.incoming, c.get("place"))) throw noToken();
    const taking = listening.places.filter(({ browsers }) => browsers !== "nothing");
    const holder = c.get("holder");
    const here = listening.hasPanelNames ? `http://${holder.panel}:${listening.port}` : listening.origin;
    const origins = [...new Set([...taking.map(({ origin }) => origin), here])];
    return answer(c, 200, { ...links.make(holder), here, origins });
  });
}

const noToken = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "A signed-in browser cannot make sign-in links.",
    "Make the link in a terminal: `npx signalbox open`.",
    "Authorization",
  );
