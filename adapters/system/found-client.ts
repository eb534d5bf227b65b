// Found client
// Which version of the agent's client is on the PATH.
//
//   Owns:          finding and asking it; why its version is not known.
//   Does not own:  which hooks a version knows (install), the output (cli).
//
// FOUND-CLIENT-1. No program in a folder that a project's files decide is asked: in no relative one, and in none where
//     packages put their programs, which `npx` names first.
// FOUND-CLIENT-2. "No client" is said only if there is none. A client that was not asked, or did not answer, is named.
// FOUND-CLIENT-3. One that does not answer in time is killed, whatever it does about signals. What it started is not
//     waited for.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import { promisify } from "node:util";

/** Older ones take seconds on a busy machine; taken for the newest, they would be given hooks that they do not know. */
const ASK_MAX_MS = 30_000;
/** What it wrote is there at its end. What it started may hold the pipe for as long as it likes. */
const LINGERS_MS = 500;
/** A line of it begins so; others may stand before it. */
const VERSION = /^(\d+\.\d+\.\d+)\b/m;

/** Its version; or the path of one that was not asked, or that did not say; or none of them. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface FindOptions {
  /** How long it may take to answer. Default 30,000. */
  readonly timeoutMs?: number;
  /** When it fires, the program is killed, and its version is not known. */
  readonly signal?: AbortSignal;
}

export async function findClient(env: NodeJS.ProcessEnv, asking: FindOptions = {}): Promise<FoundClient> {
  const dirs = (env["PATH"] ?? "").split(delimiter);
  const path = await firstIn(dirs.filter(isOwn));
  if (path === undefined) {
    const unasked = await firstIn(dirs.filter((dir) => !isOwn(dir)));
    return unasked === undefined ? "none" : { unasked };
  }
  try {
    const said = await ask(path, { ...env, PATH: dirs.filter(isOwn).join(delimiter) }, asking);
    const [, version] = VERSION.exec(said) ?? [];
    return version === undefined ? { silent: path } : { version };
  } catch {
    return { silent: path };
  }
}

/** FOUND-CLIENT-3 @throws an error where it does not answer, or not in order. */
async function ask(
  path: string,
  env: NodeJS.ProcessEnv,
  { timeoutMs = ASK_MAX_MS, signal }: FindOptions,
): Promise<string> {
  const options = { env, cwd: "/", timeout: timeoutMs, killSignal: "SIGKILL" } as const;
  const asked = promisify(execFile)(path, ["--version"], options);
  const { child } = asked;
  const letGo = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  let lingering: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    lingering = setTimeout(letGo, LINGERS_MS);
  });
  // The signal option of `execFile` would send SIGTERM.
  const end = (): void => {
    letGo();
    child.kill("SIGKILL");
  };
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end);
  try {
    return (await asked).stdout;
  } finally {
    clearTimeout(lingering);
    signal?.removeEventListener("abort", end);
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
