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
    if (!isSignedIn(c, signing)) return c.text(NOT_SIGNED_IN, 401);
    return send(c, files.get("/"));
  });
  app.get("/app/:name", (c) => send(c, files.get(c.req.path)));
}

function signIn(c: Context<Env>, token: string, { checkToken, listening }: Signing): Response {
  checkToken(token);
  return answer(c, 303, {}, { Location: "/", "Set-Cookie": setCookie(listening.port, token) });
}

function isSignedIn(c: Context<Env>, { checkToken, checkCookie, listening }: Signing): boolean {
  try {
    const bearer = bearerOf(c.env.incoming);
    if (bearer !== undefined) checkToken(bearer);
    else checkCookie(cookieOf(c.env.incoming, listening.port));
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

const NOT_SIGNED_IN = [
  "This is Signalbox. You are not signed in.",
  "",
  "Open the link that `signalbox up` printed; it ends in /?token=…",
  "",
].join("\n");
