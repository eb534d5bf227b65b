// Watcher
// Sends one observer first a picture of the present (the actors of up to 50 sessions, and the pending approvals), then every
// change, at the speed at which the observer reads.
//
//   Owns:          the observer's place in the log, which actors were sent to it already, when it is disconnected.
//   Does not own:  the log (runtime), the messages (wire.ts), who may observe (http).
//
// WATCHER-1. No message waits in memory for a slow observer: more of the log is read only once the last messages were sent.
// WATCHER-2. An observer is disconnected if it reads nothing for 30 s, does not answer a ping, or falls 10,000 changes behind.

import { setImmediate } from "node:timers/promises";
import type { WebSocket } from "ws";
import type { Bell } from "../../runtime/bell.ts";
import { followRow, rowsAfter } from "../../runtime/rows/change-log.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import { type Subject, subjectOf, subjectOfChange } from "./subject.ts";
import { actorMessage, changeMessages, type Stamp } from "./wire.ts";

export interface Watched {
  readonly engine: Engine;
  readonly queries: Queries;
  readonly clock: Clock;
}

const ROWS_AT_ONCE = 16;
const BEHIND_MAX = 10_000;
const STALLED_MS = 30_000;
const KNOWN_MAX = 10_000;
/** The code with which the connection of an observer that reads too slowly is closed: try again later (RFC 6455, IANA). */
const TOO_SLOW = 1013;

export class Watcher {
  readonly #watched: Watched;
  readonly #socket: WebSocket;
  /** The actors that were introduced to the observer, the first introduced first. */
  readonly #known = new Set<string>();
  #at: number;

  constructor(watched: Watched, socket: WebSocket) {
    this.#watched = watched;
    this.#socket = socket;
    this.#at = watched.engine.meta().changes;
  }

  /** Sends the observer changes until `signal` is aborted, or the observer is disconnected. */
  async run(bell: Bell, signal: AbortSignal): Promise<void> {
    const { engine, queries, clock } = this.#watched;
    const stamp = { at: clock.now(), id: `${engine.incarnation}-${this.#at}` };
    for (const subjects of picture(queries)) {
      await this.#send(subjects.flatMap((subject) => this.#introduced(subject, stamp)));
      if (signal.aborted) return;
    }
    while (!signal.aborted) {
      const { changes: newest, changesFrom } = engine.meta();
      if (this.#at >= newest) await bell.wait(signal);
      else if (this.#at < changesFrom || newest - this.#at > BEHIND_MAX) {
        this.#socket.close(TOO_SLOW, "This connection is too far behind. Connect again.");
        return;
      } else await this.#send(this.#news(newest));
    }
  }

  #news(newest: number): readonly string[] {
    const { engine } = this.#watched;
    const messages: string[] = [];
    for (const row of rowsAfter(engine.store, this.#at, newest, ROWS_AT_ONCE)) {
      const changes = followRow(row, this.#at, engine.defects);
      this.#at = row.last;
      for (const change of changes === "unreadable" ? [] : changes) {
        // Changes of a call's alarm (ALARM-1) are not sent: an alarm is computed from its call, and is no state of a machine.
        if (change.entity === "alarm") continue;
        const subject = subjectOfChange(change);
        const stamp = { at: change.at, id: `${engine.incarnation}-${change.n}` };
        messages.push(...this.#introduced(subject, stamp), ...changeMessages(subject, change, stamp));
      }
    }
    return messages;
  }

  #introduced(subject: Subject, stamp: Stamp): readonly string[] {
    const { address } = subject;
    if (this.#known.has(address)) return [];
    this.#known.add(address);
    const [oldest] = this.#known;
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
    return [actorMessage(subject, { ...stamp, id: `${stamp.id}-actor-${address}` })];
  }

  /** Resolves once the operating system has taken the messages. Ends the connection if this takes too long. */
  async #send(messages: readonly string[]): Promise<void> {
    const cancel = this.#watched.clock.after(STALLED_MS, () => this.#socket.terminate());
    for (const message of messages) {
      await new Promise<void>((resolve) => {
        // A failed send needs no handling: the connection ends afterwards, and with it the observer.
        this.#socket.send(message, () => resolve());
      });
    }
    cancel();
    await setImmediate();
  }
}

const SESSIONS = 50;
const REQUESTS = 5;
const CALLS = 20;
const APPROVALS = 100;

/** The actors that an observer is shown first. Yields after each session, so that other work can run in between. */
function* picture(queries: Queries): Generator<readonly Subject[]> {
  for (const view of queries.listSessions({}, { limit: SESSIONS }).items) {
    const { workspace, id } = view;
    const place = { workspace, session: id };
    const requests = queries.listRequests(place, { limit: REQUESTS }).items;
    const calls = queries.toolCallsOf(id, { workspace }, { limit: CALLS })?.items ?? [];
    yield [
      subjectOf("session", place, id, view),
      ...requests.map((request) => subjectOf("request", place, request.requestId, request)),
      ...calls.map((call) => subjectOf("call", place, call.id, call)),
    ];
  }
  const approvals = queries.listApprovals({ state: "pending" }, { limit: APPROVALS }).items;
  yield approvals.map((view) =>
    subjectOf("approval", { workspace: view.workspace, session: view.sessionId }, view.id, view),
  );
}
