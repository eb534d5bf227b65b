// Place
// The names of all files of a data folder, and where the folder is by default.
//
//   Owns:          the default folder, for which programs a variable may name another folder, the names of the folder's files.
//   Does not own:  the files' content, who may own them (ownership.ts), creating the folder (make.ts).
//
// PLACE-1. For a program that a client starts, no environment variable chooses the folder, because a project can set variables.
//     If a variable names another folder than the account's default folder, such a program refuses to run.

import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";

const NAMES = {
  /** The socket on which the running engine accepts this user's programs. */
  socket: "engine.sock",
  /** The file that names the socket's folder, if the socket cannot be in the data folder. */
  socketPlace: "socket",
  /** The key with which engine and programs prove themselves over TCP. */
  lineKey: "line-key",
  /** The bearer token of earlier versions, which others may know; it gives no access. */
  formerToken: "token",
  /** The token with which the client sent its telemetry in earlier versions. */
  formerTelemetry: "telemetry-before",
  /** The folder with the users' tokens, one file for each token. */
  tokens: "tokens",
  /** The secret that the identity provider gave this engine. */
  oidcSecret: "oidc-secret",
  /** The list of users who may sign in by the identity provider. */
  people: "people.yaml",
  /** The file with the address at which the running engine listens over TCP. */
  address: "address",
  /** The store and the embedded journal, in a folder of their own. */
  store: "store",
  /** Large tool inputs, each in a file named by the input's hash. */
  blobs: "blobs",
  /** The log of the audit rows, and the key that signs it. */
  audit: "audit",
  backups: "backups.json",
  /** The messages of hooks, one file for each message, until the engine has read them. */
  spool: "spool",
  /** The hooks' programs, and copies of the client's earlier settings. */
  hooks: "hooks",
  /** The file that lists what the data folder must contain. */
  record: "folder.json",
  /** The file that says how far each transcript was read. */
  transcripts: "transcripts.json",
  /** The file that says up to where the change log was sent as traces. */
  traces: "traces.json",
  /** The file with the clients whose processes the engine watches. */
  clients: "clients.json",
  /** The file that says which process keeps an engine running in the background. */
  up: "up.json",
  /** The page that leads a browser to its sign-in link. */
  opener: "open.html",
  /** The log file of the engine in the background. */
  log: "up.log",
  /** The file with the operator's settings for every start of the engine. */
  settings: "signalbox.config.yaml",
  /** The settings with which the engine was started. */
  started: "started.json",
  /** The file that says from which journal the store has read. */
  journal: "journal",
  /** The engine's seal key. */
  key: "key",
  /** The private NATS server: its configuration, port, key and store. */
  nats: "nats",
  /** The private NATS server's token of an earlier version; the next start removes this file. */
  natsToken: "nats-token",
} as const;

/** The path of the data folder, and of each file or folder in it. */
export type DataFolder = { readonly dir: string } & { readonly [K in keyof typeof NAMES]: string };

/**
 * The data folder for a command that a user types.
 * @param dir the folder that the user names; undefined for the folder that `SIGNALBOX_DATA` names, or without this variable, the
 * platform's.
 * @throws RefusedError NO_FOLDER for an empty name, which would mean the working folder.
 */
export function dataFolder(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir === "") throw noFolder();
  const chosen = resolve(dir ?? (env["SIGNALBOX_DATA"] || platformFolder(homedir(), env)));
  const paths = Object.entries(NAMES).map(([key, name]) => [key, join(chosen, name)] as const);
  // The cast is safe: the keys are those of NAMES.
  return { dir: chosen, ...(Object.fromEntries(paths) as Record<keyof typeof NAMES, string>) };
}

/**
 * The data folder for a program that a client starts (PLACE-1).
 * @param dir the folder that the program's command line names; undefined for the account's own folder.
 * @throws RefusedError NO_FOLDER; FOLDER_BY_VARIABLE if `env` names another; NO_HOME for an account without a home.
 */
export function dataFolderForClients(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir !== undefined) return dataFolder(dir, {});
  const own = dataFolder(platformFolder(homeOfAccount(), {}), {});
  const named = dataFolder(undefined, env);
  if (named.dir !== own.dir) throw byVariable(named.dir);
  return own;
}

/** @param env the environment variables that may change the folder. */
function platformFolder(home: string, env: NodeJS.ProcessEnv): string {
  const { platform } = process;
  if (platform === "darwin") return join(home, "Library", "Application Support", "signalbox");
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "signalbox", "Data");
  if (platform === "linux") return join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "signalbox");
  return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "signalbox");
}

function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch {
    throw new RefusedError(
      "NO_HOME",
      "The system knows no home folder for this account.",
      "Name the engine's data folder: --data DIR.",
    );
  }
}

const byVariable = (dir: string): RefusedError =>
  new RefusedError(
    "FOLDER_BY_VARIABLE",
    "Variables cannot choose the data folder here, because a project can set them: use --data DIR.",
    `SIGNALBOX_DATA, XDG_STATE_HOME or HOME names ${dir}. If that is your engine's folder, add --data with this folder to the command that starts this program. If not, remove the variable.`,
  );

const noFolder = (): RefusedError =>
  new RefusedError("NO_FOLDER", "The data folder's name is empty.", "Give --data a folder, or leave it out.");
