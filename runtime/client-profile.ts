// Client profile
// What the runtime has to know of one client, whose hooks and transcripts come here as they are.
//
//   Owns:          the shape of a profile.
//   Does not own:  what stands in one (an adapter for each client), the list of them (adapters/composition), asking it (clients).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import type { CascadePolicy, ShellForm, SourceInput } from "../machines/index.ts";
import type { GateForm } from "./gate-form.ts";
import type { InstallForm, PluginForm } from "./install-form.ts";

/** Translates the data of one type of raw message. Pure. @throws RefusedError for what it cannot read. */
type TranslateRaw = (data: unknown) => readonly SourceInput[];

/** How a client's hooks come: bare, or as `{hook: payload, …}`. */
export interface HookForm {
  /** The type of its messages: one of the profile's raw types. */
  readonly type: string;
  /** Every payload has this field. A payload that has it is never taken for a wrapped one. */
  readonly eventField: string;
  /** The field that names the session. */
  readonly sessionField: string;
  /** The session a payload is about. @throws RefusedError if it cannot be read. */
  readonly read: (payload: unknown) => { readonly sessionId?: string; readonly cwd?: string };
}

/** One event of telemetry that means something here. */
export interface LogEvent {
  /** As the client names it. */
  readonly session: string;
  /** The same each time that it is sent. */
  readonly id: string;
  /** When it happened, ms. */
  readonly at?: number;
  readonly data: object;
}

export interface LogsRead {
  readonly events: readonly LogEvent[];
  /** How many others there were. */
  readonly ignored: number;
}

/** How a client tells of its sessions by telemetry. */
export interface TelemetryForm {
  readonly type: string;
  readonly source: string;
  /** @throws RefusedError for what is no body of logs. */
  readonly read: (body: unknown) => LogsRead;
}

/** What a hook says of the files of its session. */
export interface TranscriptNaming {
  /** The main one. */
  readonly path: string;
  /** The field that names the subagent that spoke. */
  readonly ofAgent?: string;
  /** The session is over: nothing more is to be expected soon. */
  readonly isEnd: boolean;
}

/** What a transcript's line says of itself. */
export interface LineFacts {
  /** In the form an id may have here. */
  readonly sessionId?: string;
  /** It repeats what other lines say, or is the client's own note: nothing is made of it. */
  readonly isAside: boolean;
}

/** Where a client keeps its sessions' transcripts, and how their lines come. */
export interface TranscriptForm {
  readonly type: string;
  readonly source: string;
  /** @throws RefusedError for a line that it cannot read. */
  readonly factsOf: (line: unknown) => LineFacts;
  /** The files a hook's data names. */
  readonly naming: (data: unknown) => TranscriptNaming | undefined;
  /** The folder of the transcripts of a session's subagents, and which of its files are any. */
  readonly subagentsOf: (path: string) => string;
  readonly isSubagents: (name: string) => boolean;
}

export interface ClientProfile {
  /** The source of its hooks, the end of their route, and the kind of source that chooses a session's cascade. */
  readonly name: string;
  /** What becomes of the other calls of a batch when one is denied, unless the operator says otherwise. */
  readonly cascade: CascadePolicy;
  /** By the type of raw message, in the order in which they are named. */
  readonly translators: Readonly<Record<string, TranslateRaw>>;
  /** Its shells other than those that rules know by name, by tool: how the input of each is read (SHELL-CALL-1). */
  readonly shells?: Readonly<Record<string, ShellForm>>;
  readonly hook: HookForm;
  /** Undefined for a client whose transcripts are not followed. */
  readonly transcripts?: TranscriptForm;
  /** Undefined for a client none of whose hooks waits. */
  readonly gate?: GateForm;
  /** Undefined for a client whose hooks are put in by hand. */
  readonly install?: InstallForm;
  /** Undefined for a client that loads no file of ours. */
  readonly plugin?: PluginForm;
  /** The variable in which it hands its process's id to its hooks; undefined where it does not. */
  readonly pidVariable?: string;
  /** Undefined for a client that sends none. */
  readonly telemetry?: TelemetryForm;
}
