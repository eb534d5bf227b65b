// Binary
// Finds the nats-server program of this machine.
//
//   Owns:          where to look for the program, reading its version.
//   Does not own:  running the program (private-server.ts).
//
// BINARY-1. The first nats-server on the PATH that can be run is used. The `…/sbin` beside each `…/bin` on the PATH is searched,
//     too, because Debian installs nats-server in /usr/sbin, which is not on a user's PATH.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";

export interface Binary {
  readonly path: string;
  /** The server's version as it reports it, for example `2.9.10`. */
  readonly version: string;
}

/** @param path the value of PATH. @returns the first nats-server on the path that runs; undefined if there is none. */
export async function findNatsServer(path: string | undefined): Promise<Binary | undefined> {
  for (const folder of foldersOf(path ?? "")) {
    const file = join(folder, "nats-server");
    const version = (await isExecutable(file)) ? await versionOf(file) : undefined;
    if (version !== undefined) return { path: file, version };
  }
  return undefined;
}

/** The folders to search. A relative folder on the PATH is left out: the working folder may be anybody's, so nobody trusts it. */
function foldersOf(path: string): readonly string[] {
  const named = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const beside = named
    .filter((folder) => /[/\\]bin[/\\]*$/.test(folder))
    .map((folder) => join(folder, "..", "sbin"));
  return [...new Set([...named, ...beside])];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const VERSION_MS = 5_000;

/** @returns the version; undefined if the program does not run, for example because it was built for another machine. */
async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ["--version"], { timeout: VERSION_MS });
    return /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
