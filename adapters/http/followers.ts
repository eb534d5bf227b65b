// Followers
// Sends state changes to followers as server-sent events.
//
//   Owns:          each follower's place in the log, in which order followers that are far behind read it, the stream's format.
//   Does not own:  the change log (runtime); this file only reads it.
//
// FOLLOWERS-1. A follower gets the log as fast as it reads. The engine stores nothing in memory for a follower, so a slow
//     follower does not slow the engine.
// FOLLOWERS-2. Only durable changes are sent (G4 of docs/reference/promises.md). The event `resync` tells a follower that it
//     will not get some of the changes, for example because they are no longer in the log, or because they are more than the
//     follower accepts.
// FOLLOWERS-3. A stream ends when its follower's token is removed. There are at most 256 streams, and at most 64 of one user, so
//     that some are left for other users.
// FOLLOWERS-4. A follower gets every change that is still in the log. All followers that are far behind read together at most 64
//     rows per round of the event loop, so that they do not block other work.
// FOLLOWERS-5. If a follower asks for it, the stream reports who looks at which approval: once when the stream opens, and again
//     whenever that changes. Such a report is not in the log, so it does not move the follower's place.
// FOLLOWERS-6. The stream also has the changes of the engine's peers. The id of an event contains the follower's place at each
//     engine (peers/reader).
// FOLLOWERS-7. If the follower is another engine that reads for one of its users, the stream sends the event `ready` with the
//     follower's place whenever the follower has got all changes.

import { setImmediate } from "node:timers/promises";
import { Bell } from "../../runtime/bell.ts";
import { followRow, rowsAfter } from "../../runtime/rows/change-log.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { PeerNews } from "../../runtime/peers/news.ts";
import { forUser } from "../../runtime/peers/on-behalf.ts";
import { PeerReader } from "../../runtime/peers/reader.ts";
import { placeIn } from "../../runtime/reading/following.ts";
import { Looking } from "../../runtime/presence/looking.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import { isWithin, type Reach } from "../../runtime/workspace-reach.ts";
import { anyNews, waitFor } from "../../runtime/wait-for.ts";
import type { Holder } from "./access/holders.ts";

export interface ChangeFilter {
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: string;
  readonly reach?: Reach;
  /** True if the stream also tells who looks at which approval. */
  readonly looking?: boolean;
}

export interface Beginning {
  /** The id of the last change that the follower has received; absent to begin with the next change. */
  readonly after?: string | undefined;
  /** If the follower has missed more changes than this, the stream sends `resync` instead of them; absent for no limit. */
  readonly behindMax?: number | undefined;
}

const FOLLOWERS_MAX = 256;
const EACH_MAX = 64;
const ROWS_AT_ONCE = 64;
const TEXT_AT_ONCE = 256 * 1024;
const BEAT_MS = 15_000;
/** A follower that reads nothing for this long is disconnected. The follower may reconnect and continue. */
const STALLED_MS = 60_000;

