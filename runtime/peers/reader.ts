// Reader
// One reader of the changes of all peers, the other engines whose sessions this engine shows. The reader may have lost the
// connection and come back.
//
//   Owns:          the reader's place in each peer's changes, how an id contains these places, which changes the reader missed.
//   Does not own:  the newest changes (news), the reader's place in this engine's log, and the connection (adapters/http).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-READER-1. A reader who comes back sends the places that came with the last change they got. The reader then gets each
//     later change of each peer once, in that peer's order. The changes come from the news (the newest changes of all peers,
//     which this engine stores), or, if the news begin later, from the peer itself, which is asked on the reader's behalf.
// PEERS-READER-2. Readers are told that changes may be missing if they have no place at a peer, if the peer cannot continue from
//     their place, if more changes are missing than they accept, or if a peer is back after the answer to a list lacked the
//     peer's items. A reader is also told once when a peer goes away; a reader who is not connected then is told on coming back,
//     if the peer is still away. Readers are told of nothing else.
// PEERS-READER-3. If a reader sends a place that no engine gave out, the reader counts as having no place. The text of a place
//     contains no name of a peer or of a log.

import { Bell } from "../bell.ts";
import { pause } from "../wait-for.ts";
import { AGAIN_MS, type Heard, type PeerNews } from "./news.ts";
import { type PeerChange, peerStream, type Said } from "./stream.ts";

interface Reading {
  /** The reader, as the text that `forUser` makes. */
  readonly user: string;
  /** The id of the last event that the reader got; undefined for a reader that begins. */
  readonly after?: string | undefined;
  /** If the reader lacks more changes of a peer than this, it is only told that changes are missing. */
  readonly behindMax?: number | undefined;
  /** Called when the reader can take something. */
  readonly wake: () => void;
  /** Aborted when the reader leaves. */
  readonly signal: AbortSignal;
}

/** A place in a peer's log that a reader sent with its request. */
interface Brought {
  readonly key: string;
  readonly n: number;
  /** Since when the peer had been away, ms, if the reader was told that the peer is away. */
  readonly awaySince: number | undefined;
}

/**
 * A stream that this engine opened at a peer for the changes that one reader lacks, and what the peer has sent in it so far.
 */
interface CatchUp {
  readonly said: Said[];
  readonly end: AbortController;
  isOver: boolean;
}

/** A reader's place in the log of one peer. */
interface At {
  readonly in: Heard;
  n: number;
  /** False for a place that a reader sent, until the peer itself confirms that it knows the place. */
  isSure: boolean;
  catchUp: CatchUp | undefined;
}

const SEPARATOR = "~";
const PLACE = /^([0-9a-f]{10})\.(\d{1,15})(?:\.(\d{1,15}))?$/;
/**
 * If this many items of a peer's stream wait for the reader, this engine reads no more of the stream until the reader took
 * some.
 */
const SAID_MAX = 64;

export class PeerReader {
  readonly #news: PeerNews;
  readonly #reading: Reading;
  readonly #taken = new Bell();
  /** The part of the reader's last event id that is about this engine's log. */
  readonly own: string | undefined;
  /** The places that the reader's last event id names: one for each peer, in the order of the peers. */
  readonly #brought: readonly (Brought | undefined)[];
  /** The reader's place at each peer, in the order of the peers; undefined until the peer has been heard. */
  readonly #at: (At | undefined)[];
  /** Since when each peer has been away, ms, as the reader was told. */
  readonly #toldAway: (number | undefined)[];
  /** How many changes of the news this reader has passed, wanted or not. */
  #seq = 0;

  constructor(news: PeerNews, reading: Reading) {
    this.#news = news;
    this.#reading = reading;
    const [own, ...places] = reading.after?.split(SEPARATOR) ?? [];
    this.own = own;
    this.#brought = places.map(placeOf);
    this.#at = news.peers.map(() => undefined);
    this.#toldAway = this.#brought.map((place) => place?.awaySince);
  }

