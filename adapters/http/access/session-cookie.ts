// Session cookie
// Keeps a browser signed in that opened the printed link: a page cannot send a header with every request.
//
//   Owns:          the cookie's name, how long a browser keeps it; the origin that a request with the cookie must name.
//   Does not own:  its value and whom it stands for (browsers), Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, it is not the token itself, and if the
//     engine is reached by https, the cookie is never sent without https.
// SESSION-COOKIE-2. With only a cookie, a request changes nothing unless it names the engine's own origin: to a
//     browser, pages of other ports of one host are the same site.
// SESSION-COOKIE-3. A cookie counts for one start of the engine only. A browser sends it to every program on the same
//     host and port, and after the engine's end that may be another program; so on this machine each start has a host
//     name of its own (PANEL-NAME-2). When its token is removed, a cookie counts no more.
// SESSION-COOKIE-4. What a sign-in by a provider is checked against is a cookie beside it, of ten minutes, which a
//     browser also sends when the provider leads it back. It opens nothing.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Place } from "../places.ts";

/** All ports of a host share cookies: the name contains the port. `__Host-`: no neighbouring name can set it. */
const nameOf = (port: number, { isSecure }: Place): string => `${isSecure ? "__Host-" : ""}signalbox-${port}`;

/** A browser keeps it so long, also when it is closed, while the engine runs. */
const MAX_AGE_SECONDS = 30 * 86_400;
export const ATTEMPT_SECONDS = 600;

interface Keeping {
  readonly port: number;
  readonly place: Place;
}

/** @param lastsSeconds 0 takes the cookie away. */
export function setCookie({ port, place }: Keeping, value: string, lastsSeconds = MAX_AGE_SECONDS): string {
  return `${nameOf(port, place)}=${value}; ${fieldsOf(place, lastsSeconds, "Strict")}`;
}

/** SESSION-COOKIE-4. @param value "" takes it away. */
export function setAttemptCookie({ port, place }: Keeping, value: string): string {
  const lastsSeconds = value === "" ? 0 : ATTEMPT_SECONDS;
  return `${nameOf(port, place)}-attempt=${value}; ${fieldsOf(place, lastsSeconds, "Lax")}`;
}

function fieldsOf({ isSecure }: Place, lastsSeconds: number, sites: "Strict" | "Lax"): string {
  return `Path=/; Max-Age=${lastsSeconds}; HttpOnly; SameSite=${sites}${isSecure ? "; Secure" : ""}`;
}

/** @returns the cookie's value; undefined when there is none. @throws RefusedError if the request must not carry it. */
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

/** @returns the value of the cookie of SESSION-COOKIE-4; undefined when there is none. */
export const attemptCookieOf = (
  { headers }: Pick<IncomingMessage, "headers">,
  port: number,
  place: Place,
): string | undefined => valueIn(headers.cookie, `${nameOf(port, place)}-attempt`);

function valueIn(cookies: string | undefined, name: string): string | undefined {
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
