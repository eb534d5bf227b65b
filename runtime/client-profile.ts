// Client profile
// The facts about one client that the runtime needs in order to take its hooks and transcripts unchanged.
//
//   Owns:          the shape of a profile.
//   Does not own:  the profiles themselves (one adapter for each client), their list (adapters/composition), using them
//                  (clients).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import type { CascadePolicy, ShellForm, SourceInput } from "../machines/index.ts";
import type { GateForm } from "./gate-form.ts";
import type { InstallForm, PluginForm } from "./install-form.ts";

/** Translates the data of one type of raw message. Pure. @throws RefusedError for data that it cannot read. */
type TranslateRaw = (data: unknown) => readonly SourceInput[];

/** The form of a client's hooks: bare, or as `{hook: payload, …}`. */
export interface HookForm {
  /** The type of the hooks' messages; one of the profile's raw types. */
  readonly type: string;
  /** A field of every payload. A payload with this field is never taken for a wrapped one. */
  readonly eventField: string;
  readonly sessionField: string;
  /** The session of a payload. @throws RefusedError if it cannot be read. */
  readonly read: (payload: unknown) => { readonly sessionId?: string; readonly cwd?: string };
}

/** An event of telemetry that the engine uses. */
export interface LogEvent {
  /** The session's id in the client's form. */
  readonly session: string;
  /** The event's id: the same each time the client sends the event. */
  readonly id: string;
  /** When the event happened, ms. */
  readonly at?: number;
  readonly data: object;
}

export interface LogsRead {
  readonly events: readonly LogEvent[];
  /** How many events were ignored. */
  readonly ignored: number;
}

/** The form in which a client reports its sessions by telemetry. */
export interface TelemetryForm {
  readonly type: string;
  readonly source: string;
  /** @throws RefusedError for a body that is not telemetry. */
  readonly read: (body: unknown) => LogsRead;
}

/** The files of a session that a hook names. */
export interface TranscriptNaming {
  readonly path: string;
  readonly ofAgent?: string;
  /** True if the session is over, so that no more lines are expected soon. */
  readonly isEnd: boolean;
}

export interface LineFacts {
  /** A valid id. */
  readonly sessionId?: string;
  /** True if the engine ignores the line, because it repeats other lines or is the client's own note. */
  readonly isAside: boolean;
}

/** Where a client keeps its sessions' transcripts, and the form of their lines. */
export interface TranscriptForm {
  readonly type: string;
  readonly source: string;
  /** @throws RefusedError for a line that it cannot read. */
  readonly factsOf: (line: unknown) => LineFacts;
  /** The files a hook's data names. */
  readonly naming: (data: unknown) => TranscriptNaming | undefined;
  /** The folder of the transcripts of a session's subagents, and which of its files are transcripts. */
  readonly subagentsOf: (path: string) => string;
  readonly isSubagents: (name: string) => boolean;
}

export interface ClientProfile {
  /** The client's name: the source of its hooks, the end of their route, and the kind of source that chooses the cascade. */
  readonly name: string;
  /** The cascade policy for its sessions, unless the operator sets another. */
  readonly cascade: CascadePolicy;
  /** The translator of each type of raw message, in the order in which lists name the types. */
  readonly translators: Readonly<Record<string, TranslateRaw>>;
  /** The form of the input of each shell whose name rules do not know, by tool (SHELL-CALL-1). */
  readonly shells?: Readonly<Record<string, ShellForm>>;
  readonly hook: HookForm;
  /** Undefined for a client whose transcripts are not followed. */
  readonly transcripts?: TranscriptForm;
  /** Undefined for a client without waiting hooks. */
  readonly gate?: GateForm;
  /** Undefined for a client whose hooks are installed by hand. */
  readonly install?: InstallForm;
  /** Undefined for a client without a plugin file. */
  readonly plugin?: PluginForm;
  /** The variable in which the client passes its process id to its hooks; undefined if it passes none. */
  readonly pidVariable?: string;
  /** Undefined for a client without telemetry. */
  readonly telemetry?: TelemetryForm;
}
