// Place
// The names of all files of a data folder, and where the folder is by default.
//
//   Owns:          the default folder, for which programs a variable may name another one, the names of the files in it.
//   Does not own:  the files' content, who may own them (ownership.ts), creating the folder (make.ts).
//
// PLACE-1. For a program that a client starts, no variable names the folder, because a project can set variables. If a variable
//     names another folder than the account's own, the program refuses it.

import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";

export interface DataFolder {
  readonly dir: string;
  /** The socket on which the running engine accepts this user's programs. */
  readonly socket: string;
  /** Which folder contains the socket, if it cannot be in the data folder. */
  readonly socketPlace: string;
  /** The key with which engine and programs prove themselves over TCP. */
  readonly lineKey: string;
  /** The bearer token of earlier versions, which others may know; it gives no access. */
  readonly formerToken: string;
  /** The token that earlier versions sent the client's telemetry with. */
  readonly formerTelemetry: string;
  /** The users' tokens, one file each. */
  readonly tokens: string;
  /** The secret that the identity provider gave this engine. */
  readonly oidcSecret: string;
  /** The list of users who sign in by the provider. */
  readonly people: string;
  /** Where the running engine listens over TCP. */
  readonly address: string;
  /** The store and the embedded journal, in a folder of their own. */
  readonly store: string;
  /** Large tool inputs, each a file named by its hash. */
  readonly blobs: string;
  /** The log of the audit rows, and the key that signs it. */
  readonly audit: string;
  readonly backups: string;
  /** The messages of hooks, a file each, until the engine takes them. */
  readonly spool: string;
  /** The hooks' programs, and copies of the client's earlier settings. */
  readonly hooks: string;
  /** What the folder must contain. */
  readonly record: string;
  /** How far transcripts were read. */
  readonly transcripts: string;
  /** How far the log of changes was sent as traces. */
  readonly traces: string;
  /** The clients whose processes are watched. */
  readonly clients: string;
  /** Which process keeps an engine running in the background. */
  readonly up: string;
  /** The page that leads a browser to its sign-in link. */
  readonly opener: string;
  /** The log file of the engine in the background. */
  readonly log: string;
  /** The operator's settings for every start. */
  readonly settings: string;
  /** The settings that the engine was started with. */
  readonly started: string;
  /** Which journal the store has read from. */
  readonly journal: string;
  /** The engine's seal key. */
  readonly key: string;
  /** The private NATS server: its configuration, port, key and store. */
  readonly nats: string;
  /** An earlier version's token for that server; the next start removes it. */
  readonly natsToken: string;
}

/**
 * The data folder for a command that a user types. @param dir undefined for `SIGNALBOX_DATA`, otherwise the platform's state
 * folder.
 * @throws RefusedError NO_FOLDER for an empty name, which would mean the working folder.
 */
export function dataFolder(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir === "") throw noFolder();
  const chosen = resolve(dir ?? (env["SIGNALBOX_DATA"] || platformFolder(homedir(), env)));
  const file = (name: string): string => join(chosen, name);
  return {
    dir: chosen,
    socket: file("engine.sock"),
    socketPlace: file("socket"),
    lineKey: file("line-key"),
    formerToken: file("token"),
    formerTelemetry: file("telemetry-before"),
    tokens: file("tokens"),
    oidcSecret: file("oidc-secret"),
    people: file("people.yaml"),
    address: file("address"),
    store: file("store"),
    blobs: file("blobs"),
    audit: file("audit"),
    backups: file("backups.json"),
    spool: file("spool"),
    hooks: file("hooks"),
    transcripts: file("transcripts.json"),
    traces: file("traces.json"),
    clients: file("clients.json"),
    up: file("up.json"),
    opener: file("open.html"),
    log: file("up.log"),
    settings: file("signalbox.config.yaml"),
    started: file("started.json"),
    record: file("folder.json"),
    journal: file("journal"),
    key: file("key"),
    nats: file("nats"),
    natsToken: file("nats-token"),
  };
}

/**
 * The data folder for a program that a client starts (PLACE-1).
 * @param dir the folder as the program's command line names it; undefined for the account's own.
 * @throws RefusedError NO_FOLDER; FOLDER_BY_VARIABLE if `env` names another; NO_HOME for an account without a home.
 */
export function dataFolderForClients(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir !== undefined) return dataFolder(dir, {});
  const own = dataFolder(platformFolder(homeOfAccount(), {}), {});
  const named = dataFolder(undefined, env);
  if (named.dir !== own.dir) throw byVariable(named.dir);
  return own;
}

/** @param env the variables that count. */
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
    "No variable names the data folder here, because a project can set it: use --data DIR.",
    `SIGNALBOX_DATA, XDG_STATE_HOME or HOME names ${dir}. If that is your engine's folder, add --data to the command that starts this program.`,
  );

const noFolder = (): RefusedError =>
  new RefusedError("NO_FOLDER", "The data folder's name is empty.", "Give --data a folder, or leave it out.");
