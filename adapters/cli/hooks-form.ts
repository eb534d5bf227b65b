// Hooks form
// What the commands get of an agent's hooks: putting them in, taking them out, how they stand.
//
//   Owns:          the interfaces.
//   Does not own:  any implementation (composition), what is said (hooks-text).

import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { GateChoice, Installed, Scope } from "../../runtime/install-form.ts";

/** What the hooks say to their programs; no variable says anything to them. */
export interface GateWanted {
  readonly choice: GateChoice;
  readonly timeoutS: number;
  /** What a gate says where it has no answer. */
  readonly closed: Closed;
  /** Undefined to use the workspace of each session's folder. */
  readonly workspace?: string;
  /** The client's version; undefined for the newest. */
  readonly client?: string | undefined;
  /** The same, where a person named it. */
  readonly namedClient?: string;
}

/** The version of the client on the PATH; or the path of one that was not asked, or that did not say; or none of them. */
export type FoundClient =
  { readonly version: string } | { readonly unasked: string } | { readonly silent: string } | "none";

export interface HooksWanted extends GateWanted {
  /** The client's own telemetry is sent to the engine. */
  readonly hasTelemetry: boolean;
}

/** What became of the client's settings, or would. */
export interface HooksChange {
  readonly path: string;
  /** The lines that come and go; none where nothing changes. */
  readonly changes: readonly string[];
  /** The events of this folder's hooks that come, and of those that go; one that is put right does both. */
  readonly putIn: readonly string[];
  readonly takenOut: readonly string[];
  /** Where the settings are kept as they were. */
  readonly copy?: string;
  /** Other data folders with hooks in the same settings. */
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
    /** The workspace they say; undefined for that of each session's folder. */
    readonly workspace?: string;
    /** The client's version that they are put in for, where a person named it. */
    readonly namedClient?: string;
    /** Why they cannot be read, or what of them is not as it would be put in. */
    readonly faults: readonly string[];
  }[];
  /** What is wrong with the programs that the hooks run. */
  readonly programs: readonly string[];
  /** What hooks have left that no engine has taken yet. */
  readonly spooled: number;
}

/** The client's hooks for one data folder, seen from the folder this runs in. */
export interface Hooks {
  readonly about: Installed;
  /** @throws RefusedError where the settings are not to be changed, in words. */
  install(scope: Scope, wanted: HooksWanted, dryRun: boolean): Promise<HooksChange>;
  /** Writes the same hooks as a plugin's folder. @returns the files that change. @throws RefusedError */
  plugin(path: string, gate: GateWanted, dryRun: boolean): Promise<readonly string[]>;
  uninstall(scope: Scope, dryRun: boolean): Promise<HooksChange>;
  /** @returns what such a gate does not hold with its client, and what is not known with it, a sentence each. */
  limits(gate: Pick<GateWanted, "choice" | "client">): readonly string[];
  /** @param client its version; undefined where nobody asked it. */
  status(client?: string): Promise<HooksStatus>;
}
