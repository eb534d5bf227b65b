// Place
// Where an engine keeps its data, when nobody says otherwise.
//
//   Owns:          the default folder, the folder's mode, the names inside it.
//   Does not own:  what stands in the files.

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import envPaths from "env-paths";

/** Every file of a data folder. */
export interface DataFolder {
  readonly dir: string;
  /** The bearer token of the HTTP door. */
  readonly token: string;
  /** The tokens of people, a file each. */
  readonly tokens: string;
  /** Where the running engine can be reached. */
  readonly address: string;
  /** The store and the embedded journal; a folder of its own. */
  readonly store: string;
  /** Large tool inputs, each a file named by its hash. */
  readonly blobs: string;
  /** Which journal the store has read from. */
  readonly journal: string;
  /** The engine's seal key. */
  readonly key: string;
  /** The private NATS server: its configuration, port and store. */
  readonly nats: string;
  /** The token of the private NATS server. */
  readonly natsToken: string;
}

/** @param dir the folder; undefined for `SIGNALBOX_DATA`, else the platform's state folder. */
export function dataFolder(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  const chosen = resolve(dir ?? (env["SIGNALBOX_DATA"] || platformFolder()));
  const file = (name: string): string => join(chosen, name);
  return {
    dir: chosen,
    token: file("token"),
    tokens: file("tokens"),
    address: file("address"),
    store: file("store"),
    blobs: file("blobs"),
    journal: file("journal"),
    key: file("key"),
    nats: file("nats"),
    natsToken: file("nats-token"),
  };
}

/** env-paths calls the XDG state folder `log`; the other platforms have one place for all data. */
function platformFolder(): string {
  const paths = envPaths("signalbox", { suffix: "" });
  return process.platform === "linux" ? paths.log : paths.data;
}

/** Makes the folder, readable by its user only; one that is there keeps its mode. */
export async function makeFolder({ dir }: DataFolder): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
}
