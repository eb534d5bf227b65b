// Found client
// Which version of the agent's client is on the PATH.
//
//   Owns:          asking it.
//   Does not own:  what a version knows (install).

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ASK_MAX_MS = 10_000;

/** @returns undefined where there is none, or it does not say. */
export async function clientVersion(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    // Not from the project's folder: a PATH with a relative entry would lead into it.
    const options = { env, cwd: "/", timeout: ASK_MAX_MS };
    const { stdout } = await promisify(execFile)("claude", ["--version"], options);
    return /^\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}
