// Logs
// Takes a client's telemetry about known sessions.
//
//   Owns:          which session an event of telemetry belongs to; counting the events that are dropped.
//   Does not own:  the protocol and the meaning of events (adapters), writing events into the journal (door).
//
// LOGS-1. Telemetry begins no session. An event is counted and dropped if no hook has reported its session, or if several
//     workspaces have a session with that id.
// LOGS-2. Each event of telemetry becomes one message. An unreadable event becomes a dead letter, and does not affect the other
//     events.

import { isId, type SessionId } from "../../machines/index.ts";
import type { LogEvent, TelemetryForm } from "../client-profile.ts";
import { RefusedError } from "../errors/errors.ts";
import { toId } from "../foreign-id.ts";
import { EVENTS_MAX } from "../limits.ts";
import type { Store } from "../ports.ts";
import type { Caller, Door } from "./door.ts";
import { envelopeOf } from "./envelope.ts";
import { parseBytes } from "./parse.ts";
import { homesOf } from "./workspace.ts";

export interface LogsOptions {
  readonly door: Door;
  readonly store: Pick<Store, "get" | "range">;
}

/** How many events of a body were not taken, and why the first of these was not taken. */
export interface LogsTaken {
  readonly rejected: number;
  readonly why?: string;
}

export class Logs {
  readonly #options: LogsOptions;
  readonly #counts = { taken: 0, ignored: 0, homeless: 0, rejected: 0 };

  constructor(options: LogsOptions) {
    this.#options = options;
  }

  /** The counts of telemetry events, by the names of their metrics. */
  figures(): Readonly<Record<string, number>> {
    const { taken, ignored, homeless, rejected } = this.#counts;
    return {
      signalbox_telemetry_taken_total: taken,
      signalbox_telemetry_ignored_total: ignored,
      signalbox_telemetry_homeless_total: homeless,
      signalbox_telemetry_rejected_total: rejected,
    };
  }

  /**
   * Takes a body of telemetry.
   * @throws RefusedError for a body that is not telemetry (with a dead letter); RetryableError if the engine takes nothing now.
   */
  async take(body: Uint8Array, caller: Caller): Promise<LogsTaken> {
    const { door } = this.#options;
    const { events, ignored } = await door.refusals.refusing({ ...caller, body }, () =>
      this.#read(parseBytes(body)),
    );
    const envelopes = events.flatMap(({ event, of }) => this.#envelope(event, of, caller) ?? []);
    this.#counts.ignored += ignored;
    this.#counts.homeless += events.length - envelopes.length;
    let rejected = 0;
    let why: string | undefined;
    for (let at = 0; at < envelopes.length; at += EVENTS_MAX) {
      const part = envelopes.slice(at, at + EVENTS_MAX);
      for (const each of await door.take(part, caller)) {
        const reason =
          "refused" in each ? each.refused : each.reply.outcome === "dead" ? each.reply : undefined;
        if ("refused" in each && !(each.refused instanceof RefusedError)) throw each.refused;
        if (!reason) continue;
        rejected += 1;
        why ??= "message" in reason ? reason.message : reason.reason;
      }
      this.#counts.taken += part.length;
    }
    this.#counts.taken -= rejected;
    this.#counts.rejected += rejected;
    return { rejected, ...(why !== undefined && { why }) };
  }

  /** Reads a body's events with every client's profile. Each event is read by at most one profile; the others ignore it. */
  #read(body: unknown) {
    const read = this.#options.door.clients.profiles.flatMap(({ telemetry: of }) =>
      of ? [{ of, ...of.read(body) }] : [],
    );
    const events = read.flatMap(({ of, events: own }) => own.map((event) => ({ event, of })));
    const [first] = read;
    const all = first ? first.events.length + first.ignored : 0;
    return { events, ignored: all - events.length };
  }

  /** @returns undefined for an event whose session this engine does not know (LOGS-1). */
  #envelope(
    { session: named, id, at, data }: LogEvent,
    { source, type }: TelemetryForm,
    { reach }: Caller,
  ): object | undefined {
    const session = toId(named) as SessionId;
    const owners = isId(session) ? homesOf(this.#options.store, session, reach) : [];
    const [workspace] = owners;
    if (workspace === undefined || owners.length > 1) return undefined;
    return envelopeOf({ workspace, session, id, source, type, ...(at !== undefined && { time: at }), data });
  }
}
