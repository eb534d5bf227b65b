// Session cookie
// How a browser that opened the printed link stays signed in: the page cannot send a header with every request.
//
//   Owns:          the cookie's name and value; what a request that carries one must say of where it comes from.
//   Does not own:  the token it stands for, Host and Origin (guard).
//
// SESSION-COOKIE-1. No script can read the cookie, no other site can send it, it is not the token itself, and where the
//     engine is called by https it is never sent without.
// SESSION-COOKIE-2. With a cookie alone nothing is changed for a request that does not name the engine's own origin:
//     pages of other ports on this machine are the same site to a browser.

import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../runtime/errors.ts";
import type { Place } from "./places.ts";

/** Cookies are shared by all ports of a host: the port is in the name. `__Host-`: no neighbouring name can set it. */
const nameOf = (port: number, { isSecure }: Place): string => `${isSecure ? "__Host-" : ""}signalbox-${port}`;

/** What a browser keeps in the token's place. */
export function cookieValue(token: string): string {
  return hash("sha256", `signalbox cookie\n${token}`, "base64url");
}

export function setCookie(port: number, place: Place, token: string): string {
  const secure = place.isSecure ? "; Secure" : "";
  return `${nameOf(port, place)}=${cookieValue(token)}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** @returns the cookie's value; undefined where there is none. @throws RefusedError for a request it must not carry. */
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