export class Followers {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #news: PeerNews | undefined;
  readonly #bell = new Bell();
  readonly looking: Looking;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #open = new Map<string, number>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, clock: Clock, news?: PeerNews) {
    this.#engine = engine;
    this.#clock = clock;
    this.#news = news;
    const ring = (): void => this.#bell.ring();
    const ends = [engine.onChanges(ring), news?.onNews(ring)];
    this.#unsubscribe = () => ends.forEach((end) => end?.());
    this.looking = new Looking(clock, ring);
  }

  get count(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0);
  }

  /** @param drop ends the connection of a follower that reads nothing. @throws RetryableError if there are too many streams. */
  open(
    beginning: Beginning,
    filter: ChangeFilter,
    holder: Holder,
    drop: () => void,
  ): ReadableStream<Uint8Array> {
    this.#enter(holder);
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal, holder.gone]);
    const reading = { ...beginning, user: forUser(holder), wake: () => this.#bell.ring(), signal };
    const peers = this.#news && !holder.isPassedOn ? new PeerReader(this.#news, reading) : undefined;
    const { looking } = this;
    const told = { looking, peers, isPassedOn: holder.isPassedOn, inTurn: () => this.#inTurn() };
    const follower = new Follower(this.#engine, this.#clock, beginning, filter, told);
    const encoder = new TextEncoder();
    let cancelStall = (): void => undefined;
    const leave = (): void => {
      if (gone.signal.aborted) return;
      gone.abort();
      cancelStall();
      this.#leave(holder);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          cancelStall();
          const text = await follower.next(this.#bell, signal);
          if (gone.signal.aborted) return;
          if (text === undefined) {
            leave();
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(text));
          cancelStall = this.#clock.after(STALLED_MS, drop);
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );
  }

  // The followers that are far behind read one after another, one in each round of the event loop (FOLLOWERS-4).
  #inTurn(): Promise<unknown> {
    this.#lastTurn = this.#lastTurn.then(() => setImmediate());
    return this.#lastTurn;
  }

  #enter({ name }: Holder): void {
    const own = this.#open.get(name) ?? 0;
    if (own >= EACH_MAX || this.count >= FOLLOWERS_MAX) throw tooMany();
    this.#open.set(name, own + 1);
  }

  #leave({ name }: Holder): void {
    const own = this.#open.get(name) ?? 0;
    if (own > 1) this.#open.set(name, own - 1);
    else this.#open.delete(name);
  }

  close(): void {
    this.#unsubscribe();
    this.looking.close();
    this.#stopping.abort();
  }
}

/** What the stream tells a follower in addition to this engine's changes. */
interface Told {
  readonly looking: Pick<Looking, "version" | "within">;
  readonly peers: PeerReader | undefined;
  readonly isPassedOn: true | undefined;
  readonly inTurn: () => Promise<unknown>;
}

class Follower {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #filter: ChangeFilter;
  readonly #beside: Told;
  readonly #behindMax: number;
  /** The number of the last change that was sent to the follower, or that the filter left out. */
  #at: number;
  /** The number of the last change whose place the stream has told the follower. */
  #saidAt = 0;
  #greeting: string | undefined;
  /** What this follower was last told about who looks at which approval: the list as text, and its version. */
  #told = { text: "[]", version: 0 };

  constructor(engine: Engine, clock: Clock, beginning: Beginning, filter: ChangeFilter, told: Told) {
    const { after, behindMax = Infinity } = beginning;
    this.#engine = engine;
    this.#clock = clock;
    this.#filter = filter;
    this.#beside = told;
    this.#behindMax = behindMax;
    const { incarnation } = engine;
    const newest = engine.meta().changes;
    const own = told.peers ? told.peers.own : after;
    const place = own === undefined ? { log: incarnation, n: newest } : placeIn(own);
    const isKnown = place?.log === incarnation && place.n <= newest;
    this.#at = isKnown ? place.n : newest;
    const ready = `retry: 1000\n${this.#frame("ready", { incarnation, n: this.#at })}`;
    // A follower that gets a resync with the reason `incarnation` reads all lists anew, so it needs no second resync for the
    // peers.
    const isGap = told.peers?.settle() === true;
    if (!isKnown) this.#greeting = this.#frame("resync", { reason: "incarnation" });
    else this.#greeting = isGap ? ready + this.#frame("resync", { reason: "peers" }) : ready;
  }

