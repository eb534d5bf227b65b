// Guard
// Checks who may use the engine over HTTP, before anything of a request is read.
//
//   Owns:          Host, Origin, the headers of a body, what only this machine may use; the headers for browsers in each answer.
//   Does not own:  under which names the engine can be reached (places), the tokens (holders), the content of a body
//                  (runtime/door).
//
// GUARD-1. Only the engine's own page gets in, or a client that is not a page. A request is refused if its Host is not exactly an
//     allowed one, or its Origin is not that Host's. No answer ever allows another origin (DNS rebinding, cross-site requests).
// GUARD-2. If a header that decides anything comes twice, the request is refused; neither value is chosen.
// GUARD-3. A request from another machine or through a proxy never counts as this machine's user, unless the sender proves it.
// GUARD-4. A token for one route counts for no other route, also if a proof, a cookie or a ticket stands for the token.
// GUARD-5. A token, cookie or ticket that came over a connection which others could read gives no access.

import type { IncomingMessage } from "node:http";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { isLoopback } from "../../../runtime/line/handshake.ts";
import type { Holder } from "./holders.ts";
import { type Place, placeBySocket, placeByTcp } from "../places.ts";

const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "last-event-id",
  "origin",
  "signalbox-for",
  "signalbox-workspace",
  "signalbox-proof",
  "transfer-encoding",
]);

/** Refuses a request with a repeated header that decides anything (GUARD-2). @throws RefusedError DUPLICATE_HEADER, BAD_TARGET */
export function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (SINGLE.has(name) && seen.has(name)) throw duplicate(name);
    seen.add(name);
  }
  if (!url.startsWith("/")) throw badTarget();
}

/**
 * Checks Host and Origin of a request (GUARD-1).
 * @param bySocket whether the request came by the socket, which no page can use. @param isPanel as in `placeByTcp`.
 * @returns where the request was sent to. @throws RefusedError FORBIDDEN_HOST, FORBIDDEN_ORIGIN
 */
export function checkOrigin(
  { headers }: IncomingMessage,
  places: readonly Place[],
  bySocket: boolean,
  isPanel: (name: string) => boolean,
): Place {
  const { host = "", origin } = headers;
  const place = bySocket ? placeBySocket(host, places) : placeByTcp(host, places, isPanel);
  if (!place) throw forbiddenHost(places);
  if (origin !== undefined && (place.isSocket || origin !== place.origin)) throw forbiddenOrigin();
  return place;
}

/** Headers that a proxy adds. Only their presence counts; their values are not read. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Checks that the holder may come in over this connection (GUARD-3, GUARD-5).
 * @param isProven whether the sender has proved that they have the data folder's line key.
 * @returns the holder. @throws RefusedError NOT_NEAR if the holder counts on this machine only; NEEDS_TLS.
 */
export function checkNear(
  holder: Holder,
  { socket, headers }: IncomingMessage,
  place: Place,
  isProven = false,
): Holder {
  if (!holder.isNearOnly) return checkPrivate(holder, place);
  const { remoteAddress = "", localAddress } = socket;
  const isFromHere =
    isProven || place.isSocket || isLoopback(remoteAddress) || remoteAddress === localAddress;
  const isForwarded = place.isBehind || FORWARDED.some((name) => headers[name] !== undefined);
  if (!isFromHere || isForwarded) throw notNear();
  return holder;
}

/** Refuses a holder over a connection that others could read (GUARD-5). */
function checkPrivate(holder: Holder, place: Place): Holder {
  if (!place.isPrivate) throw needsTls(place);
  return holder;
}

/** Checks that the holder's token counts for this route (GUARD-4). @returns the holder. @throws RefusedError NOT_FOR_THIS */
export function checkOnly(holder: Holder, { url = "" }: IncomingMessage): Holder {
  if (holder.only === undefined || url.split("?", 1)[0] === holder.only) return holder;
  throw notForThis(holder.only);
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? "")?.[1];
}

const JSON_TYPE = /^application\/json(; ?charset="?utf-8"?)?$/i;

/**
 * Checks that a body is declared as plain JSON.
 * @param isLogs whether the sender is a telemetry exporter. The message then names the exporter's setting.
 * @throws RefusedError NOT_JSON_TYPE
 */
export function checkBodyHeaders({ headers }: IncomingMessage, isLogs = false): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (JSON_TYPE.test(headers["content-type"] ?? "") && encoding === "identity") return;
  throw new RefusedError(
    "NOT_JSON_TYPE",
    "The body is not declared as application/json, or it is compressed.",
    isLogs
      ? "Set OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/json, and no compression; `npx signalbox install --telemetry` does."
      : "Send Content-Type: application/json, and no Content-Encoding.",
    headers["content-type"] === undefined || encoding === "identity" ? "Content-Type" : "Content-Encoding",
  );
}

/** These headers forbid a browser to run, store or frame an answer. */
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

const forbiddenHost = (places: readonly Place[]): RefusedError =>
  new RefusedError(
    "FORBIDDEN_HOST",
    "The Host header does not name this engine.",
    `Use one of ${places.map(({ hosts: [host = ""] }) => host).join(", ")}.`,
    "Host",
  );

const forbiddenOrigin = (): RefusedError =>
  new RefusedError(
    "FORBIDDEN_ORIGIN",
    "The request comes from a page of another origin.",
    "Open the engine's own page, or send no header Origin.",
    "Origin",
  );

const notForThis = (route: string): RefusedError =>
  new RefusedError(
    "NOT_FOR_THIS",
    `This token is valid for ${route} only.`,
    "Send a token of your own: `npx signalbox token add NAME`.",
    "Authorization",
  );

const needsTls = ({ origin }: Place): RefusedError =>
  new RefusedError(
    "NEEDS_TLS",
    `Others could read the token on the way to ${origin}, so the engine refuses it there.`,
    "Reach the engine by https, through a proxy that ends TLS: `npx signalbox up --name https://HOST`; or through ssh -L (docs/how-to/away.md).",
    "Authorization",
  );

const notNear = (): RefusedError =>
  new RefusedError(
    "NOT_NEAR",
    "This token counts on the engine's own machine only.",
    "On the engine's machine, have a token of your own made: `npx signalbox token add NAME`.",
    "Authorization",
  );
