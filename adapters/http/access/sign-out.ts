// Sign-out
// Signs one browser out, at once.
//
//   Owns:          the route.
//   Does not own:  what ends with the sign-in (browsers), checking who sent the request (guard, session-cookie).

import type { Hono } from "hono";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { parametersOf } from "../../../runtime/reading/parameters.ts";
import { answer, type Env } from "../context.ts";
import type { Browsers } from "./browsers.ts";
import type { Entrance } from "./entrance.ts";
import { cookieOf, setCookie } from "./session-cookie.ts";

export const SIGN_OUT_PATH = "/v1/sign-out";

interface Leaving {
  readonly browsers: Browsers;
  readonly entrance: Entrance;
  readonly listening: { readonly port: number };
}

export function signOutRoute(app: Hono<Env>, { browsers, entrance, listening }: Leaving): void {
  app.post(SIGN_OUT_PATH, (c) => {
    parametersOf(new URL(c.req.url).searchParams, []);
    const { incoming } = c.env;
    const { port } = listening;
    const place = c.get("place");
    const cookie = entrance.isByCookie(incoming, place) ? cookieOf(incoming, port, place) : undefined;
    if (cookie === undefined) throw noBrowser();
    browsers.signOut(cookie);
    return answer(c, 200, { signedOut: true }, { "Set-Cookie": setCookie({ port, place }, "", 0) });
  });
}

const noBrowser = (): RefusedError =>
  new RefusedError(
    "NO_BROWSER",
    "Only a browser that is signed in can be signed out.",
    "To take a token away: `npx signalbox token rm NAME`.",
    "Authorization",
  );
