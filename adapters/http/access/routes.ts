// Access routes
// The routes by which a user signs in, reads who they are, and signs out.
//
//   Owns:          the routes for signing in and out, telling callers who they are; which paths need no sign-in.
//   Does not own:  all other routes (adapters/http), the proof in a greeting (handshakes).

import type { Hono } from "hono";
import { defined } from "../../../machines/index.ts";
import { HANDSHAKE_ROUTE } from "../../../runtime/line/handshake.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { answer, type Env, givenIn } from "../context.ts";
import { type PageFile, pageRoutes } from "../page.ts";
import type { Browsers } from "./browsers.ts";
import type { Entrance, Listening } from "./entrance.ts";
import type { Handshakes } from "./handshakes.ts";
import { PROVIDER_PATHS, providerRoutes, type SignIn } from "./provider-routes.ts";
import { SignInLinks, signInRoutes } from "./sign-in-links.ts";
import { cookieOf, setCookie } from "./session-cookie.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { parametersOf, required } from "../../../runtime/reading/parameters.ts";
import { type Me, PARTS } from "../../../runtime/access-token.ts";

/** Paths that need no token. The root tells a caller without a token how to sign in; a greeting comes before any proof. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  ...["/livez", "/readyz", "/", HANDSHAKE_ROUTE],
  ...PROVIDER_PATHS,
]);

interface Access {
  readonly page?: readonly PageFile[] | undefined;
  readonly signIn?: SignIn | undefined;
  readonly onSignInFailed?: ((detail: string) => void) | undefined;
  readonly handshakes: Handshakes;
  readonly entrance: Entrance;
  readonly browsers: Browsers;
  readonly clock: Clock;
  readonly listening: Listening;
}

export function accessRoutes(app: Hono<Env>, access: Access): void {
  const { page, signIn, onSignInFailed, handshakes, entrance, browsers, clock, listening } = access;
  const links = new SignInLinks(clock);
  greetingRoute(app, handshakes);
  meRoute(app);
  pageRoutes(app, { page, listening, entrance, links, provider: signIn?.host });
  signInRoutes(app, links, entrance, listening);
  providerRoutes(app, { ...defined({ signIn, onSignInFailed }), browsers, listening, clock });
  signOutRoute(app, access);
}

function greetingRoute(app: Hono<Env>, handshakes: Handshakes): void {
  app.get(HANDSHAKE_ROUTE, (c) => {
    const given = parametersOf(givenIn(c), ["nonce", "tokenId"]);
    const { incoming } = c.env;
    // The greeting contains only a configured host name: a name such as `localhost` proves nothing, because every machine has it.
    const { isBehind, isNear } = c.get("place");
    const name = isBehind || isNear ? "" : (incoming.headers.host ?? "");
    const introduction = { nonce: required(given, "nonce"), name, tokenId: given["tokenId"] };
    return answer(c, 200, handshakes.greet(incoming, introduction));
  });
}

function meRoute(app: Hono<Env>): void {
  app.get("/v1/me", (c) => {
    parametersOf(givenIn(c), []);
    const { name, access } = c.get("holder");
    const { parts, workspaces } = access;
    const me: Me = {
      name,
      parts: PARTS.filter((part) => parts.has(part)),
      ...(workspaces && { workspaces: [...workspaces].sort() }),
    };
    return answer(c, 200, me);
  });
}

export const SIGN_OUT_PATH = "/v1/sign-out";

function signOutRoute(app: Hono<Env>, { browsers, entrance, listening }: Access): void {
  app.post(SIGN_OUT_PATH, (c) => {
    parametersOf(givenIn(c), []);
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
