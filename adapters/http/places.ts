// Places
// A place is a name under which the engine may be reached, with the one origin that belongs to it.
//
//   Owns:          which names are valid; the Host and Origin that a browser sends for each name.
//   Does not own:  the check (guard), who may come in (holders), the panel's own name (panel-name).
//
// PLACES-1. A name that is configured with a scheme, such as `https://box.example`, belongs to a proxy in front of the engine.
//     Only this scheme says whether browsers use https; a header that the proxy adds does not count.
// PLACES-2. A token is accepted only over a connection that nobody in between can read: by https, at this machine's own names, or
//     over the socket.

import { withoutPanelName } from "./access/panel-name.ts";

export interface Place {
  /** The values of the Host header that mean this place: several if the port may be omitted. */
  readonly hosts: readonly string[];
  /** The Origin of a page of this place, and the start of its links. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** True if the place's name is that of a proxy in front of the engine (PLACES-1). */
  readonly isBehind: boolean;
  /** True if the place's name is one that every machine has, such as `localhost`, or a panel name. */
  readonly isNear: boolean;
  /** True if nobody can read a connection to this place on the way (PLACES-2). */
  readonly isPrivate: boolean;
  /** How a browser can sign in at this place: at plain loopback not at all (PANEL-NAME-2), at a panel name by a link's code. */
  readonly browsers: "nothing" | "code" | "code or token";
  /** True for the socket in the data folder. Whoever can open this socket counts as this machine's user. */
  readonly isSocket: boolean;
}

const HOST = "127.0.0.1";
const NEAR: readonly string[] = [HOST, "localhost", "[::1]"];
/** The Host headers that a caller over the socket may send: any of this machine's names, with any port. */
const NEAR_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const HOST_NAME = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** True for a host without a port, or for the whole origin of a proxy, such as `https://box.example`. */
export const isName = (name: string): boolean =>
  HOST_NAME.test(name) || (/^https?:\/\//.test(name) && URL.canParse(name) && new URL(name).origin === name);

/** @param names the engine's configured names, in addition to the names of this machine. */
export const placesOf = (names: readonly string[], port: number): readonly Place[] =>
  [...NEAR, ...names].map((name) =>
    name.includes("://") ? placeOf(name, true) : placeOf(`http://${name}:${port}`, false),
  );

/**
 * @param isPanel whether the host is a panel name that this start of the engine made. A page of an earlier start still uses the
 * panel name of that start, which counts like any other name of this machine.
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
