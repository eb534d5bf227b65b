// Wiring
// What the commands get from other adapters. Adapters do not import one another: compose.ts passes them in.
//
//   Owns:          the interfaces.
//   Does not own:  any implementation.

import type { AuditFolder } from "./audit/form.ts";
import type { Access, ListedToken } from "../../runtime/access-token.ts";
import type { HandedOver } from "../../runtime/cluster/standing.ts";
import type { EngineSettings, HttpSettings, NatsSettings } from "../../runtime/engine-settings.ts";
import type { Exchange } from "../../runtime/line/exchange.ts";
import type { Lost } from "../../runtime/turn/missing.ts";
import type { Verified, Verifying } from "../../runtime/verify/verified.ts";
import type { Installed } from "../../runtime/install-form.ts";
import type { Backups } from "./backup-form.ts";
import type { ServeAgent } from "./serve-agent.ts";
import type { FoundClient, Hooks } from "./hooks-form.ts";

export type LineKind = "hook" | "stream" | "transcript";

export interface RecordedLine {
  readonly type: string;
  readonly data: unknown;
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly atMs?: number;
}

export interface ClaudeCode {
  /** @throws RefusedError if the text is not whole JSON. */
  parse(text: string): unknown;
  kindOf(line: unknown): LineKind | undefined;
  /** @throws RefusedError if the line is not of this kind. */
  read(kind: LineKind, line: unknown): RecordedLine;
}

/** Why a call was made, as a transcript says; if it does not say, `text` is empty and `reason` tells why. */
export interface FoundIntent {
  readonly outcome: "found" | "none-written" | "not-found" | "unreadable";
  readonly text: string;
  readonly source?: string;
  readonly confidence?: string;
  readonly place?: { readonly path: string; readonly offset: number };
  readonly call?: { readonly toolUseId: string; readonly how: string };
  readonly reason?: string;
}

export interface IntentQuery {
  readonly tool: string;
  readonly input?: unknown;
  readonly toolUseId?: string;
  readonly agentId?: string;
  readonly at?: number;
  readonly windowMs?: number;
  readonly maxEntries?: number;
}

export interface Intents {
  extract(path: string, query: IntentQuery): Promise<FoundIntent>;
  /** The calls among a transcript's newest entries, in the transcript's order. */
  calls(
    path: string,
    options: { readonly maxEntries: number; readonly agentId?: string },
  ): Promise<
    readonly { readonly toolUseId: string; readonly tool: string; readonly at: number | undefined }[]
  >;
}

/** The journal that a folder's store has read from; `at` is the server's address without secrets. */
export type JournalBinding =
  | { readonly kind: "embedded" }
  | { readonly kind: "private" }
  | { readonly kind: "server"; readonly at: string };

export interface NatsProgram {
  readonly path: string;
  readonly version: string;
}

/**
 * `waiting`: the engine cannot start yet, and tries again. `down`: the private server died, and restarts after `waitMs`. `up`:
 * the server answers again.
 */
export type NatsNews =
  | { readonly type: "waiting"; readonly why: string; readonly next: string }
  | { readonly type: "down"; readonly why: string; readonly waitMs: number }
  | { readonly type: "up" };

export interface NatsServer {
  find(): Promise<NatsProgram | undefined>;
  /**
   * Runs a private server for a data folder, with its own port, key and store. @returns also the file with the seed of its key.
   * @throws RefusedError NATS_NOT_UP; FatalError STORE_BUSY while another process runs it.
   */
  run(
    program: NatsProgram,
    dataDir: string,
    onNews: (news: NatsNews) => void,
  ): Promise<{ readonly port: number; readonly url: string; readonly nkey: string; stop(): Promise<void> }>;
}

export interface Opener {
  readonly path: string;
  /** @throws Error if the folder does not exist. */
  write(text: string): Promise<void>;
}

export interface Folder {
  readonly dir: string;
  readonly isDefault: boolean;
  /** Undefined for a new folder. */
  binding(): Promise<JournalBinding | undefined>;
  /**
   * The connection to the engine that runs on this folder; undefined if no engine has ever run there.
   * @throws RefusedError if other users can write in the folder.
   */
  engine(): Promise<Exchange | undefined>;
  /** Connects to the folder's engine at an address of this machine that the user named. */
  engineAt(url: string): Promise<Exchange | undefined>;
  /**
   * Creates a user's token, unless it exists. @param access what the token gives access to from now on.
   * @param token by default a new one. @returns the token's file. @throws RefusedError BAD_NAME
   */
  addToken(name: string, access?: Access, token?: string): Promise<string>;
  tokenOf(name: string): Promise<string | undefined>;
  /** @returns false if the token did not exist. @throws RefusedError BAD_NAME */
  removeToken(name: string): Promise<boolean>;
  tokens(): Promise<readonly ListedToken[]>;
  /** Where the folder's engine last listened. */
  address(): Promise<string | undefined>;
  /** The note that names the process which keeps the engine running in the background. */
  readonly upNote: Slot;
  /** The page that leads a browser to its sign-in link; only this user can read the page. */
  readonly opener: Opener;
  /** The log file of the engine in the background. */
  readonly log: string;
  /** The settings file, which may be missing. */
  readonly settings: string;
  /** The settings that the folder's engine was started with. */
  readonly started: Pick<Slot, "read" | "write">;
  /** Makes the folder. @throws RefusedError as a start does. */
  make(): Promise<void>;
}

