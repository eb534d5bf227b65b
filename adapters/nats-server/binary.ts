// Binary
// The nats-server this machine has.
//
//   Owns:          where it is looked for, reading its version.
//   Does not own:  running it (private-server.ts).
//
// BINARY-1. It is the first on the PATH that runs. Debian puts it into /usr/sbin, which a user's PATH leaves out: so the
//     `…/sbin` beside each `…/bin` of the PATH is looked into as well.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";

export interface Binary {
  readonly path: string;
  /** As it says itself, such as `2.9.10`. */
  readonly version: string;
}

/** @param path as PATH has it. @returns the first one there that runs; undefined when there is none. */
export async function findNatsServer(path: string | undefined): Promise<Binary | undefined> {
  for (const folder of foldersOf(path ?? "")) {
    const file = join(folder, "nats-server");
    const version = (await isExecutable(file)) ? await versionOf(file) : undefined;
    if (version !== undefined) return { path: file, version };
  }
  return undefined;
}

/** A folder named relative to where the program happens to run is not trusted. */
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

/** One that does not run, being for another machine perhaps, is as good as none. */
async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ["--version"], { timeout: VERSION_MS });
    return /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