  /** @returns the next text for the stream; undefined once the signal is aborted. */
  async next(bell: Bell, signal: AbortSignal): Promise<string | undefined> {
    let text = this.#greeting;
    this.#greeting = undefined;
    const within = { clock: this.#clock, ms: BEAT_MS };
    while (text === undefined && !signal.aborted) {
      if (this.#engine.meta().changes - this.#at > ROWS_AT_ONCE) await this.#beside.inTurn();
      const { changes: newest, changesFrom } = this.#engine.meta();
      if (this.#at < newest) {
        text = this.#news(newest, changesFrom);
        // Reading many rows that the filter leaves out must not block the event loop.
        if (text === undefined) await setImmediate();
      } else {
        text = this.#ofPeers() ?? this.#reached() ?? this.#lookers();
        if (text === undefined && (await waitFor(bell.rings, anyNews, within, signal)) === "late")
          text = ": beat\n\n";
      }
    }
    return signal.aborted ? undefined : text;
  }

  /** FOLLOWERS-5. @returns the event with who looks now; undefined if the follower has that list, or did not ask for it. */
  #lookers(): string | undefined {
    const { looking, reach } = this.#filter;
    const { version } = this.#beside.looking;
    const before = this.#told;
    if (looking !== true || version === before.version) return undefined;
    const text = JSON.stringify(this.#beside.looking.within(reach));
    this.#told = { text, version };
    return text === before.text ? undefined : `event: looking\ndata: ${text}\n\n`;
  }

  /** FOLLOWERS-6. @returns the peers' changes that match the filter, and a `resync` per gap; undefined if there is neither. */
  #ofPeers(): string | undefined {
    let text = "";
    for (const change of this.#beside.peers?.take() ?? []) {
      if (change === "gap") text += this.#frame("resync", { reason: "peers" });
      else if (this.#wants(change)) text += this.#frame("change", change);
      if (text.length > TEXT_AT_ONCE) break;
    }
    return text === "" ? undefined : text;
  }

  // The event `ready` for a follower that is another engine; undefined if there is nothing to tell (FOLLOWERS-7).
  #reached(): string | undefined {
    if (!this.#beside.isPassedOn || this.#saidAt === this.#at) return undefined;
    return this.#frame("ready", { incarnation: this.#engine.incarnation, n: this.#at });
  }

  /** Reads the next part of the change log. @returns the changes in it that match the filter; undefined if none does. */
  #news(newest: number, changesFrom: number): string | undefined {
    if (this.#at < changesFrom) return this.#resync(newest, "too-old");
    if (newest - this.#at > this.#behindMax) return this.#resync(newest, "slow");
    const before = this.#at;
    let text = "";
    for (const row of rowsAfter(this.#engine.store, before, newest, ROWS_AT_ONCE)) {
      if ((row.first ?? 0) > this.#at + 1) break;
      const changes = followRow(row, this.#at, this.#engine.defects, this.#wants);
      for (const change of changes === "unreadable" ? [] : changes) {
        this.#at = change.n;
        text += this.#frame("change", change);
      }
      this.#at = row.last;
      if (changes === "unreadable") text += this.#frame("resync", { reason: "unreadable" });
      if (text.length > TEXT_AT_ONCE) break;
    }
    if (this.#at === before) return this.#resync(newest, "too-old");
    return text === "" ? undefined : text;
  }

  #resync(newest: number, reason: string): string {
    this.#at = newest;
    return this.#frame("resync", { reason });
  }

  #frame(event: string, data: object): string {
    this.#saidAt = this.#at;
    const places = this.#beside.peers?.places ?? "";
    return `id: ${this.#engine.incarnation}-${this.#at}${places}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  readonly #wants = (
    change: Pick<StateChange, "workspace"> & Partial<Record<keyof StateChange, unknown>>,
  ): boolean => {
    const { workspace, session, entity, reach } = this.#filter;
    return (
      isWithin(reach, change.workspace) &&
      (workspace ?? change.workspace) === change.workspace &&
      (session ?? change.sessionId) === change.sessionId &&
      (entity ?? change.entity) === change.entity
    );
  };
}

const tooMany = (): RetryableError =>
  new RetryableError(
    "TOO_MANY_STREAMS",
    `Too many streams are open: ${EACH_MAX} of this user, or ${FOLLOWERS_MAX} of all users.`,
    "Close a stream, or read the lists from time to time.",
    5000,
  );
