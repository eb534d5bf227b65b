// Wiring
// What the commands get from outside: adapters do not know one another (compose.ts does).
//
//   Owns:          the interfaces.
//   Does not own:  any implementation.

import type { AuditFolder } from "./audit/form.ts";
import type { Access, ListedToken } from "../../runtime/access-token.ts";
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

/** Reads what Claude Code writes. */
export interface ClaudeCode {
  /** @throws RefusedError when the text is not whole JSON. */
  parse(text: string): unknown;
  kindOf(line: unknown): LineKind | undefined;
  /** @throws RefusedError when the line is not of the kind. */
  read(kind: LineKind, line: unknown): RecordedLine;
}

/** Why a call was made, as a transcript tells it; `text` is empty where it does not, and `reason` says why. */
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

/** Looks up why calls were made, in transcripts. */
export interface Intents {
  extract(path: string, query: IntentQuery): Promise<FoundIntent>;
  /** The calls among a transcript's newest entries, in its order. */
  calls(
    path: string,
    options: { readonly maxEntries: number; readonly agentId?: string },
  ): Promise<
    readonly { readonly toolUseId: string; readonly tool: string; readonly at: number | undefined }[]
  >;
}

/** The journal that a folder's store has read from; `at` is a server's address without secrets. */
export type JournalBinding =
  | { readonly kind: "embedded" }
  | { readonly kind: "private" }
  | { readonly kind: "server"; readonly at: string };

/** A nats-server on this machine. */
export interface NatsProgram {
  readonly path: string;
  readonly version: string;
}

/**
 * `waiting`: it cannot start yet, and is tried again. `down`: the private server died, and is restarted after
 * `waitMs`. `up`: it answers again.
 */
export type NatsNews =
  | { readonly type: "waiting"; readonly why: string; readonly next: string }
  | { readonly type: "down"; readonly why: string; readonly waitMs: number }
  | { readonly type: "up" };

