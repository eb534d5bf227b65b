// Sign-in links
// Links that sign a browser in once, within minutes, instead of containing a token.
//
//   Owns:          the codes, when a code expires, the route that makes a link.
//   Does not own:  what a token allows (holders), the page's answer (page).
//
// SIGN-IN-LINKS-1. A code signs in one browser, once, within five minutes, and only while its holder's token counts.
// SIGN-IN-LINKS-2. A request with only a cookie makes no link: it needs a token, the socket or a proof.

import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { Clock } from "../../../runtime/ports.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { answer, type Env } from "../context.ts";
import type { Entrance } from "./entrance.ts";
import type { Holder } from "./holders.ts";
import type { Place } from "../places.ts";

const LASTS_MS = 300_000;
const CODE_BYTES = 18;
const CODES_MAX = 100;

interface Made {
  readonly holder: Holder;
  /** When the code expires, on the monotonic clock, ms. */
  readonly until: number;
}

export class SignInLinks {
  readonly #clock: Clock;
  readonly #made = new Map<string, Made>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a code, and removes the oldest if there are too many. @returns the code, and when it expires, ms. */
  make(holder: Holder): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    this.#made.set(code, { holder, until: this.#clock.monotonic() + LASTS_MS });
    for (const old of this.#made.keys()) {
      if (this.#made.size <= CODES_MAX) break;
      this.#made.delete(old);
    }
    return { code, expiresAt: this.#clock.now() + LASTS_MS };
  }

  /**
   * Uses a code up (SIGN-IN-LINKS-1). @returns the code's user; undefined if the code is unknown, used or too old, or the user
   * has lost access.
   */
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
  listening: {
    readonly origin: string;
    readonly port: number;
    readonly places: readonly Place[];
    readonly hasPanelNames: boolean;
  },
): void {
  app.post("/v1/sign-in-links", (c) => {
    parametersOf(new URL(c.req.url).searchParams, []);
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
    "A browser that is signed in makes no links for others.",
    "Have a link made in a terminal: `npx signalbox open`.",
    "Authorization",
  );