export interface Slot {
  read(): Promise<string | undefined>;
  /** Writes the text unless the file exists. @returns the file's text afterwards. */
  make(text: string): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

export interface Running {
  readonly url: string;
  /** Journal entries that the start left out. */
  readonly lost?: Lost;
  stop(): Promise<void>;
}

export interface ServeOptions extends EngineSettings, HttpSettings {
  readonly dataDir: string;
  /** The log level, in pino's words. */
  readonly logLevel: string;
  /** Undefined for the built-in journal. */
  readonly nats?: NatsSettings;
  /** The seal key file of another engine: this engine stands by for that one. */
  readonly follow?: string;
  /** Called with the reason each time a start has to wait. */
  readonly onWaiting: (reason: string, next: string) => void;
  /** Called when the engine set aside an entry that ended earlier processes. */
  readonly onMended: (reason: string, next: string) => void;
  /** Called with a line about something that needs attention, although the engine can run. */
  readonly onWarning: (what: string) => void;
  /**
   * Called once when the engine cannot go on. `end` ends the process at once, without exit handlers: the callee must call it,
   * and before anything else if the store has failed.
   */
  readonly onFatal: (error: Error, end: (code: number) => void) => void;
  /** Called when the engine gives its journal to a spare: the engine must end in order, and comes back only to stand by. */
  readonly onHandOver: (next: HandedOver["next"]) => void;
  /** Ends a start that is waiting. */
  readonly signal: AbortSignal;
}

export interface VerifiedFolder extends Verified {
  readonly dir: string;
}

export interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  readonly kind: "disk" | "memory" | "network";
}

export interface Machine {
  readonly node: string;
  /** @returns undefined if neither the folder nor the folder above it can be read. */
  disk(dir: string): Promise<Disk | undefined>;
  isTaken(port: number): Promise<boolean>;
  /** @returns how long a durable write takes in the folder, ms; undefined if nothing can be written there. */
  syncTime(dir: string): Promise<number | undefined>;
  /** Whether a shell could run the command; nothing is run. */
  runnable(command: string): Promise<"yes" | "grammar" | "missing">;
}

export interface Wiring {
  readonly version: string;
  readonly machine: Machine;
  readonly claudeCode: ClaudeCode;
  /** One object for the whole run, because it caches what it has read of each file. */
  readonly intents: Intents;
  folder(dir: string | undefined): Folder;
  /**
   * Reads a file that no other user may be able to write. @param isSecret whether other users must not read it either.
   * @returns undefined if there is no such file. @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, …
   */
  readOwn(path: string, isSecret?: boolean): Promise<string | undefined>;
  /**
   * The data folder for a command that a client starts. No variable names this folder, since a project can set variables.
   * @throws RefusedError if a variable names another folder than the account's own.
   */
  folderForClients(dir: string | undefined): string;
  /** Finds the client on the PATH and asks for its version; after an abort or the time-out, the version stays unknown. */
  findClient: (asking?: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<FoundClient>;
  /** The agents whose hooks can be installed; the first one is the default. */
  readonly agents: readonly Installed[];
  /** @param agent a name of `agents`. @throws RefusedError for another name. */
  hooks(dir: string | undefined, agent?: string): Hooks;
  /** Serves the client's permission tool on standard input and output, until standard input is closed. */
  permissionTool(dir: string, timeoutMs: number, workspace: string | undefined): Promise<void>;
  readonly serveAgent: ServeAgent;
  /** A mark that no other process with this id has had or will have; undefined if no process has the id. */
  readonly markOf: (pid: number) => string | undefined;
  readonly natsServer: NatsServer;
  /** Makes a folder and the missing folders above it. @throws the system's error at once, in any folder. */
  readonly makeDeep: (dir: string) => Promise<void>;
  /** A NATS server's address without secrets; undefined for any other text. */
  shownAddress(url: string): string | undefined;
  serve(options: ServeOptions): Promise<Running>;
  /** Returns the disk space that a stopped engine's store has freed. @throws FatalError STORE_BUSY while the engine runs */
  compact(
    dataDir: string | undefined,
  ): Promise<{ readonly dir: string; readonly bytesBefore: number; readonly bytesAfter: number }>;
  readonly backups: Backups;
  audit(dataDir: string | undefined): AuditFolder;
  /** Replays the journal of a stopped engine's folder. @throws FatalError STORE_BUSY while the engine runs */
  verify(
    dataDir: string | undefined,
    wish: Pick<Verifying, "from" | "session" | "progress">,
    /** The address and key of a NATS server that others run. */
    server: { readonly url: string | undefined; readonly nkey: string | undefined },
  ): Promise<VerifiedFolder>;
  /** Starts an engine whose data are removed when it stops. */
  privateEngine(): Promise<Running & { readonly token: string }>;
  /** The connection to an engine with a user's token. @throws RefusedError NEEDS_TLS */
  withToken(url: string, token: string): Exchange;
}
