// Page
// Serves the panel's files, and signs browsers in by the link that a command prints.
//
//   Owns:          signing in by a link; what a browser may do with the page.
//   Does not own:  the page (panel), its requests to the engine (the other routes).
//
// PAGE-1. The panel's page runs only its own script and style, connects only to its own origin, and cannot be framed.
// PAGE-2. The engine answers a sign-in link with a cookie and a redirect to `/`, so the browser does not keep the address with
//     the token or code. If another site led the browser to the link, the engine answers with a page that makes the redirect:
//     after a redirect that another site began, a browser would not send a cookie with SameSite=Strict.
// PAGE-3. Browsers cache only those files of the panel whose names change with their content.
// PAGE-4. If a sign-in link is opened at an address where nobody can be signed in by it, such as `localhost` (PANEL-NAME-2),
//     the link is not used up, and the browser is not redirected to another address.
// PAGE-5. If a page led the browser to a sign-in link, and the browser is signed in already, the browser stays signed in as the
//     same user. Otherwise that page could make a person answer under somebody else's name.

import type { Context, Hono } from "hono";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { answer, answerWith, type Env, noSuchRoute, TEXT } from "./context.ts";
import type { Entrance } from "./access/entrance.ts";
import type { SignInLinks } from "./access/sign-in-links.ts";
import type { Holder } from "./access/holders.ts";
import type { Place } from "./places.ts";
import { setCookie } from "./access/session-cookie.ts";
import { SIGN_IN_POLICY, signInPage, signInText } from "./access/sign-in-page.ts";

/** A file of the panel. The file with the path `/` is the page itself. */
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
  // The page may have one trusted-types policy, named `signalbox`. That policy allows only the address of the page's worker.
  "trusted-types signalbox",
].join("; ");

/** Cache-Control of a file whose name changes with its content: the browser keeps the file, and never asks for it again. */
const KEPT = "private, max-age=31536000, immutable";

export function pageRoutes(app: Hono<Env>, { page, listening, entrance, links, provider }: Signing): void {
  const files = new Map(page?.map((file) => [file.path, file]));
  app.get("/", (c) => {
    const place = c.get("place");
    const { token, code } = c.req.query();
    const isLink = token !== undefined || (code !== undefined && c.req.method === "GET");
    const { incoming } = c.env;
    if (isLink && isFromElsewhere(c.req.header(SITE)))
      return answerWith(c, 200, leadingTo(`/?${new URLSearchParams(c.req.query()).toString()}`), HTML);
    const signedIn = () => orRefused(() => entrance.holder(incoming, place));
    if (isLink && c.req.header(SITE) === OWN_SITE && !(signedIn() instanceof RefusedError))
      return answer(c, 303, {}, { Location: "/" });
    const found = orRefused(() => {
      if (isLink && !isTaken(place, token)) return entrance.holderByLink(undefined, incoming, place);
      if (token !== undefined) return entrance.holderInAddress("token", token, incoming, place);
      // A HEAD request does not use up a code: for HEAD, an address with a code does not count as a link.
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
/** @param address the address as `URLSearchParams` writes it, so that no character in it has a meaning in HTML. */
const leadingTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Signalbox</title>
<p><a href="${address}">Open Signalbox</a>
`;

const SITE = "Sec-Fetch-Site";
const OWN_SITE = "same-origin";
const isFromElsewhere = (site: string | undefined): boolean =>
  site !== undefined && site !== "none" && site !== OWN_SITE;

// Sets the cookies and leads the browser to `/`, by a redirect or a page (PAGE-2).
export function signIn(c: Context<Env>, cookies: readonly string[]): Response {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  // Over plain HTTP to another machine, a browser does not say which site led to the link, so another site may have led to it.
  const from = c.req.header(SITE) ?? (isPage ? "cross-site" : "none");
  if (isFromElsewhere(from)) return answerWith(c, 200, leadingTo("/"), HTML, { "Set-Cookie": cookies });
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

/**
 * Whether a sign-in link may be used at this address of the engine (PANEL-NAME-2, PAGE-4).
 * @param token the token in the link; undefined for a link with a code.
 */
const isTaken = ({ browsers }: Place, token: string | undefined): boolean =>
  browsers === "code or token" || (browsers === "code" && token === undefined);

function whyNot({ code, message, next }: RefusedError, isLink: boolean, { browsers }: Place): string {
  if (browsers === "nothing")
    return "Nobody can sign in at this address, because another program may have used it before. Run `npx signalbox open`.";
  if (code === "NOT_NEAR" || code === "NEEDS_TLS") return `${message} ${next}`;
  return isLink
    ? "The engine does not accept this link or token. A link with a code works only once, and only for five minutes."
    : "You are not signed in.";
}

function send(c: Context<Env>, file: PageFile | undefined): Response {
  if (!file) throw noSuchRoute();
  return answerWith(c, 200, file.body, file.type, {
    "Content-Security-Policy": POLICY,
    ...(file.isFixed && { "Cache-Control": KEPT }),
  });
}

/** Answers a caller who is not signed in: a browser gets a page, any other client plain text. */
export function turnAway(c: Context<Env>, why: string, { provider }: Pick<Signing, "provider">): Response {
  const { origin, isSecure } = c.get("place");
  const at = isSecure ? { origin, provider } : undefined;
  const headers = { "WWW-Authenticate": "Bearer" };
  if (!(c.req.header("Accept") ?? "").includes("text/html"))
    return answerWith(c, 401, signInText(why, at), TEXT, headers);
  const policy = { "Content-Security-Policy": SIGN_IN_POLICY };
  return answerWith(c, 401, signInPage(why, at), HTML, { ...headers, ...policy });
}
