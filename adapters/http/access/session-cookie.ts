// Session cookie
// Keeps a browser signed in that opened the printed link: a page cannot send a header with every request.
//
//   Owns:          the cookie's name; the origin that a request with the cookie must name.
//   Does not own:  its value and whom it stands for (holders), Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, it is not the token itself, and if the
//     engine is reached by https, the cookie is never sent without https.
// SESSION-COOKIE-2. With only a cookie, a request changes nothing unless it names the engine's own origin: to a
//     browser, pages of other ports of one host are the same site.
// SESSION-COOKIE-3. It counts for one start of the engine: a browser sends it to whoever has the port, who may be another
//     program by then; and to each port of its host, so that on this machine that host is one start's
//     (PANEL-NAME-2). When the token is removed it counts no more, whatever a browser keeps.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Place } from "../places.ts";

/** All ports of a host share cookies: the name contains the port. `__Host-`: no neighbouring name can set it. */
const nameOf = (port: number, { isSecure }: Place): string => `${isSecure ? "__Host-" : ""}signalbox-${port}`;

/** A browser keeps it so long, also when it is closed, while the engine runs. */
const MAX_AGE_SECONDS = 30 * 86_400;

export function setCookie(port: number, place: Place, value: string): string {
  const secure = place.isSecure ? "; Secure" : "";
  return `${nameOf(port, place)}=${value}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
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
    "Use the page, or send a token in Authorization.",
    "Origin",
  );
}
