// Guard
// Checks who may use the engine over HTTP, before any body is read.
//
//   Owns:          the checks of Host, Origin and a body's headers; what only this machine may use; headers for browsers in
//                  answers.
//   Does not own:  the engine's names (places), the tokens (holders), the content of a body (runtime/door).
//
// GUARD-1. Against DNS rebinding and cross-site requests, a request is refused unless its Host is exactly one of the allowed
//     ones, and its Origin, if it has one, belongs to that Host. No answer allows another origin to read it.
// GUARD-2. If a header on which a check depends occurs twice, the request is refused.
// GUARD-3. A request from another machine or through a proxy never counts as this machine's user, unless the sender proves it.
// GUARD-4. A token that is made for one route gives access to no other route, even through a proof, a cookie or a ticket made
//     from it.
// GUARD-5. A token, cookie or ticket gives no access if it came over a connection that others could read.

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

/** Refuses a request with a doubled header or a bad target (GUARD-2). @throws RefusedError DUPLICATE_HEADER, BAD_TARGET */
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
 * Checks a request's Host and Origin (GUARD-1).
 * @param bySocket whether the request came by the socket, which no page can use.
 * @param isPanel as in `placeByTcp`.
 * @returns where the request was sent to.
 * @throws RefusedError FORBIDDEN_HOST, FORBIDDEN_ORIGIN
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

/** Headers that a proxy adds. If a request has one of them, it came through a proxy; their values are not read. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Checks that this holder may send requests over the request's connection (GUARD-3, GUARD-5).
 * @param isProven whether the sender has proved that they have the data folder's line key.
 * @throws RefusedError NOT_NEAR if the holder may only come from this machine; NEEDS_TLS.
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

function checkPrivate(holder: Holder, place: Place): Holder {
  if (!place.isPrivate) throw needsTls(place);
  return holder;
}

/** Refuses a request whose token is valid for one other route only (GUARD-4). @throws RefusedError NOT_FOR_THIS */
export function checkOnly(holder: Holder, { url = "" }: IncomingMessage): Holder {
  if (holder.only === undefined || url.split("?", 1)[0] === holder.only) return holder;
  throw notForThis(holder.only);
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? "")?.[1];
}

const JSON_TYPE = /^application\/json(; ?charset="?utf-8"?)?$/i;

/**
 * @param isLogs true if a telemetry exporter sends the body: an error then says how to set the exporter.
 * @throws RefusedError NOT_JSON_TYPE unless the headers say that the body is JSON in UTF-8, not compressed.
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

/** Headers that forbid a browser to run, store or frame an answer. */
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
  new RefusedError(
    "BAD_TARGET",
    "The request's target is a whole address, not a path.",
    "Send the path only.",
  );

const forbiddenHost = (places: readonly Place[]): RefusedError =>
  new RefusedError(
    "FORBIDDEN_HOST",
    "The Host header does not name this engine.",
    `Use one of ${[...new Set(places.map(({ hosts: [host = ""] }) => host))].join(", ")}.`,
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
    `Others could read the token on the way to ${origin}, so the engine refuses the token there.`,
    "Reach the engine by https, through a proxy that ends TLS: `npx signalbox up --name https://HOST`; or through ssh -L (docs/how-to/away.md).",
    "Authorization",
  );

const notNear = (): RefusedError =>
  new RefusedError(
    "NOT_NEAR",
    "This token is valid on the engine's own machine only.",
    "Make a token of your own on the engine's machine: `npx signalbox token add NAME`.",
    "Authorization",
  );
