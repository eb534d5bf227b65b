// Session cookie
// The cookie that keeps a browser signed in, because a page cannot send a header with every request.
//
//   Owns:          the cookie's name, how long a browser keeps it; the origin that a request with the cookie must name.
//   Does not own:  the cookie's value and its user (browsers), Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, and it does not contain the token. If the engine is
//     reached by https, the cookie is never sent without https.
// SESSION-COOKIE-2. A request that only a cookie identifies changes nothing unless its header Origin names the engine's own
//     origin. SameSite alone is not enough: to a browser, pages on other ports of the engine's host are the same site.
// SESSION-COOKIE-3. A cookie is valid only until the engine's next start, and only while its token is valid. A browser sends the
//     cookie to whatever program is at the engine's host and port, and after the engine's end that may be another program
//     (PANEL-NAME-2).
// SESSION-COOKIE-4. A sign-in by a provider is checked against a second cookie. This cookie gives no access, is valid for ten
//     minutes, and is also sent when the provider's site redirects the browser back to the engine.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Place } from "../places.ts";

/**
 * The cookie's name contains the port, because all ports of a host share cookies. With the prefix `__Host-`, no other host can
 * set the cookie.
 */
const nameOf = (port: number, { isSecure }: Place): string => `${isSecure ? "__Host-" : ""}signalbox-${port}`;

/** How long a browser keeps the cookie, even while the browser is closed. */
const MAX_AGE_SECONDS = 30 * 86_400;
export const ATTEMPT_SECONDS = 600;

interface Keeping {
  readonly port: number;
  readonly place: Place;
}

/** The header that sets the session cookie. @param lastsSeconds how long it lasts; 0 removes the cookie. */
export function setCookie({ port, place }: Keeping, value: string, lastsSeconds = MAX_AGE_SECONDS): string {
  return `${nameOf(port, place)}=${value}; ${fieldsOf(place, lastsSeconds, "Strict")}`;
}

/** The header that sets the cookie of a provider's sign-in (SESSION-COOKIE-4). @param value "" removes the cookie. */
export function setAttemptCookie({ port, place }: Keeping, value: string): string {
  const lastsSeconds = value === "" ? 0 : ATTEMPT_SECONDS;
  return `${nameOf(port, place)}-attempt=${value}; ${fieldsOf(place, lastsSeconds, "Lax")}`;
}

function fieldsOf({ isSecure }: Place, lastsSeconds: number, sites: "Strict" | "Lax"): string {
  return `Path=/; Max-Age=${lastsSeconds}; HttpOnly; SameSite=${sites}${isSecure ? "; Secure" : ""}`;
}

/**
 * @returns the session cookie; undefined if there is none.
 * @throws RefusedError FORBIDDEN_ORIGIN if another site's page sent it, or for a changing request without Origin.
 */
export function cookieOf(
  { headers, method }: IncomingMessage,
  port: number,
  place: Place,
): string | undefined {
  const value = valueIn(headers.cookie, nameOf(port, place));
  if (value === undefined) return undefined;
  const from = headers["sec-fetch-site"];
  const isOwn = from === undefined || from === "same-origin" || from === "none";
  const isSafe = method === "GET" || method === "HEAD" || headers.origin !== undefined;
  if (isOwn && isSafe) return value;
  throw new RefusedError(
    "FORBIDDEN_ORIGIN",
    "The request does not come from the engine's own page.",
    "Use the page, or send a token in Authorization.",
    "Origin",
  );
}

// The second cookie, against which a sign-in by a provider is checked (SESSION-COOKIE-4).
export const attemptCookieOf = (
  { headers }: Pick<IncomingMessage, "headers">,
  port: number,
  place: Place,
): string | undefined => valueIn(headers.cookie, `${nameOf(port, place)}-attempt`);

function valueIn(cookies: string | undefined, name: string): string | undefined {
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