  /** The reader's places at all peers, as a text. In the id of an event, this text follows the place in this engine's log. */
  get places(): string {
    const texts = this.#at.map((at, peer) => {
      const place = at ? { key: at.in.key, n: at.n } : this.#brought[peer];
      const away = this.#toldAway[peer];
      return SEPARATOR + (place ? [place.key, place.n, ...(away === undefined ? [] : [away])].join(".") : "");
    });
    return texts.join("");
  }

  /**
   * Yields the changes that have arrived; `gap` if some may be missing before the next one. Once a change was yielded, `places`
   * are the places after it.
   */
  *take(): Generator<PeerChange | "gap"> {
    if (this.settle()) yield "gap";
    for (const at of this.#at) if (at?.catchUp) yield* this.#caughtUp(at, at.catchUp);
    for (this.#seq = Math.max(this.#seq, this.#news.oldest); this.#seq < this.#news.count;) {
      const kept = this.#news.kept(this.#seq);
      this.#seq += 1;
      const at = kept && this.#at[kept.in.peer];
      if (!at || at.in !== kept.in || at.catchUp || kept.n <= at.n) continue;
      at.n = kept.n;
      yield kept.change;
    }
  }

  /**
   * Finds the reader's place at each peer. If the news of a peer begin after that place, asks the peer.
   * @returns whether changes may be missing.
   */
  settle(): boolean {
    let isGap = false;
    for (const peer of this.#news.peers.keys()) {
      if (this.#isNewlyAway(peer)) isGap = true;
      const heard = this.#news.heard(peer);
      if (!heard) continue;
      const at = this.#at[peer];
      if (at?.in !== heard) {
        at?.catchUp?.end.abort();
        const brought = at ? undefined : this.#brought[peer];
        const isKnown = brought?.key === heard.key;
        isGap ||= !isKnown;
        this.#at[peer] = {
          in: heard,
          n: isKnown ? brought.n : heard.at,
          isSure: !isKnown,
          catchUp: undefined,
        };
      }
      const now = this.#at[peer];
      if (now && this.#isFarBehind(now)) isGap = true;
      if (now) this.#askIfBehind(now);
    }
    return isGap;
  }

  /**
   * True if the reader must be told that the peer is away. False for a reader without a place at the peer, because this reader
   * has seen nothing of the peer.
   */
  #isNewlyAway(peer: number): boolean {
    const since = this.#news.awaySince(peer);
    const isNew = since !== undefined && since !== this.#toldAway[peer];
    this.#toldAway[peer] = since;
    return isNew && (this.#at[peer] ?? this.#brought[peer]) !== undefined;
  }

  #isFarBehind(at: At): boolean {
    const { behindMax = Infinity } = this.#reading;
    if (at.catchUp || at.in.at - at.n <= behindMax) return false;
    at.n = at.in.at;
    return true;
  }

  #askIfBehind(at: At): void {
    if (at.catchUp || (at.n >= at.in.from && (at.isSure || at.n <= at.in.at))) return;
    at.catchUp = { said: [], end: new AbortController(), isOver: false };
    void this.#ask(at, at.catchUp);
  }

  /** Yields what a peer has said in the stream that this engine opened for this reader alone. */
  *#caughtUp(at: At, catchUp: CatchUp): Generator<PeerChange | "gap"> {
    for (let said = catchUp.said.shift(); said; said = catchUp.said.shift()) {
      if (said.type === "change" && said.n > at.n) {
        at.n = said.n;
        yield said.change;
      } else if (said.type !== "change") {
        at.n = said.type === "ready" ? said.n : at.in.at;
        at.isSure = true;
        if (said.type === "resync") yield "gap";
      }
    }
    this.#taken.ring();
    if (!catchUp.isOver) return;
    at.catchUp = undefined;
    // The peer's later changes may be among news that this reader has already gone through, so the reader goes through all news
    // again.
    this.#seq = 0;
    this.#askIfBehind(at);
  }

  /** Reads a peer's stream for this reader until it reaches the changes that the news have. */
  async #ask(at: At, catchUp: CatchUp): Promise<void> {
    const { user, wake, signal: gone } = this.#reading;
    const signal = AbortSignal.any([gone, catchUp.end.signal]);
    const { clock, peers } = this.#news;
    const { from, log, peer } = at.in;
    const of = peers[peer];
    let isDone = false;
    try {
      for await (const said of of ? peerStream(of, { user, after: { log, n: at.n } }, clock, signal) : []) {
        if (catchUp.said.push(said) === 1) wake();
        isDone = said.type === "refused" || said.type === "resync" || said.n >= from;
        if (isDone) break;
        while (catchUp.said.length >= SAID_MAX && !signal.aborted) await this.#taken.wait(signal);
      }
    } catch {
      // If the stream breaks, this reader asks the peer again after a pause.
    }
    if (!isDone) await pause({ clock, ms: AGAIN_MS }, signal);
    catchUp.isOver = true;
    wake();
  }
}

/** @returns undefined for a text that is no place. */
function placeOf(text: string): Brought | undefined {
  const [, key, digits, since] = PLACE.exec(text) ?? [];
  const awaySince = since === undefined ? undefined : Number(since);
  return key === undefined ? undefined : { key, n: Number(digits), awaySince };
}
