// Guard
// Who may speak to the engine over HTTP, checked before anything is read.
//
//   Owns:          Host, Origin, the token, the headers of a body; what each answer says to a browser.
//   Does not own:  what a body says (runtime/door), what a token's holder may do.
//
// H3. Only a page of the engine's own origin, or no page at all: a Host or Origin that is not exactly one of those
//     allowed is refused, and no answer ever allows another origin (DNS rebinding, cross-site requests).
// H4. The token is compared in constant time, against all tokens, whatever it is.
// H5. A header that decides anything and comes twice is refused, not chosen from.

import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../runtime/errors.ts";

/** A token, and the name its holder decides under: `local:USER`, `http:NAME`. */
export interface Token {
  readonly name: string;
  readonly token: string;
}

const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "last-event-id",
  "origin",
  "signalbox-workspace",
  "transfer-encoding",
]);

/** @throws RefusedError DUPLICATE_HEADER, BAD_TARGET */
export function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (SINGLE.has(name) && seen.has(name)) throw duplicate(name);
    seen.add(name);
  }
  if (!url.startsWith("/")) throw badTarget();
}

/** @param hosts what may stand in Host, with the port. @throws RefusedError FORBIDDEN_HOST, FORBIDDEN_ORIGIN */
export function checkOrigin({ headers }: IncomingMessage, hosts: readonly string[]): void {
  const { host, origin } = headers;
  if (host === undefined || !hosts.includes(host)) throw forbiddenHost(hosts);
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) throw forbiddenOrigin();
}

/** Says whose a token is. @throws RefusedError UNAUTHENTICATED */
export type CheckToken = (given: string | undefined) => string;

/** @throws Error for an empty token, which would let everybody in. */
export function tokenCheck(tokens: readonly Token[]): CheckToken {
  if (tokens.some(({ token }) => token === ""))
    throw new Error("A token is empty. Give every token a value.");
  const known = tokens.map(({ name, token }) => ({ name, digest: digest(token) }));
  return (given = "") => {
    const offered = digest(given);
    let holder: string | undefined;
    for (const { name, digest } of known) if (timingSafeEqual(offered, digest)) holder = name;
    if (holder === undefined) throw unauthenticated();
    return holder;
  };
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? "")?.[1];
}

const JSON_TYPE = /^application\/json(; ?charset="?utf-8"?)?$/i;

/** @throws RefusedError NOT_JSON_TYPE for a body that is not declared as plain JSON. */
export function checkBodyHeaders({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (JSON_TYPE.test(headers["content-type"] ?? "") && encoding === "identity") return;
  throw new RefusedError(
    "NOT_JSON_TYPE",
    "The body is not declared as application/json, or it is compressed.",
    "Send Content-Type: application/json, and no Content-Encoding.",
    headers["content-type"] === undefined || encoding === "identity" ? "Content-Type" : "Content-Encoding",
  );
}

/** What every answer tells a browser: run nothing, keep nothing, show it nowhere else. */
export const ANSWER_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

const duplicate = (name: string): RefusedError =>
  new RefusedError("DUPLICATE_HEADER", `The header ${name} came twice.`, "Send it once.", name);

const badTarget = (): RefusedError =>
  new RefusedError("BAD_TARGET", "The request names a path, not a whole address.", "Send the path only.");

const forbiddenHost = (hosts: readonly string[]): RefusedError =>
  new RefusedError(
    "FORBIDDEN_HOST",
    "The Host header does not name this engine.",
    `Use one of ${hosts.join(", ")}.`,
    "Host",
  );

const forbiddenOrigin = (): RefusedError =>
  new RefusedError(
    "FORBIDDEN_ORIGIN",
    "The request comes from a page of another origin.",
    "Open the engine's own page, or send no Origin.",
    "Origin",
  );

const unauthenticated = (): RefusedError =>
  new RefusedError(
    "UNAUTHENTICATED",
    "The request has no token that is known here.",
    "Send Authorization: Bearer with the token of the engine's data folder.",
    "Authorization",
  );
