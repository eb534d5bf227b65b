// Wiring
// What the commands use of other adapters. Adapters do not import one another: main.ts gives the commands a `Wiring`.
//
//   Owns:          the interfaces through which the commands use other adapters.
//   Does not own:  the code behind the interfaces.

import type { Access, ListedToken } from "../../runtime/access-token.ts";
import type { HandedOver } from "../../runtime/cluster/standing.ts";
import type { EngineSettings, HttpSettings, NatsSettings } from "../../runtime/engine-settings.ts";
import type { KeptLog } from "../../runtime/audit/kept-log.ts";
import type { Exchange } from "../../runtime/line/exchange.ts";
import type { Signer } from "../../runtime/tlog/note.ts";
import type { Lost } from "../../runtime/turn/missing.ts";
import type { Verified, Verifying } from "../../runtime/verify/verified.ts";
import type { Installed } from "../../runtime/install-form.ts";
import type { Backups } from "./backup-form.ts";
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

/** `waiting`: the server cannot start yet. `down`: it died, and starts again after `waitMs`. `up`: it answers again. */
export type NatsNews =
  | { readonly type: "waiting"; readonly why: string; readonly next: string }
  | { readonly type: "down"; readonly why: string; readonly waitMs: number }
  | { readonly type: "up" };

export interface NatsServer {
  find(): Promise<NatsProgram | undefined>;
  /**
   * Runs the server. @returns its port and address, and in `nkey` the file with the seed of the server's key. @throws
   * RefusedError NATS_NOT_UP; FatalError STORE_BUSY
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
  binding(): Promise<JournalBinding | undefined>;
  /**
   * @returns the connection to the folder's engine; undefined if no engine has ever run on it. @throws RefusedError if other
   * users can write in the folder.
   */
  engine(): Promise<Exchange | undefined>;
  engineAt(url: string): Promise<Exchange | undefined>;
  /** @param access what the token opens from now on; undefined for no change. @returns its file. @throws RefusedError BAD_NAME */
  addToken(name: string, access?: Access, token?: string): Promise<string>;
  tokenOf(name: string): Promise<string | undefined>;
  /** @returns false if the token did not exist. @throws RefusedError BAD_NAME */
  removeToken(name: string): Promise<boolean>;
  tokens(): Promise<readonly ListedToken[]>;
  address(): Promise<string | undefined>;
  readonly upNote: Slot;
  /** The page that leads a browser to its sign-in link; only this user can read the page. */
  readonly opener: Opener;
  readonly log: string;
  /** The settings file, which may be missing. */
  readonly settings: string;
  readonly started: Pick<Slot, "read" | "write">;
  /** Makes the folder. @throws RefusedError as the start of an engine does. */
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
  readonly lost?: Lost;
  stop(): Promise<void>;
}

export interface Serving extends EngineSettings, HttpSettings {
  readonly dataDir: string;
  /** The log level, in pino's words. */
  readonly logLevel: string;
  /** The NATS server with the journal; undefined for the built-in journal. */
  readonly nats?: NatsSettings;
  /** The file with the seal key of another engine, for which this engine stands by. */
  readonly follow?: string;
}

export interface ServeOptions extends Serving {
  readonly onWaiting: (reason: string, next: string) => void;
  /** Called when the engine set aside an entry that ended earlier processes, or took over as the owner. */
  readonly onMended: (reason: string, next: string) => void;
  readonly onWarning: (what: string) => void;
  /**
   * Called with the error that ends the engine. Must call `end`, which ends the process without exit handlers: at once if the
   * store has failed. Only for TERM_ENDED may the engine stop in order instead.
   */
  readonly onFatal: (error: Error, end: (code: number) => void) => void;
  /** The engine has given its journal to a spare: stops the engine. `next`: whether it then starts again, as a spare, or ends. */
  readonly onHandOver: (next: HandedOver["next"]) => void;
  readonly signal: AbortSignal;
}

export interface VerifiedFolder extends Verified {
  readonly dir: string;
}

/** What the command `audit` needs of a data folder. */
export interface AuditFolder {
  readonly dir: string;
  /** The audit log in `dir`; without `dir`, the data folder's own. */
  kept(dir?: string): KeptLog;
  /** The signer of the audit log; undefined if no engine has begun an audit log. */
  signer(): Promise<Signer | undefined>;
}

export type AgentProtocol = "acp" | "codex";

export interface AgentTerms {
  readonly timeoutMs: number;
  readonly workspace: string | undefined;
  readonly say: (text: string) => void;
}

export interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  readonly kind: "disk" | "memory" | "network";
}

export interface Machine {
  readonly node: string;
  /** @returns the folder's disk; undefined if neither the folder nor the folder above it can be read. */
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
  /** Finds why calls were made. One object for the whole run, because it caches what it has read of each file. */
  readonly intents: Intents;
  folder(dir: string | undefined): Folder;
  /**
   * Reads a file that no other user can write. @param isSecret whether no other user may read it either.
   * @returns undefined if there is no such file. @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, …
   */
  readOwn(path: string, isSecret?: boolean): Promise<string | undefined>;
  /**
   * The data folder for a command that a client starts. @throws RefusedError if a variable, which a project can set, names
   * another folder.
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
  /** Relays between a client, on standard input and output, and an agent. @returns the exit code, once both have ended. */
  serveAgent(
    protocol: AgentProtocol,
    dir: string,
    command: readonly string[],
    terms: AgentTerms,
  ): Promise<number>;
  /** A mark that no other process with this id has had or will have; undefined if no process has the id. */
  readonly markOf: (pid: number) => string | undefined;
  readonly natsServer: NatsServer;
  /** Makes a folder and those above it. Unlike Node's recursive mkdir, it never hangs. @throws the system's error. */
  readonly makeDeep: (dir: string) => Promise<void>;
  /** A NATS server's address without secrets; undefined for any other text. */
  shownAddress(url: string): string | undefined;
  serve(options: ServeOptions): Promise<Running>;
  /**
   * Gives the disk space that a stopped engine's store no longer needs back to the system.
   * @throws FatalError STORE_BUSY while the engine runs
   */
  compact(
    dataDir: string | undefined,
  ): Promise<{ readonly dir: string; readonly bytesBefore: number; readonly bytesAfter: number }>;
  readonly backups: Backups;
  audit(dataDir: string | undefined): AuditFolder;
  /** Replays the journal of a stopped engine's folder. @throws FatalError STORE_BUSY while the engine runs */
  verify(
    dataDir: string | undefined,
    wish: Pick<Verifying, "from" | "session" | "progress">,
    server: { readonly url: string | undefined; readonly nkey: string | undefined },
  ): Promise<VerifiedFolder>;
  /** Starts an engine whose data are removed when it stops. */
  privateEngine(): Promise<Running & { readonly token: string }>;
  /** The connection to an engine with a user's token. @throws RefusedError NEEDS_TLS */
  withToken(url: string, token: string): Exchange;
}
