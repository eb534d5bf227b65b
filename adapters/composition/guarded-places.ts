// Guarded places
// The guarded places of an engine: its data folder under each path, its ports, its host names. No rule can allow a call that
// reaches one of them.
//
//   Owns:          collecting the guarded places when an engine starts.
//   Does not own:  how rules use the guarded places (machines/rules/guarded).
//
// GUARDED-PLACES-1. The data folder is guarded under the path that was given, and under its real path, if links lead to it. The
//     guarded ports are those of HTTP and of the private NATS server.

import { realpathSync } from "node:fs";
import type { Guarded } from "../../machines/index.ts";
import type { NatsSettings } from "../../runtime/engine-settings.ts";
import type { DataFolder } from "../data-folder/index.ts";
import type { HttpPlace } from "./http-side.ts";

interface Here {
  readonly folder?: Pick<DataFolder, "dir">;
  readonly http?: Pick<HttpPlace, "host" | "names">;
  readonly nats?: Pick<NatsSettings, "url" | "isPrivate">;
}

/** @param url where HTTP listens; undefined for an engine without HTTP. */
export function guardedPlaces({ folder, http, nats }: Here, url: string | undefined): Guarded {
  const ports = [...(url === undefined ? [] : [url]), ...(nats?.isPrivate ? nats.url.split(",") : [])].map(
    portOf,
  );
  return {
    folders: folder ? [...new Set([folder.dir, realPath(folder.dir)])] : [],
    ports: [...new Set(ports)].filter((port) => port > 0),
    names: [...(http?.names ?? []), ...(http?.host === undefined ? [] : [http.host])]
      .map(hostOf)
      .filter(isTelling),
  };
}

/** The port in an address; 0 if the address has none. */
const portOf = (address: string): number => Number(/:(\d+)(?:\/|$)/.exec(address)?.[1] ?? 0);

const hostOf = (name: string): string =>
  name.includes("://") && URL.canParse(name) ? new URL(name).hostname : name;

/** False for a wildcard or loopback address: every machine has it, so it does not identify an engine. */
const isTelling = (host: string): boolean => !/^(?:\[?::1?\]?|0\.0\.0\.0|127\..*|localhost)$/.test(host);

function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}
