// Page
// The panel as files: signing in by the printed link, the page, and what it loads.
//
//   Owns:          signing in; what a browser may do with the page.
//   Does not own:  the page (panel), its requests to the engine (the other routes).
//
// PAGE-1. The page runs only its own script and style, talks only to its own origin, and cannot be framed.
// PAGE-2. The token, or the code, leaves the address at once: the link answers with a cookie and a redirect.
// PAGE-3. A browser keeps only files whose names change with what is in them.
// PAGE-4. Nobody is signed in at `localhost`, which leads to several addresses: the engine listens on one, and another
//     program may on the next. The browser is sent to the address itself.

import type { Context, Hono } from "hono";
import { RefusedError } from "../../runtime/errors.ts";
import { answer, type Env } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import type { Entrance } from "./access/entrance.ts";
import type { SignInLinks } from "./access/sign-in-links.ts";
import type { Holder } from "./access/holders.ts";
import { setCookie } from "./access/session-cookie.ts";
import { SIGN_IN_POLICY, signInPage, signInText } from "./access/sign-in-page.ts";

/** One file of the page; the one at `/` is the page itself. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Its name changes with what is in it. */
  readonly isFixed?: true;
}

const LOCALHOST = /^http:\/\/localhost:/;

interface Signing {
  readonly page: readonly PageFile[] | undefined;
  readonly listening: { readonly port: number; readonly origin: string };
  readonly entrance: Entrance;
  readonly links: SignInLinks;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The page's one policy, which gives one address: its own worker's.
  "trusted-types signalbox",
].join("; ");

/** Only by the browser itself, and without asking again. There is nothing of a session in it. */
const KEPT = "private, max-age=31536000, immutable";

export function pageRoutes(app: Hono<Env>, { page, listening, entrance, links }: Signing): void {
  const files = new Map(page?.map((file) => [file.path, file]));
  app.get("/", (c) => {
    const place = c.get("place");
    if (!place.isSocket && LOCALHOST.test(place.origin)) return toAddress(c, listening.origin);
    const { token, code } = c.req.query();
    const isLink = token !== undefined || (code !== undefined && c.req.method === "GET");
    const found = orRefused(() => {
      const { incoming } = c.env;
      if (token !== undefined) return entrance.holderInAddress("token", token, incoming, place);
      // A look at the head of the page uses no link up.
      if (isLink) return entrance.holderByLink(links.use(code ?? ""), incoming, place);
      return entrance.holder(incoming, place);
    });
    if (found instanceof RefusedError) return turnAway(c, whyNot(found, isLink));
    return isLink ? signIn(c, setCookie(listening.port, place, found.cookie)) : send(c, files.get("/"));
  });
  app.get("/app/:name", (c) => send(c, files.get(c.req.path)));
}

const signIn = (c: Context<Env>, cookie: string): Response =>
  answer(c, 303, {}, { Location: "/", "Set-Cookie": cookie });

/** PAGE-4. */
function toAddress(c: Context<Env>, origin: string): Response {
  const { search } = new URL(c.req.url);
  return answer(c, 307, {}, { Location: `${origin}/${search}` });
}

function orRefused(find: () => Holder): Holder | RefusedError {
  try {
    return find();
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

function whyNot({ code, message, next }: RefusedError, isLink: boolean): string {
  if (code === "NOT_NEAR" || code === "NEEDS_TLS") return `${message} ${next}`;
  return isLink
    ? "This link or token is not, or no longer, right: a link with a code counts once, within five minutes."
    : "You are not signed in. A sign-in ends with the engine, so that it is worth nothing to another program on its port.";
}

function send(c: Context<Env>, file: PageFile | undefined): Response {
  if (!file) throw noSuchRoute();
  return c.body(file.body, 200, {
    "Content-Type": file.type,
    "Content-Security-Policy": POLICY,
    ...(file.isFixed && { "Cache-Control": KEPT }),
  });
}

/** A page for a browser, plain text for everybody else; neither loads anything. */
function turnAway(c: Context<Env>, why: string): Response {
  const { origin } = c.get("place");
  c.header("WWW-Authenticate", "Bearer");
  if (!(c.req.header("Accept") ?? "").includes("text/html")) return c.text(signInText(why, origin), 401);
  return c.html(signInPage(why, origin), 401, { "Content-Security-Policy": SIGN_IN_POLICY });
}
