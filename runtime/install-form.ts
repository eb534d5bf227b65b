// Install form
// The type that describes how the hooks of a client are installed.
//
//   Owns:          the shape of an install form, the order of versions.
//   Does not own:  the form of each client (the client's adapter), the text of settings (adapters/install).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md, docs/decisions/0078-hooks-of-other-agents.md.

/** The calls that wait for an answer from Signalbox: those about which the client would ask, all, or none. */
export type GateChoice = "permission" | "all" | "none";

/** What a hook does with an event: `observe` reports it and goes on, `gate` waits for the answer. */
export type HookKind = "observe" | "gate";

/** What an installed gate answers if it gets no answer. */
export type Unanswered = "ask" | "deny";

/** The settings to change: the user's own, the project's, or the user's own settings for this project. */
export type Scope = "user" | "project" | "local";

export interface HookEvent {
  /** The user's choice with which the hook waits for answers; absent if the hook never waits. */
  readonly waits?: GateChoice;
  /** The first version of the client that has the event; absent if every supported version has the event. */
  readonly since?: string;
}

/** The facts about a client with hooks that the command line needs. */
export interface Installed {
  /** The client's name, as people write it. */
  readonly called: string;
  /** The client's name on the command line. */
  readonly agent: string;
  /**
   * The choices of which calls wait, and, in `closed`, of what a gate does that gets no answer. The first of each is the default.
   */
  readonly gates: readonly [GateChoice, ...GateChoice[]];
  readonly closed: readonly [Unanswered, ...Unanswered[]];
  /** The settings in which the client's hooks can be installed. */
  readonly scopes: readonly Scope[];
  /**
   * Returns sentences for the user: which calls a gate does not hold in this version of the client, and what is unknown about
   * this version.
   * @param version undefined if unknown.
   */
  readonly limits: (version: string | undefined, choice: GateChoice) => readonly string[];
}

/** A client whose settings are JSON with lists of hooks by event. */
export interface InstallForm extends Installed {
  /** The first supported version; undefined if the client's version is not checked. */
  readonly oldest?: string;
  readonly events: Readonly<Record<string, HookEvent>>;
  /** The text of a new settings file; if undefined, a new file is an empty JSON object. */
  readonly blank?: string;
  /** True if the client itself starts the shell of a hook, so that the client is that shell's parent. */
  readonly isParent?: true;
  /**
   * True if the client obeys a hook's exit code 2 only together with a text on standard error. Without a text, it ignores the
   * exit code.
   */
  readonly needsReason?: true;
  /** Returns the path of the client's settings. @param cwd the project's folder. @param home the user's home folder. */
  readonly settingsPath: (scope: Scope, cwd: string, env: NodeJS.ProcessEnv, home: string) => string;
  /** Returns the settings for one hook. @param timeoutS how long the client lets the hook run, seconds. */
  readonly entry: (kind: HookKind, command: string, timeoutS: number) => Entry;
  /** The variables in the settings that send the client's telemetry; undefined if the engine reads none. */
  readonly telemetry?: (collector: Collector) => SentTelemetry;
}

/** A client that loads a plugin file instead of hooks in its settings. The whole file is Signalbox's. */
export interface PluginForm extends Installed {
  readonly events: readonly string[];
  readonly pluginPath: (scope: Scope, cwd: string, env: NodeJS.ProcessEnv, home: string) => string;
  readonly text: (terms: PluginTerms) => string;
}

/** The values that a plugin file passes to the programs that it starts. */
export interface PluginTerms {
  /** The folder with the programs. */
  readonly hooks: string;
  /** The arguments of the gate's program; null if no hook waits for an answer. */
  readonly gateArgs: readonly string[] | null;
  readonly observeArgs: readonly string[];
  /** The time after which the gate's program is ended. */
  readonly deadlineMs: number;
}

/** A hook as the client's settings have it. */
export type Entry = { readonly [key: string]: string | number | boolean };

/** The address to which a client sends its telemetry, and the token that the address needs. */
export interface Collector {
  readonly url: string;
  readonly token: string;
}

export interface SentTelemetry {
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the variables with the address and with the token. */
  readonly endpoint: string;
  readonly headers: string;
}

/** True if `version` is `since`, or newer. */
export function isSince(version: string, since: string): boolean {
  const parts = since.split(".").map(Number);
  for (const [n, part] of version.split(".").map(Number).entries()) {
    const other = parts[n] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}