export interface NatsServer {
  find(): Promise<NatsProgram | undefined>;
  /**
   * Runs it for a data folder, with its own port, key and store.
   * @returns also the file with the seed of its key. @throws RefusedError NATS_NOT_UP; FatalError STORE_BUSY while
   * another process runs it.
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

/** An engine's data folder, as the commands see it. */
export interface Folder {
  readonly dir: string;
  /** The default folder. */
  readonly isDefault: boolean;
  /** Undefined for a new one. */
  binding(): Promise<JournalBinding | undefined>;
  /**
   * The way to the engine that runs on it. Undefined where none has ever run. @throws RefusedError for a folder that
   * others can reach into.
   */
  engine(): Promise<Exchange | undefined>;
  /** The same by an address of this machine that somebody named. */
  engineAt(url: string): Promise<Exchange | undefined>;
  /**
   * Creates a person's token, unless there is one.
   * @param access what it opens from now on. @returns its file. @throws RefusedError BAD_NAME
   */
  addToken(name: string, access?: Access): Promise<string>;
  /** A person's token; undefined where they have none. */
  tokenOf(name: string): Promise<string | undefined>;
  /** Removes it. @returns false when there was none. @throws RefusedError BAD_NAME */
  removeToken(name: string): Promise<boolean>;
  /** Who has one, and what it opens. */
  tokens(): Promise<readonly ListedToken[]>;
  /** Where its engine last listened. */
  address(): Promise<string | undefined>;
  /** Which process keeps its engine running in the background. */
  readonly upNote: Slot;
  /** The page that leads a browser to its sign-in link; only this user can read it. */
  readonly opener: Opener;
  /** The file with what that engine has to say. */
  readonly log: string;
  /** The file of its settings; there may be none. */
  readonly settings: string;
  /** What its engine was started with. */
  readonly started: Pick<Slot, "read" | "write">;
  /** @throws RefusedError as a start does. */
  make(): Promise<void>;
}

/** A short text in a data folder. */
export interface Slot {
  read(): Promise<string | undefined>;
  /** Writes the text unless the file exists. @returns the file's text afterwards. */
  make(text: string): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

export interface Running {
  readonly url: string;
  /** What the start left out. */
  readonly lost?: Lost;
  stop(): Promise<void>;
}

export interface ServeOptions extends EngineSettings, HttpSettings {
  readonly dataDir: string;
  /** The log level, as pino names it. */
  readonly logLevel: string;
  /** Undefined for the built-in journal. */
  readonly nats?: NatsSettings;
  /** Stands by for the engine whose seal key this file holds. */
  readonly follow?: string;
  /** Called with the reason each time a start has to wait. */
  readonly onWaiting: (reason: string, next: string) => void;
  /** Called when something that ended earlier processes was set aside. */
  readonly onMended: (reason: string, next: string) => void;
  /** Called with a line about something that needs attention, though the engine can run with it. */
  readonly onWarning: (what: string) => void;
  /**
   * Called once when the engine cannot go on. `end` ends the process at once, without exit handlers: it must be called,
   * and before anything else if the store has failed.
   */
  readonly onFatal: (error: Error, end: (code: number) => void) => void;
  /** Ends a start that is waiting. */
  readonly signal: AbortSignal;
}

/** The result of a verification, with its folder. */
export interface VerifiedFolder extends Verified {
  readonly dir: string;
}

export interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  readonly kind: "disk" | "memory" | "network";
}

/** The machine that this runs on. */
export interface Machine {
  /** The version of Node. */
  readonly node: string;
  /** @returns undefined where the folder, or the one above it, cannot be looked at. */
  disk(dir: string): Promise<Disk | undefined>;
  /** Whether anybody listens on a port. */
  isTaken(port: number): Promise<boolean>;
  /** @returns how long a durable write takes in an existing folder, ms; undefined where nothing can be written. */
  syncTime(dir: string): Promise<number | undefined>;
  /** Whether a command of a shell could be run; nothing of it is run. */
  runnable(command: string): Promise<"yes" | "grammar" | "missing">;
}

export interface Wiring {
  readonly version: string;
  readonly machine: Machine;
  readonly claudeCode: ClaudeCode;
  /** One for the whole run, because it keeps what it has read of each file. */
  readonly intents: Intents;
  folder(dir: string | undefined): Folder;
  /**
   * Reads a file that only this user may be able to write. @param isSecret whether other readers are shut out.
   * @returns undefined where there is none. @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, …
   */
  readOwn(path: string, isSecret?: boolean): Promise<string | undefined>;
  /**
   * The data folder for a command that a client starts: no variable names it, since a project can set those.
   * @throws RefusedError where a variable names another than the account's own.
   */
  folderForClients(dir: string | undefined): string;
  /** Looks for the client on the PATH, and asks it; at a signal, or where it takes longer, its version is not known. */
  findClient: (asking?: { readonly timeoutMs: number; readonly signal: AbortSignal }) => Promise<FoundClient>;
  /** The agents whose hooks can be put in; the first is meant where nobody names one. */
  readonly agents: readonly Installed[];
  /** @param agent as it is named in `agents`. @throws RefusedError for another one. */
  hooks(dir: string | undefined, agent?: string): Hooks;
  /** Serves the client's permission tool on this process's standard input and output, until that is closed. */
  permissionTool(dir: string, timeoutMs: number, workspace: string | undefined): Promise<void>;
  readonly serveAgent: ServeAgent;
  /** What no other process with this id has had or will have; undefined when none runs under it. */
  readonly markOf: (pid: number) => string | undefined;
  readonly natsServer: NatsServer;
  /** Makes a folder and those above it that are missing. @throws the system's error at once, in any folder. */
  readonly makeDeep: (dir: string) => Promise<void>;
  /** A NATS server's address without secrets; undefined for anything else. */
  shownAddress(url: string): string | undefined;
  /** Starts an engine on a data folder. */
  serve(options: ServeOptions): Promise<Running>;
  /** Returns the disk space that a stopped engine's store has freed. @throws FatalError STORE_BUSY while it runs */
  compact(
    dataDir: string | undefined,
  ): Promise<{ readonly dir: string; readonly bytesBefore: number; readonly bytesAfter: number }>;
  readonly backups: Backups;
  /** The audit log of a data folder. */
  audit(dataDir: string | undefined): AuditFolder;
  /** Replays the journal of a stopped engine's folder. @throws FatalError STORE_BUSY while it runs */
  verify(
    dataDir: string | undefined,
    wish: Pick<Verifying, "from" | "session" | "progress">,
    /** The NATS server's address and key, for a journal that is on one of somebody's own. */
    server: { readonly url: string | undefined; readonly nkey: string | undefined },
  ): Promise<VerifiedFolder>;
  /** Starts an engine whose data are gone when it stops. */
  privateEngine(): Promise<Running & { readonly token: string }>;
  /** The way to an engine by a person's token. @throws RefusedError NEEDS_TLS */
  withToken(url: string, token: string): Exchange;
}
