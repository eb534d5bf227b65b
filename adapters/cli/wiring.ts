// Wiring
// What the commands are given from outside: adapters do not know one another (compose.ts does).
//
//   Owns:          the interfaces.
//   Does not own:  any implementation.

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

/** The folder an engine keeps its data in, as the commands see it. */
export interface Folder {
  readonly dir: string;
  token(): Promise<string | undefined>;
  /** Where its engine was last seen listening. */
  address(): Promise<string | undefined>;
}

export interface Running {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly dataDir: string;
  readonly port: number;
  /** Called each time a start has to wait, with the reason. */
  readonly onWaiting: (reason: string, next: string) => void;
  /** Ends a start that waits. */
  readonly signal: AbortSignal;
}

export interface Wiring {
  readonly version: string;
  readonly claudeCode: ClaudeCode;
  folder(dir: string | undefined): Folder;
  /** Starts an engine on a data folder; it ends the process by itself when it may write no more. */
  serve(options: ServeOptions): Promise<Running>;
  /** Starts an engine that is gone when it stops. */
  privateEngine(): Promise<Running>;
}
