// Access routes
// The routes by which a user signs in, reads who they are, and signs out.
//
//   Owns:          which routes there are, which are open to callers who have not signed in; telling callers who they are.
//   Does not own:  answering other requests, making proofs (handshakes).

import type { Hono } from "hono";
import { defined } from "../../../machines/index.ts";
import { HANDSHAKE_ROUTE } from "../../../runtime/line/handshake.ts";
import type { SignIn } from "./sign-in.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { answer, type Env } from "../context.ts";
import { type PageFile, pageRoutes } from "../page.ts";
import type { Place } from "../places.ts";
import type { Browsers } from "./browsers.ts";
import type { Entrance } from "./entrance.ts";
import type { Handshakes } from "./handshakes.ts";
import { PROVIDER_PATHS, providerRoutes } from "./provider-routes.ts";
import { SignInLinks, signInRoutes } from "./sign-in-links.ts";
import { signOutRoute } from "./sign-out.ts";
import { parametersOf, required } from "../../../runtime/reading/parameters.ts";
import { type Me, PARTS } from "../../../runtime/access-token.ts";

/** The routes that need no token. The root tells a caller without a token how to sign in. A greeting comes before any proof. */
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
  /** The server fills this in before the first request. */
  readonly listening: {
    readonly origin: string;
    readonly port: number;
    readonly places: readonly Place[];
    readonly hasPanelNames: boolean;
  };
}

export function accessRoutes(app: Hono<Env>, access: Access): void {
  const { page, signIn, onSignInFailed, handshakes, entrance, browsers, clock, listening } = access;
  const links = new SignInLinks(clock);
  greetingRoute(app, handshakes);
  meRoute(app);
  pageRoutes(app, { page, listening, entrance, links, provider: signIn?.host });
  signInRoutes(app, links, entrance, listening);
  providerRoutes(app, { ...defined({ signIn, onSignInFailed }), browsers, listening, clock });
  signOutRoute(app, { browsers, entrance, listening });
}

function greetingRoute(app: Hono<Env>, handshakes: Handshakes): void {
  app.get(HANDSHAKE_ROUTE, (c) => {
    const given = parametersOf(new URL(c.req.url).searchParams, ["nonce", "tokenId"]);
    const { incoming } = c.env;
    // Only a configured name goes into the greeting. A name such as `localhost` proves nothing, as every machine has it.
    const { isBehind, isNear } = c.get("place");
    const name = isBehind || isNear ? "" : (incoming.headers.host ?? "");
    const introduction = { nonce: required(given, "nonce"), name, tokenId: given["tokenId"] };
    return answer(c, 200, handshakes.greet(incoming, introduction));
  });
}

function meRoute(app: Hono<Env>): void {
  app.get("/v1/me", (c) => {
    parametersOf(new URL(c.req.url).searchParams, []);
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
