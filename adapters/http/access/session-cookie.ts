// Session cookie
// Keeps a browser signed in that opened the printed link: a page cannot send a header with every request.
//
//   Owns:          the cookie's name and value; the origin that a request with the cookie must name.
//   Does not own:  the token it stands for, Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, it is not the token itself, and if the
//     engine is reached by https, the cookie is never sent without https.
// SESSION-COOKIE-2. With only a cookie, a request changes nothing unless it names the engine's own origin: to a
//     browser, pages of other ports on this machine are the same site.
// SESSION-COOKIE-3. A browser keeps it for thirty days from signing in, also when it is closed; when the token is removed
//     it counts no more, whatever a browser keeps.

import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors.ts";
import type { Place } from "../places.ts";

/** All ports of a host share cookies: the name contains the port. `__Host-`: no neighbouring name can set it. */
const nameOf = (port: number, { isSecure }: Place): string => `${isSecure ? "__Host-" : ""}signalbox-${port}`;

/** How long a browser stays signed in; not longer for being used. */
export const SIGNED_IN_DAYS = 30;
const MAX_AGE_SECONDS = SIGNED_IN_DAYS * 86_400;

/** The value a browser keeps instead of the token. */
export function cookieValue(token: string): string {
  return hash("sha256", `signalbox cookie\n${token}`, "base64url");
}

export function setCookie(port: number, place: Place, token: string): string {
  const secure = place.isSecure ? "; Secure" : "";
  return `${nameOf(port, place)}=${cookieValue(token)}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** @returns the cookie's value; undefined when there is none. @throws RefusedError if the request must not carry it. */
export function cookieOf(
  { headers, method }: IncomingMessage,
  port: number,
  place: Place,
): string | undefined {
  const prefix = `${nameOf(port, place)}=`;
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  if (value === undefined) return undefined;
  const from = headers["sec-fetch-site"];
  const isOwn = from === undefined || from === "same-origin" || from === "none";
  const isSafe = method === "GET" || method === "HEAD" || headers.origin !== undefined;
  if (isOwn && isSafe) return value;
  throw new RefusedError(
    "FORBIDDEN_ORIGIN",
    "The request does not come from the engine's own page.",
    "Use the page, or send the token in Authorization.",
    "Origin",
  );
}
