// Found client
// Which version of the agent's client is on the PATH.
//
//   Owns:          asking it.
//   Does not own:  what a version knows (install).
//
// FOUND-CLIENT-1. No folder that a project's files decide is looked in: no relative one, and none where packages put their
//     programs, which `npx` names first.

import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { promisify } from "node:util";

const ASK_MAX_MS = 10_000;

/** @returns undefined where there is none, or it does not say. */
export async function clientVersion(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const options = { env: { ...env, PATH: ownPath(env["PATH"] ?? "") }, cwd: "/", timeout: ASK_MAX_MS };
    const { stdout } = await promisify(execFile)("claude", ["--version"], options);
    return /^\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** FOUND-CLIENT-1 */
const ownPath = (path: string): string =>
  path
    .split(delimiter)
    .filter((dir) => isAbsolute(dir) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(dir))
    .join(delimiter);
