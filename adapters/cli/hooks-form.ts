// Hooks form
// The interfaces through which the commands use the code that installs an agent's hooks.
//
//   Owns:          the interfaces for installing hooks.
//   Does not own:  installing hooks (composition), the printed words about hooks (hooks-text).

import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { GateChoice, Installed, Scope } from "../../runtime/install-form.ts";

/** What is written into the hooks' commands. The hooks read no variables, because a project can set those. */
export interface GateWanted {
  readonly choice: GateChoice;
  readonly timeoutS: number;
  readonly closed: Closed;
  /** The workspace that the hooks name; if undefined, they use the workspace of each session's folder. */
  readonly workspace?: string;
  readonly client?: string | undefined;
  readonly namedClient?: string;
}

/** The client on the PATH: its version, or the path of a client whose version is not known, or nothing. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface HooksWanted extends GateWanted {
  readonly hasTelemetry: boolean;
}

export interface HooksChange {
  readonly path: string;
  readonly changes: readonly string[];
  /** The events of this folder's hooks that are added. A corrected hook is in this list and in `takenOut`. */
  readonly putIn: readonly string[];
  readonly takenOut: readonly string[];
  readonly copy?: string;
  readonly others: readonly string[];
  /** The variables of telemetry in the settings whose token is not this folder's. */
  readonly strayTelemetry?: readonly string[];
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
    readonly namedClient?: string;
    readonly faults: readonly string[];
  }[];
  readonly programs: readonly string[];
  /** How many files that hooks wrote no engine has read yet. */
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
  limits(gate: Pick<GateWanted, "choice" | "client">): readonly string[];
  /** @param client the client's version; undefined if it is not known. */
  status(client?: string): Promise<HooksStatus>;
}
