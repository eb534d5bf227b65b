// Hooks form
// The interfaces through which the commands use the code that installs an agent's hooks.
//
//   Owns:          the interfaces for installing hooks.
//   Does not own:  installing hooks (composition), the printed words about hooks (hooks-text).

import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { GateChoice, Installed, Scope } from "../../runtime/install-form.ts";

/** What is written into the hooks' commands: hooks read no variables, because a project can set variables. */
export interface GateWanted {
  readonly choice: GateChoice;
  readonly timeoutS: number;
  readonly closed: Closed;
  /** The workspace that the hooks name; if undefined, each session is in the workspace that is named after its folder. */
  readonly workspace?: string;
  readonly client?: string | undefined;
  readonly namedClient?: string;
}

/**
 * The client on the PATH. `unasked`: the path of a client that was not asked for its version, because it may be a project's.
 * `silent`: the path of a client that told no version.
 */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface HooksWanted extends GateWanted {
  readonly hasTelemetry: boolean;
}

export interface HooksChange {
  readonly path: string;
  readonly changes: readonly string[];
  /** The events of the hooks that are added. A corrected hook is both in this list and in `takenOut`. */
  readonly putIn: readonly string[];
  readonly takenOut: readonly string[];
  readonly copy?: string;
  readonly others: readonly string[];
  /** The telemetry variables in the settings, if their token is not the data folder's. */
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
    /** The workspace that the hooks name; undefined if each session's folder decides. */
    readonly workspace?: string;
    readonly namedClient?: string;
    readonly faults: readonly string[];
  }[];
  readonly programs: readonly string[];
  /** How many of the files that hooks wrote have not been read by an engine yet. */
  readonly spooled: number;
}

/** The client's hooks for one data folder. The scopes `local` and `project` mean the settings in the current folder. */
export interface Hooks {
  readonly about: Installed;
  /** @throws RefusedError, with the reason, if the settings must not be changed. */
  install(scope: Scope, wanted: HooksWanted, dryRun: boolean): Promise<HooksChange>;
  /** Writes the hooks into a plugin's folder instead of the settings. @returns the files that change. @throws RefusedError */
  plugin(path: string, gate: GateWanted, dryRun: boolean): Promise<readonly string[]>;
  uninstall(scope: Scope, dryRun: boolean): Promise<HooksChange>;
  limits(gate: Pick<GateWanted, "choice" | "client">): readonly string[];
  /** @param client the client's version; undefined if it is not known. */
  status(client?: string): Promise<HooksStatus>;
}
