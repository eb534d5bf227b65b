// Found client
// Finds the version of the agent's client on the PATH.
//
//   Owns:          finding the client and asking for its version; why the version is not known.
//   Does not own:  which hooks a version knows (install), the output (cli).
//
// FOUND-CLIENT-1. No program in a folder that a project controls is run: in no relative folder, and in no folder where packages
//     put their programs, which `npx` puts first.
// FOUND-CLIENT-2. "No client" is reported only if there is none. A client that was not run, or did not answer, is named.
// FOUND-CLIENT-3. A client that does not answer in time is killed, whatever it does about signals. Nobody waits for processes
//     that it started.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import { promisify } from "node:util";

/** Older clients take seconds on a busy machine. If they counted as the newest, they would get hooks that they do not know. */
const ASK_MAX_MS = 30_000;
/** The client's output is complete at its end, but processes that it started may keep the pipe open. */
const LINGERS_MS = 500;
/** Finds the version: a line begins with it, and other lines may come before that line. */
const VERSION = /^(\d+\.\d+\.\d+)\b/m;

/** The client's version; or the path of a client whose version is not known; or neither. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface FindOptions {
  /** How long the client may take to answer. Default 30,000. */
  readonly timeoutMs?: number;
  /** When it is aborted, the program is killed, and its version is not known. */
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

/** Asks the client for its version (FOUND-CLIENT-3). @throws an error if the client does not answer, or fails. */
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
  // The process is killed by hand: the `signal` option of `execFile` would only send SIGTERM.
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

/** False for a folder that a project may control: nothing in it is run (FOUND-CLIENT-1). */
const isOwn = (dir: string): boolean => isAbsolute(dir) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(dir);

/** @returns the program that a shell would run. */
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
