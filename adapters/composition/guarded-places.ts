// Guarded places
// Where this engine is: its folder under every name, its ports, the names by which others reach it.
//
//   Owns:          gathering them at a start.
//   Does not own:  what rules make of them (machines/rules/guarded).
//
// GUARDED-PLACES-1. The folder counts as it was named and as links lead to it; of ports, the one that HTTP took and the
//     private NATS server's.

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

/** 0 where none is named. */
const portOf = (address: string): number => Number(/:(\d+)(?:\/|$)/.exec(address)?.[1] ?? 0);

/** A host, or the host of an origin. */
const hostOf = (name: string): string =>
  name.includes("://") && URL.canParse(name) ? new URL(name).hostname : name;

/** What means every address, or this machine to everybody, names no engine. */
const isTelling = (host: string): boolean => !/^(?:\[?::1?\]?|0\.0\.0\.0|127\..*|localhost)$/.test(host);

function realPath(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}
