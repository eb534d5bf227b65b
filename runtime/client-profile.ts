// Client profile
// What the runtime has to know of one client, whose hooks and transcripts come here as they are.
//
//   Owns:          the shape of a profile.
//   Does not own:  what stands in one (an adapter for each client), the list of them (adapters/composition), asking it (clients).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import type { CascadePolicy, SourceInput } from "../machines/index.ts";
import type { GateForm } from "./gate/gate-form.ts";

/** Translates the data of one type of raw message. Pure. @throws RefusedError for what it cannot read. */
type TranslateRaw = (data: unknown) => readonly SourceInput[];

/** How a client's hooks come: bare, or as `{hook: payload, …}`. */
export interface HookForm {
  /** The type of its messages: one of the profile's raw types. */
  readonly type: string;
  /** Every payload has this field, and one that has it is never taken for a wrapped one. */
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

export interface ClientProfile {
  /** The source of its hooks, the end of their route, and the kind of source that chooses a session's cascade. */
  readonly name: string;
  /** What becomes of the other calls of a batch when one is denied, unless the operator says otherwise. */
  readonly cascade: CascadePolicy;
  /** By the type of raw message, in the order in which they are named. */
  readonly translators: Readonly<Record<string, TranslateRaw>>;
  readonly hook: HookForm;
  /** Undefined for a client none of whose hooks waits. */
  readonly gate?: GateForm;
  /** Undefined for a client that sends none. */
  readonly telemetry?: TelemetryForm;
}
