// Places
// The names under which the engine may be reached, and the one origin of each.
//
//   Owns:          which names are valid; the Host and Origin that a browser sends for each.
//   Does not own:  the check (guard), who may come in (holders), the panel's own name (panel-name).
//
// PLACES-1. A name with a scheme belongs to a proxy in front of the engine: the scheme alone decides whether browsers use https.
//     Headers that a proxy adds (X-Forwarded-…, Forwarded) are never trusted.
// PLACES-2. A token counts only over a connection that nobody in between can read: https, this machine's own names, the socket.

import { withoutPanelName } from "./access/panel-name.ts";

export interface Place {
  /** Valid values of Host: several if the port may be left out. */
  readonly hosts: readonly string[];
  /** The Origin of a page of this place, and the start of its links. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** True if the name belongs to a proxy in front of the engine (PLACES-1). */
  readonly isBehind: boolean;
  /** True for a name of this machine that nobody configured, such as the panel's. */
  readonly isNear: boolean;
  /** True if nobody between the caller and the engine can read the connection (PLACES-2). */
  readonly isPrivate: boolean;
  /** How a browser signs in here: not on plain loopback (PANEL-NAME-2), only with a link's code at the panel's name. */
  readonly browsers: "nothing" | "code" | "code or token";
  /** True for the socket in the data folder: whoever can open it is this machine's user. */
  readonly isSocket: boolean;
}

const HOST = "127.0.0.1";
const NEAR: readonly string[] = [HOST, "localhost", "[::1]"];
/** A caller by the socket may use any of this machine's names, with any port. */
const NEAR_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const HOST_NAME = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** True for a host without port, or the whole origin of a proxy, such as `https://box.example`. */
export const isName = (name: string): boolean =>
  HOST_NAME.test(name) || (/^https?:\/\//.test(name) && URL.canParse(name) && new URL(name).origin === name);

/** Lists the places of an engine. @param names the engine's names beside those of this machine. @param port the engine's. */
export const placesOf = (names: readonly string[], port: number): readonly Place[] =>
  [...NEAR, ...names].map((name) =>
    name.includes("://") ? placeOf(name, true) : placeOf(`http://${name}:${port}`, false),
  );

/**
 * Finds the place that a request over TCP was sent to.
 * @param isPanel whether the host is a user's panel name of this start. A page that an earlier start served still uses that
 * start's name, which then counts like any other name of this machine.
 */
export function placeByTcp(
  host: string,
  places: readonly Place[],
  isPanel: (name: string) => boolean,
): Place | undefined {
  const called = (name: string) => places.find(({ hosts }) => hosts.includes(name));
  const found = called(host);
  if (found) return found;
  const near = called(withoutPanelName(host, HOST) ?? "");
  if (!near) return undefined;
  const place = { ...near, hosts: [host], origin: `http://${host}` };
  return isPanel(new URL(place.origin).hostname) ? { ...place, browsers: "code" } : place;
}

/**
 * Finds the place that a request by the socket was sent to: a proxy's name, or this machine. @param places the places of TCP.
 */
export function placeBySocket(host: string, places: readonly Place[]): Place | undefined {
  const proxied = places.find(({ isBehind, hosts }) => isBehind && hosts.includes(host));
  if (proxied) return proxied;
  const [near] = places;
  return near && NEAR_HOST.test(host) ? { ...near, isSocket: true } : undefined;
}

function placeOf(url: string, isBehind: boolean): Place {
  const { origin, protocol, host, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  const hosts = port === "" ? [host, `${hostname}:${isSecure ? 443 : 80}`] : [host];
  const isHere = NEAR.includes(hostname);
  const isLoopback = isHere || hostname.endsWith(".localhost");
  return {
    hosts,
    origin,
    isSecure,
    isBehind,
    isNear: isHere && !isBehind,
    isPrivate: isSecure || isHere,
    browsers: isSecure || !isLoopback ? "code or token" : "nothing",
    isSocket: false,
  };
}
