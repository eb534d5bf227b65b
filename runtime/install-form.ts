// Install form
// How the hooks of a client are put in.
//
//   Owns:          the shape of it, the order of versions.
//   Does not own:  what stands in one (the client's adapter), the text of settings (adapters/install).
//   Decided in:    docs/decisions/0067-a-gate-of-each-client.md.

/** Which calls wait for an answer here: those the client would ask about, every one, or none. */
export type GateChoice = "permission" | "all" | "none";

/** What the client does where a hook is told of an event: tells and goes on, or waits for the answer. */
export type HookKind = "observe" | "gate";

/** Whose settings: the user's own, the project's, or the user's own for this project. */
export type Scope = "user" | "project" | "local";

export interface HookEvent {
  /** The choice under which it waits. */
  readonly waits?: GateChoice;
  /** The client's first version that knows it, where that is not every version that is served. */
  readonly since?: string;
}

/** A client whose settings are JSON and hold, by event, lists of hooks. */
export interface InstallForm {
  /** As people call it. */
  readonly called: string;
  /** The first version that is served. */
  readonly oldest: string;
  readonly events: Readonly<Record<string, HookEvent>>;
  /** @returns what a gate does not hold with that version, and what is not known with it, a sentence each. */
  readonly limits: (version: string, choice: GateChoice) => readonly string[];
  /** @param cwd the project. @param home the user's. */
  readonly settingsPath: (scope: Scope, cwd: string, env: NodeJS.ProcessEnv, home: string) => string;
  /** What stands in its settings for one hook. @param timeoutS after which the client ends it. */
  readonly entry: (kind: HookKind, command: string, timeoutS: number) => Entry;
  /** The settings' variables that send its telemetry. */
  readonly telemetry: (collector: Collector) => SentTelemetry;
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
