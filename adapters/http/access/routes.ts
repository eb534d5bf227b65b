// Access routes
// The routes by which a user signs in, reads who they are, and signs out.
//
//   Owns:          which routes there are, which are open to callers who have not signed in.
//   Does not own:  answering requests.

import type { Hono } from "hono";
import { defined } from "../../../machines/index.ts";
import { HANDSHAKE_ROUTE } from "../../../runtime/line/handshake.ts";
import type { SignIn } from "./sign-in.ts";
import type { Clock } from "../../../runtime/ports.ts";
import type { Env } from "../context.ts";
import { pageRoutes, type PageFile } from "../page.ts";
import type { Place } from "../places.ts";
import { greetingRoute } from "../proving.ts";
import type { Browsers } from "./browsers.ts";
import type { Entrance } from "./entrance.ts";
import type { Handshakes } from "./handshakes.ts";
import { meRoute } from "./me.ts";
import { PROVIDER_PATHS, providerRoutes } from "./provider-routes.ts";
import { SignInLinks, signInRoutes } from "./sign-in-links.ts";
import { signOutRoute } from "./sign-out.ts";

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
