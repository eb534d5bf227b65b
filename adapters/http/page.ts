// Page
// Serves the panel's files, and signs browsers in by the printed link.
//
//   Owns:          signing in; what a browser may do with the page.
//   Does not own:  the page (panel), its requests to the engine (the other routes).
//
// PAGE-1. The page runs only its own script and style, connects only to its own origin, and cannot be framed.
// PAGE-2. The token or code leaves the browser's address at once: the link answers with a cookie and a redirect. If another page
//     led to the link, a page of the engine's own does the redirect: a browser sends no strict cookie with a navigation that
//     another site began.
// PAGE-3. A browser caches only files whose names change with their content.
// PAGE-4. A link that is opened at a place where it does not count stays valid, and leads nowhere else.

import type { Context, Hono } from "hono";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { answer, answerWith, type Env, TEXT } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import type { Entrance } from "./access/entrance.ts";
import type { SignInLinks } from "./access/sign-in-links.ts";
import type { Holder } from "./access/holders.ts";
import type { Place } from "./places.ts";
import { setCookie } from "./access/session-cookie.ts";
import { SIGN_IN_POLICY, signInPage, signInText } from "./access/sign-in-page.ts";

/** One file of the page; the file at `/` is the page itself. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
  /** True if the file's name changes with its content. */
  readonly isFixed?: true;
}

interface Signing {
  readonly page: readonly PageFile[] | undefined;
  readonly listening: { readonly port: number };
  readonly entrance: Entrance;
  readonly links: SignInLinks;
  /** The host of the identity provider, if there is one. */
  readonly provider: string | undefined;
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
  // The page may have one trusted-types policy, of this name. It allows only the address of the page's worker.
  "trusted-types signalbox",
].join("; ");

/** The header of a file that the browser keeps and never asks for again. Such a file contains nothing of a session. */
const KEPT = "private, max-age=31536000, immutable";

export function pageRoutes(app: Hono<Env>, { page, listening, entrance, links, provider }: Signing): void {
  const files = new Map(page?.map((file) => [file.path, file]));
  app.get("/", (c) => {
    const place = c.get("place");
    const { token, code } = c.req.query();
    const isLink = token !== undefined || (code !== undefined && c.req.method === "GET");
    const found = orRefused(() => {
      const { incoming } = c.env;
      if (isLink && !isTaken(place, token)) return entrance.holderByLink(undefined, incoming, place);
      if (token !== undefined) return entrance.holderInAddress("token", token, incoming, place);
      // A HEAD request does not use up a sign-in link.
      if (isLink) return entrance.holderByLink(links.use(code ?? ""), incoming, place);
      return entrance.holder(incoming, place);
    });
    if (found instanceof RefusedError) return turnAway(c, whyNot(found, isLink, place), { provider });
    if (!isLink) return send(c, files.get("/"));
    return signIn(c, [setCookie({ port: listening.port, place }, entrance.signIn(found))]);
  });
  app.get("/app/:name", (c) => send(c, files.get(c.req.path)));
}

const HTML = "text/html; charset=UTF-8";
const LEADS_ON = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=/">
<title>Signalbox</title>
<p><a href="/">Open Signalbox</a>
`;

/**
 * Signs a browser in, and leads it to an address without the token or code (PAGE-2). @param cookies the cookies for the
 * browser to keep.
 */
export function signIn(c: Context<Env>, cookies: readonly string[]): Response {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  // Over plain HTTP to another machine, a browser does not say which page led to the link. It may be a page of another site.
  const from = c.req.header("Sec-Fetch-Site") ?? (isPage ? "cross-site" : "none");
  if (from !== "none" && from !== "same-origin")
    return answerWith(c, 200, LEADS_ON, HTML, { "Set-Cookie": cookies });
  return answer(c, 303, {}, { Location: "/", "Set-Cookie": cookies });
}

function orRefused(find: () => Holder): Holder | RefusedError {
  try {
    return find();
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/** Whether a link may sign a browser in at this place (PANEL-NAME-2, PAGE-4). @param token undefined for a link with a code. */
const isTaken = ({ browsers }: Place, token: string | undefined): boolean =>
  browsers === "code or token" || (browsers === "code" && token === undefined);

function whyNot({ code, message, next }: RefusedError, isLink: boolean, { browsers }: Place): string {
  if (browsers === "nothing")
    return "At this address the panel lets nobody in, because another program may have used it before.";
  if (code === "NOT_NEAR" || code === "NEEDS_TLS") return `${message} ${next}`;
  return isLink
    ? "This link or token is wrong or no longer counts: a link with a code counts once, within five minutes."
    : "You are not signed in.";
}

function send(c: Context<Env>, file: PageFile | undefined): Response {
  if (!file) throw noSuchRoute();
  return answerWith(c, 200, file.body, file.type, {
    "Content-Security-Policy": POLICY,
    ...(file.isFixed && { "Cache-Control": KEPT }),
  });
}

/** Tells a caller how to sign in: a browser by a page, any other client by plain text. @param provider its host. */
export function turnAway(c: Context<Env>, why: string, { provider }: Pick<Signing, "provider">): Response {
  const { origin, isSecure } = c.get("place");
  const at = isSecure ? { origin, provider } : undefined;
  const headers = { "WWW-Authenticate": "Bearer" };
  if (!(c.req.header("Accept") ?? "").includes("text/html"))
    return answerWith(c, 401, signInText(why, at), TEXT, headers);
  const policy = { "Content-Security-Policy": SIGN_IN_POLICY };
  return answerWith(c, 401, signInPage(why, at), HTML, { ...headers, ...policy });
}
