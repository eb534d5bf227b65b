// Session cookie
// The cookie that keeps a browser signed in, because a page cannot send a header with every request.
//
//   Owns:          the cookie's name, how long a browser keeps it; the origin that a request with the cookie must name.
//   Does not own:  the cookie's value and its user (browsers), Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, and it does not contain the token. If the engine is
//     reached by https, the cookie is never sent without https.
// SESSION-COOKIE-2. A request that is identified only by a cookie changes nothing unless it names the engine's own origin: to a
//     browser, pages of other ports of one host are the same site.
// SESSION-COOKIE-3. A cookie is valid only until the engine's next start and while its token is valid: a browser sends it to
//     every program on the same host and port, and after the engine's end that may be another program (PANEL-NAME-2).
// SESSION-COOKIE-4. A sign-in by a provider is checked against a second cookie. It is valid for ten minutes, gives no access, and
//     is also sent when the provider redirects the browser back.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Place } from "../places.ts";

/**
 * The cookie's name has the port in it, as all ports of a host share cookies. `__Host-` keeps other hosts from setting the
 * cookie.
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

/** @returns the session cookie; undefined if there is none. @throws RefusedError if the request must not carry a cookie. */
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

// SESSION-COOKIE-4.
export const attemptCookieOf = (
  { headers }: Pick<IncomingMessage, "headers">,
  port: number,
  place: Place,
): string | undefined => valueIn(headers.cookie, `${nameOf(port, place)}-attempt`);

function valueIn(cookies: string | undefined, name: string): string | undefined {
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
