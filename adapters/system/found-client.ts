// Found client
// Finds the client `claude` on the PATH, and its version.
//
//   Owns:          finding the client and asking for its version; the reason if the version is not known.
//   Does not own:  which hooks a version knows (install), the output (cli).
//
// FOUND-CLIENT-1. No program is run from a folder that a project may control: a relative folder of the PATH, or a
//     `node_modules/.bin`, into which packages put programs.
// FOUND-CLIENT-2. "No client" is reported only if the PATH has no client. If a client was found but not run, or did not answer,
//     the report names it.
// FOUND-CLIENT-3. A client that does not answer in time is killed, even if it ignores signals; nobody waits for its children.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import { promisify } from "node:util";

/**
 * How long the client may take to tell its version, ms: older clients take seconds. It is worth waiting, because a client of
 * unknown version may get hooks that it does not know.
 */
const ASK_MAX_MS = 30_000;
/** How long the pipe is read after the client's end, ms: processes that the client started may keep it open. */
const LINGERS_MS = 500;
/** Finds the version at the beginning of a line; other lines may come before. */
const VERSION = /^(\d+\.\d+\.\d+)\b/m;

/** The client's version, the path of a client that was not run (`unasked`) or told no version (`silent`), or no client. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface FindOptions {
  /** How long the client may take to answer, ms. Default 30,000. */
  readonly timeoutMs?: number;
  /** If the signal is aborted, the client is killed, and its version is not known. */
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

/** What the client prints for `--version` (FOUND-CLIENT-3). @throws an error if the client does not answer, or fails. */
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
  // The process is killed here, because the `signal` option of `execFile` would only send SIGTERM.
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

/** True for a folder that no project controls, so that programs in it may be run (FOUND-CLIENT-1). */
const isOwn = (dir: string): boolean => isAbsolute(dir) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(dir);

/** @returns the path of the client that a shell would run; undefined if there is none. */
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
