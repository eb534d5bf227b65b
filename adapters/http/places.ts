// Places
// The names under which the engine may be called, and the one origin that belongs to each.
//
//   Owns:          what a name may look like; what a browser says in Host and Origin for it.
//   Does not own:  the check (guard), who may come in (holders).
//
// PLACES-1. A name with a scheme is that of a proxy before the engine: it alone says whether a browser speaks https.
//     Nothing a proxy adds to a request (X-Forwarded-…, Forwarded) is believed.

export interface Place {
  /** What stands in Host: more than one way where the port may be left out. */
  readonly hosts: readonly string[];
  /** What stands in Origin for a page of this place, and before the path of its links. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** Reached through a proxy. */
  readonly isBehind: boolean;
}

const NEAR = ["127.0.0.1", "localhost", "[::1]"];
const HOST_NAME = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** True for a host, without port, or the whole origin of a proxy, such as `https://box.example`. */
export const isName = (name: string): boolean =>
  HOST_NAME.test(name) || (/^https?:\/\//.test(name) && URL.canParse(name) && new URL(name).origin === name);

/** @param names beside those of this machine. @param port where the engine listens. */
export function placesOf(names: readonly string[], port: number): readonly Place[] {
  return [...NEAR, ...names].map((name) =>
    name.includes("://") ? placeOf(name, true) : placeOf(`http://${name}:${port}`, false),
  );
}

function placeOf(url: string, isBehind: boolean): Place {
  const { origin, protocol, host, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  const hosts = port === "" ? [host, `${hostname}:${isSecure ? 443 : 80}`] : [host];
  return { hosts, origin, isSecure, isBehind };
}
