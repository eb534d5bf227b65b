// Place
// Where an engine keeps its data by default.
//
//   Owns:          the default folder, whose variables may name another, the names inside it.
//   Does not own:  the files' content, who may own them (ownership.ts), creating the folder (make.ts).
//
// PLACE-1. For a program that a client starts no variable names the folder: a project can set them. Where one names
//     another than the account's own, that is refused.

import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";

/** Every file of a data folder. */
export interface DataFolder {
  readonly dir: string;
  /** Where the running engine takes in this user's programs. */
  readonly socket: string;
  /** Which folder that socket is in, where it cannot be in this one. */
  readonly socketPlace: string;
  /** The key by which engine and programs show themselves over TCP. */
  readonly lineKey: string;
  /** The bearer token of earlier versions: it may be known to others, and opens nothing. */
  readonly formerToken: string;
  /** What the client's telemetry was sent with then. */
  readonly formerTelemetry: string;
  /** The tokens of people, one file each. */
  readonly tokens: string;
  /** The secret that the identity provider gave this engine. */
  readonly oidcSecret: string;
  /** The list of people who sign in by it. */
  readonly people: string;
  /** Where the running engine listens over TCP. */
  readonly address: string;
  /** The store and the embedded journal, in a folder of their own. */
  readonly store: string;
  /** Large tool inputs, each a file named by its hash. */
  readonly blobs: string;
  /** The log over the audit rows, and the key that signs it. */
  readonly audit: string;
  /** Which backups were made. */
  readonly backups: string;
  /** What hooks leave behind, a file each, until the engine takes it. */
  readonly spool: string;
  /** The hooks' programs, and copies of the client's settings as they were. */
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
  /** What that engine has to say. */
  readonly log: string;
  /** What an operator has written for every start. */
  readonly settings: string;
  /** What the engine was started with. */
  readonly started: string;
  /** Which journal the store has read from. */
  readonly journal: string;
  /** The engine's seal key. */
  readonly key: string;
  /** The private NATS server: its configuration, port, key and store. */
  readonly nats: string;
  /** What an earlier version let in at that server; taken away at the next start. */
  readonly natsToken: string;
}

/**
 * The data folder for what a person types.
 * @param dir the folder; undefined for `SIGNALBOX_DATA`, else the platform's state folder.
 * @throws RefusedError NO_FOLDER for an empty name: it would mean the working folder.
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
 * @throws RefusedError NO_FOLDER; FOLDER_BY_VARIABLE where `env` names another; NO_HOME for an account without a home.
 */
export function dataFolderForClients(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir !== undefined) return dataFolder(dir, {});
  const own = dataFolder(platformFolder(homeOfAccount(), {}), {});
  const named = dataFolder(undefined, env);
  if (named.dir !== own.dir) throw byVariable(named.dir);
  return own;
}

/** @param env as far as its variables may count. */
function platformFolder(home: string, env: NodeJS.ProcessEnv): string {
  const { platform } = process;
  if (platform === "darwin") return join(home, "Library", "Application Support", "signalbox");
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "signalbox", "Data");
  if (platform === "linux") return join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "signalbox");
  return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "signalbox");
}

/** The home folder in the system's list of accounts. */
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
    "No variable names the data folder here, where a project can set it: say --data DIR.",
    `SIGNALBOX_DATA, XDG_STATE_HOME or HOME names ${dir}. If that is your engine's folder, say so where this program is started.`,
  );

const noFolder = (): RefusedError =>
  new RefusedError("NO_FOLDER", "The data folder's name is empty.", "Give --data a folder, or leave it out.");
