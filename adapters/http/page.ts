// Page
// The inspector as files: signing in by the printed link, the page, what it loads.
//
//   Owns:          signing in; what a browser may do with the page.
//   Does not own:  the page (inspector), what it asks of the engine (the other routes).
//
// H16. The page runs only its own script and style, talks only to its own origin, and stands in no frame.
// H17. The token leaves the address at once: the link answers with a cookie and a redirect.

import type { Context, Hono } from "hono";
import { RefusedError } from "../../runtime/errors.ts";
import { answer, type Env } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import { bearerOf, type CheckToken } from "./guard.ts";
import { cookieOf, setCookie } from "./session-cookie.ts";

/** One file of the page; the one at `/` is the page itself. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Signing {
  readonly page: readonly PageFile[] | undefined;
  readonly listening: { readonly port: number };
  readonly checkToken: CheckToken;
  readonly checkCookie: CheckToken;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export function pageRoutes(app: Hono<Env>, signing: Signing): void {
  const files = new Map(signing.page?.map((file) => [file.path, file]));
  app.get("/", (c) => {
    const { token } = c.req.query();
    if (token !== undefined) return signIn(c, token, signing);
    if (!isSignedIn(c, signing)) return turnAway(c, "You are not signed in.");
    return send(c, files.get("/"));
  });
  app.get("/app/:name", (c) => send(c, files.get(c.req.path)));
}

function signIn(c: Context<Env>, token: string, { checkToken, listening }: Signing): Response {
  if (!passes(() => checkToken(token))) return turnAway(c, "This link's token is not, or no longer, right.");
  return answer(c, 303, {}, { Location: "/", "Set-Cookie": setCookie(listening.port, token) });
}

function isSignedIn(c: Context<Env>, { checkToken, checkCookie, listening }: Signing): boolean {
  const bearer = bearerOf(c.env.incoming);
  return passes(() =>
    bearer !== undefined ? checkToken(bearer) : checkCookie(cookieOf(c.env.incoming, listening.port)),
  );
}

function passes(check: () => string): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

function send(c: Context<Env>, file: PageFile | undefined): Response {
  if (!file) throw noSuchRoute();
  return c.body(file.body, 200, { "Content-Type": file.type, "Content-Security-Policy": POLICY });
}

/** Plain text: a person reads it in a browser and in a terminal, and it loads nothing. */
function turnAway(c: Context<Env>, why: string): Response {
  const { origin } = new URL(c.req.url);
  return c.text(wayIn(why, origin), 401, { "WWW-Authenticate": "Bearer" });
}

const wayIn = (why: string, origin: string): string =>
  `This is Signalbox. ${why}

To sign in, open the link that \`signalbox up\` printed when it started; it ends in /?token=…

If you do not have it any more, make it anew:

  1. Read the token in the engine's data folder (\`signalbox up\` says where that is):

       cat ~/.local/state/signalbox/token

  2. Open this address with the token at its end:

       ${origin}/?token=<the token>
`;
