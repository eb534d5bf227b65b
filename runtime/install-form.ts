// Install form
// How the hooks of a client are put in.
//
//   Owns:          the shape of it, the order of versions.
//   Does not own:  what stands in one (the client's adapter), the text of settings (adapters/install).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md, docs/decisions/0078-hooks-of-other-agents.md.

/** Which calls wait for an answer here: those the client would ask about, every one, or none. */
export type GateChoice = "permission" | "all" | "none";

/** What the client does where a hook is told of an event: tells and goes on, or waits for the answer. */
export type HookKind = "observe" | "gate";

/** What a gate that is put in says where it has no answer. */
export type Unanswered = "ask" | "deny";

/** Whose settings: the user's own, the project's, or the user's own for this project. */
export type Scope = "user" | "project" | "local";

export interface HookEvent {
  /** The choice under which it waits. */
  readonly waits?: GateChoice;
  /** The client's first version that knows it, where that is not every version that is served. */
  readonly since?: string;
}

/** What the command line has to know of a client into which hooks are put. */
export interface Installed {
  /** As people call it. */
  readonly called: string;
  /** As the command line names it. */
  readonly agent: string;
  /** Which calls may wait, and what a gate may say without an answer; the first of each where nobody says. */
  readonly gates: readonly [GateChoice, ...GateChoice[]];
  readonly closed: readonly [Unanswered, ...Unanswered[]];
  /** Whose settings there are. */
  readonly scopes: readonly Scope[];
  /**
   * @param version undefined where it is not known.
   * @returns what a gate does not hold with that version, and what is not known with it, a sentence each.
   */
  readonly limits: (version: string | undefined, choice: GateChoice) => readonly string[];
}

/** A client whose settings are JSON and hold, by event, lists of hooks. */
export interface InstallForm extends Installed {
  /** The first version that is served; undefined where it is not asked for its version. */
  readonly oldest?: string;
  readonly events: Readonly<Record<string, HookEvent>>;
  /** What a new file begins with; undefined for an empty object. */
  readonly blank?: string;
  /** The client itself starts the shell of a hook: that shell's parent is the client. */
  readonly isParent?: true;
  /** It obeys an exit with 2 only where something stands on standard error, and goes on otherwise. */
  readonly needsReason?: true;
  /** @param cwd the project. @param home the user's. */
  readonly settingsPath: (scope: Scope, cwd: string, env: NodeJS.ProcessEnv, home: string) => string;
  /** What stands in its settings for one hook. @param timeoutS after which the client ends it. */
  readonly entry: (kind: HookKind, command: string, timeoutS: number) => Entry;
  /** The settings' variables that send its telemetry; undefined where it sends none that is read. */
  readonly telemetry?: (collector: Collector) => SentTelemetry;
}

/** A client that loads one file of ours instead: the file is there whole, or not at all. */
export interface PluginForm extends Installed {
  /** What it tells of. */
  readonly events: readonly string[];
  /** @param cwd the project. @param home the user's. */
  readonly pluginPath: (scope: Scope, cwd: string, env: NodeJS.ProcessEnv, home: string) => string;
  readonly text: (terms: PluginTerms) => string;
}

/** What the file tells the programs that it starts. */
export interface PluginTerms {
  /** The folder with the programs. */
  readonly hooks: string;
  /** Null where nothing waits. */
  readonly gateArgs: readonly string[] | null;
  readonly observeArgs: readonly string[];
  /** After which the gate's program is ended. */
  readonly deadlineMs: number;
}

/** A hook as the client's settings have it. */
export type Entry = { readonly [key: string]: string | number | boolean };

/** Where telemetry is sent, and the token that opens it. */
export interface Collector {
  /** Of the route. */
  readonly url: string;
  readonly token: string;
}

export interface SentTelemetry {
  readonly variables: Readonly<Record<string, string>>;
  /** Which of them holds the address, and which the token. */
  readonly endpoint: string;
  readonly headers: string;
}

/** @returns true where the version is that one, or newer. */
export function isSince(version: string, since: string): boolean {
  const parts = since.split(".").map(Number);
  for (const [n, part] of version.split(".").map(Number).entries()) {
    const other = parts[n] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}
