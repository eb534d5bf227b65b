// Logs
// Takes what a client's telemetry tells of sessions that are known here.
//
//   Owns:          which session an event belongs to; counting what is not taken.
//   Does not own:  the protocol and the events' meaning (adapters), each event's way into the journal (door).
//
// LOGS-1. Telemetry begins no session: an event of one that no hook has told of, or that several workspaces have, is counted
//     and left.
// LOGS-2. Each event is a message of its own: one that cannot be read is a dead letter, and no other's business.

import { isId, type SessionId } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { toId } from "../foreign-id.ts";
import { EVENTS_MAX } from "../limits.ts";
import type { Store } from "../ports.ts";
import type { Caller, Door } from "./door.ts";
import { parseBytes } from "./parse.ts";
import { ownersOf } from "./workspace.ts";

/** One event that means something here. */
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

/** @throws RefusedError for what is no body of logs. */
export type ReadLogs = (body: unknown) => LogsRead;

export interface LogsOptions {
  readonly door: Door;
  readonly store: Pick<Store, "range">;
  readonly read: ReadLogs;
}

/** How many events of a body were not taken in, and why the first of them was not. */
export interface LogsTaken {
  readonly rejected: number;
  readonly why?: string;
}

const TYPE = "claude-code.telemetry";
const SOURCE = "claude-code-telemetry";

export class Logs {
  readonly #options: LogsOptions;
  readonly #counts = { taken: 0, ignored: 0, homeless: 0, rejected: 0 };

  constructor(options: LogsOptions) {
    this.#options = options;
  }

  /** By the names of their metrics. */
  figures(): Readonly<Record<string, number>> {
    const { taken, ignored, homeless, rejected } = this.#counts;
    return {
      signalbox_telemetry_taken_total: taken,
      signalbox_telemetry_ignored_total: ignored,
      signalbox_telemetry_homeless_total: homeless,
      signalbox_telemetry_rejected_total: rejected,
    };
  }

  /** @throws RefusedError for what is no body of logs (it has a dead letter); RetryableError if nothing can be taken. */
  async take(body: Uint8Array, caller: Caller): Promise<LogsTaken> {
    const { door, read } = this.#options;
    const { events, ignored } = await door.refusals.refusing({ ...caller, body }, () =>
      read(parseBytes(body)),
    );
    const envelopes = events.flatMap((event) => this.#envelope(event) ?? []);
    this.#counts.ignored += ignored;
    this.#counts.homeless += events.length - envelopes.length;
    let rejected = 0;
    let why: string | undefined;
    for (let at = 0; at < envelopes.length; at += EVENTS_MAX) {
      const part = envelopes.slice(at, at + EVENTS_MAX);
      const { taken } = await door.events(Buffer.from(JSON.stringify(part)), caller);
      for (const each of taken) {
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

  /** @returns undefined for an event whose session is not known here (LOGS-1). */
  #envelope({ session: named, id, at, data }: LogEvent): object | undefined {
    const session = toId(named) as SessionId;
    const owners = isId(session) ? ownersOf(this.#options.store, session) : [];
    const [workspace] = owners;
    if (workspace === undefined || owners.length > 1) return undefined;
    return {
      specversion: "1.0",
      id,
      source: SOURCE,
      type: TYPE,
      subject: `${workspace}/${session}`,
      ...(at !== undefined && { time: new Date(at).toISOString() }),
      data,
    };
  }
}
