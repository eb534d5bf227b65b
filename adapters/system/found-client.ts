// Found client
// Which version of the agent's client is on the PATH.
//
//   Owns:          finding and asking it; why its version is not known.
//   Does not own:  what a version knows (install), what is said of it (cli).
//
// FOUND-CLIENT-1. No program in a folder that a project's files decide is asked: in no relative one, and in none where packages
//     put their programs, which `npx` names first.
// FOUND-CLIENT-2. That there is none is said only where there is none: one that is not asked, or does not answer, is named.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import { promisify } from "node:util";

/** Older ones take seconds on a busy machine; taken for the newest, they would be given hooks that they do not know. */
const ASK_MAX_MS = 30_000;
/** A line of it begins so; others may stand before it. */
const VERSION = /^(\d+\.\d+\.\d+)\b/m;

/** Its version; or the path of one that was not asked, or that did not say; or none of them. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export async function findClient(env: NodeJS.ProcessEnv): Promise<FoundClient> {
  const dirs = (env["PATH"] ?? "").split(delimiter);
  const path = await firstIn(dirs.filter(isOwn));
  if (path === undefined) {
    const unasked = await firstIn(dirs.filter((dir) => !isOwn(dir)));
    return unasked === undefined ? "none" : { unasked };
  }
  try {
    const options = {
      env: { ...env, PATH: dirs.filter(isOwn).join(delimiter) },
      cwd: "/",
      timeout: ASK_MAX_MS,
    };
    const { stdout } = await promisify(execFile)(path, ["--version"], options);
    const [, version] = VERSION.exec(stdout) ?? [];
    return version === undefined ? { silent: path } : { version };
  } catch {
    return { silent: path };
  }
}

/** FOUND-CLIENT-1 */
const isOwn = (dir: string): boolean => isAbsolute(dir) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(dir);

/** @returns the program that a shell would take. */
async function firstIn(dirs: readonly string[]): Promise<string | undefined> {
  for (const dir of dirs) {
    const path = resolve(dir, "claude");
    if (await isProgram(path)) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
