// Hooks form
// What the commands get from the code that installs an agent's hooks.
//
//   Owns:          the interfaces.
//   Does not own:  any implementation (composition), the printed words (hooks-text).

import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { GateChoice, Installed, Scope } from "../../runtime/install-form.ts";

/** What is written into the hooks' commands. The hooks read no variables, because a project can set those. */
export interface GateWanted {
  readonly choice: GateChoice;
  readonly timeoutS: number;
  /** What a gate answers when it has no answer from the engine. */
  readonly closed: Closed;
  /** Undefined: the hooks use the workspace of each session's folder. */
  readonly workspace?: string;
  /** The client's version; undefined for the newest version. */
  readonly client?: string | undefined;
  /** The client's version, if the user named it. */
  readonly namedClient?: string;
}

/** The client on the PATH: its version, or the path of a client whose version is not known, or nothing. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface HooksWanted extends GateWanted {
  readonly hasTelemetry: boolean;
}

/** What changed in the client's settings, or would change in a dry run. */
export interface HooksChange {
  readonly path: string;
  /** The lines that are added and removed; empty if nothing changes. */
  readonly changes: readonly string[];
  /** The events of this folder's hooks that are added, and those removed. A corrected hook is in both lists. */
  readonly putIn: readonly string[];
  readonly takenOut: readonly string[];
  /** The file with a copy of the earlier settings. */
  readonly copy?: string;
  /** Other data folders whose hooks are in the same settings. */
  readonly others: readonly string[];
  readonly areHooksOff: boolean;
}

export interface HooksStatus {
  readonly scopes: readonly {
    readonly scope: Scope;
    readonly path: string;
    readonly installed: number;
    readonly gate?: GateChoice;
    readonly closed?: Closed;
    /** The workspace in the hooks; undefined for that of each session's folder. */
    readonly workspace?: string;
    /** The client's version that the hooks were installed for, if the user named it. */
    readonly namedClient?: string;
    /** Why the settings cannot be read, or how the hooks differ from a new install. */
    readonly faults: readonly string[];
  }[];
  /** What is wrong with the programs that the hooks run. */
  readonly programs: readonly string[];
  /** How many files the hooks have left that no engine has taken yet. */
  readonly spooled: number;
}

/** The client's hooks for one data folder. `local` and `project` are those of the current folder. */
export interface Hooks {
  readonly about: Installed;
  /** @throws RefusedError if the settings must not be changed, with the reason. */
  install(scope: Scope, wanted: HooksWanted, dryRun: boolean): Promise<HooksChange>;
  /** Writes the same hooks as a plugin's folder. @returns the files that change. @throws RefusedError */
  plugin(path: string, gate: GateWanted, dryRun: boolean): Promise<readonly string[]>;
  uninstall(scope: Scope, dryRun: boolean): Promise<HooksChange>;
  /** @returns what such a gate cannot hold with this client, and what is not known of it, one sentence each. */
  limits(gate: Pick<GateWanted, "choice" | "client">): readonly string[];
  /** @param client its version; undefined if the version is not known. */
  status(client?: string): Promise<HooksStatus>;
}
