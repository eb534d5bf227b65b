// Client profile
// The facts about one client that the runtime needs in order to accept the client's hooks and transcripts unchanged.
//
//   Owns:          the shape of a profile.
//   Does not own:  the profiles themselves (one adapter for each client), the list of profiles (adapters/composition), using the
//                  profiles (clients).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import type { CascadePolicy, ShellForm, SourceInput } from "../machines/index.ts";
import type { GateForm } from "./gate-form.ts";
import type { InstallForm, PluginForm } from "./install-form.ts";

/** Translates the data of one type of raw message, without side effects. @throws RefusedError for data that it cannot read. */
type TranslateRaw = (data: unknown) => readonly SourceInput[];

/** The form of a client's hook messages: the payload alone, or wrapped as `{hook: payload, …}`. */
export interface HookForm {
  /** The type of the hooks' messages; one of the profile's raw types. */
  readonly type: string;
  /** A field that every payload has. A message with this field at its top is a payload, never a wrapped payload. */
  readonly eventField: string;
  readonly sessionField: string;
  /** Reads the session and the folder from a payload. @throws RefusedError if the payload cannot be read. */
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
  /** How many events of the body were ignored. */
  readonly ignored: number;
}

/** The form in which a client reports its sessions by telemetry. */
export interface TelemetryForm {
  readonly type: string;
  readonly source: string;
  /** @throws RefusedError for a body that is not telemetry. */
  readonly read: (body: unknown) => LogsRead;
}

/** What a hook says about its session's transcript: the file, and whether the session is over. */
export interface TranscriptNaming {
  readonly path: string;
  readonly ofAgent?: string;
  /** True if the session has ended, so that the transcript will hardly get further lines soon. */
  readonly isEnd: boolean;
}

/** What a transcript's line says about itself. */
export interface LineFacts {
  /** The session that the line names; an id that is not valid here is replaced by its hash (foreign-id). */
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
  /** Returns the transcript that a hook's data names, if any. */
  readonly naming: (data: unknown) => TranscriptNaming | undefined;
  /** Returns the folder with the transcripts of a session's subagents. `isSubagents` tells which of its files are transcripts. */
  readonly subagentsOf: (path: string) => string;
  readonly isSubagents: (name: string) => boolean;
}

export interface ClientProfile {
  /**
   * The client's name. It is also the source of the hooks' messages, the last part of the hooks' HTTP route, and the kind of
   * source that chooses the cascade policy.
   */
  readonly name: string;
  /** The cascade policy for the client's sessions, unless the operator sets another. */
  readonly cascade: CascadePolicy;
  /** The translator of each type of raw message. A text that lists the types keeps this order. */
  readonly translators: Readonly<Record<string, TranslateRaw>>;
  /** By tool name: the input's form of each shell that rules do not know by its name (SHELL-CALL-1). */
  readonly shells?: Readonly<Record<string, ShellForm>>;
  readonly hook: HookForm;
  /** How the client's transcripts are read; undefined if the engine does not follow them. */
  readonly transcripts?: TranscriptForm;
  /** How the client's waiting hooks ask; undefined for a client without waiting hooks. */
  readonly gate?: GateForm;
  /** How the client's hooks are installed; undefined if people install them by hand. */
  readonly install?: InstallForm;
  /** How the client's plugin file is installed; undefined for a client without a plugin file. */
  readonly plugin?: PluginForm;
  /** The variable in which the client passes its process id to its hooks; undefined if the client passes none. */
  readonly pidVariable?: string;
  /** How the client's telemetry is read; undefined for a client without telemetry. */
  readonly telemetry?: TelemetryForm;
}
