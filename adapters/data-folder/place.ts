// Place
// Where an engine keeps its data by default.
//
//   Owns:          the default folder, the names inside it.
//   Does not own:  the files' content, who may own them (ownership.ts), creating the folder (make.ts).

import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { RefusedError } from "../../runtime/errors.ts";

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
  /** Where the running engine listens over TCP. */
  readonly address: string;
  /** The store and the embedded journal, in a folder of their own. */
  readonly store: string;
  /** Large tool inputs, each a file named by its hash. */
  readonly blobs: string;
  /** What hooks leave behind, a file each, until the engine takes it. */
  readonly spool: string;
  /** The hooks' programs, and copies of the client's settings as they were. */
  readonly hooks: string;
  /** What the folder must contain. */
  readonly record: string;
  /** How far transcripts were read. */
  readonly transcripts: string;
  /** The clients whose processes are watched. */
  readonly clients: string;
  /** Which process keeps an engine running in the background. */
  readonly up: string;
  /** What that engine has to say. */
  readonly log: string;
  /** Which journal the store has read from. */
  readonly journal: string;
  /** The engine's seal key. */
  readonly key: string;
  /** The private NATS server: its configuration, port and store. */
  readonly nats: string;
  /** The token of the private NATS server. */
  readonly natsToken: string;
}

/**
 * @param dir the folder; undefined for `SIGNALBOX_DATA`, else the platform's state folder.
 * @throws RefusedError NO_FOLDER for an empty name: it would mean the working folder.
 */
export function dataFolder(dir: string | undefined, env: NodeJS.ProcessEnv): DataFolder {
  if (dir === "") throw noFolder();
  const chosen = resolve(dir ?? (env["SIGNALBOX_DATA"] || platformFolder()));
  const file = (name: string): string => join(chosen, name);
  return {
    dir: chosen,
    socket: file("engine.sock"),
    socketPlace: file("socket"),
    lineKey: file("line-key"),
    formerToken: file("token"),
    formerTelemetry: file("telemetry-before"),
    tokens: file("tokens"),
    address: file("address"),
    store: file("store"),
    blobs: file("blobs"),
    spool: file("spool"),
    hooks: file("hooks"),
    transcripts: file("transcripts.json"),
    clients: file("clients.json"),
    up: file("up.json"),
    log: file("up.log"),
    record: file("folder.json"),
    journal: file("journal"),
    key: file("key"),
    nats: file("nats"),
    natsToken: file("nats-token"),
  };
}

/** env-paths calls the XDG state folder `log`; other platforms have one place for all data. */
function platformFolder(): string {
  const paths = envPaths("signalbox", { suffix: "" });
  return process.platform === "linux" ? paths.log : paths.data;
}

const noFolder = (): RefusedError =>
  new RefusedError("NO_FOLDER", "The data folder's name is empty.", "Give --data a folder, or leave it out.");
