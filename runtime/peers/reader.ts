// Reader
// One reader of the changes of all peers, who may have been away.
//
//   Owns:          the reader's place at each peer, the form of these places in an id, what the reader missed.
//   Does not own:  the newest changes (news), the reader's place in this engine's log, and the connection (adapters/http).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-READER-1. A reader who comes back brings the places that came with the last thing they got. The reader then gets each
//     later change of each peer once, in that peer's order: from the news, or, if the news begin later, from the peer itself,
//     which is asked on the reader's behalf.
// PEERS-READER-2. Readers are told that changes may be missing if they have no place at a peer, if the peer cannot go on there,
//     if more changes are missing than they accept, or if a peer is back after a list lacked its part. They are also told once
//     when a peer goes away. Otherwise they are told nothing.
// PEERS-READER-3. A text that comes as a place, and was not given out as one, counts as no place. Places name no peer and no log.

import { Bell } from "../bell.ts";
import { pause } from "../wait-for.ts";
import { AGAIN_MS, type Heard, type PeerNews } from "./news.ts";
import { type PeerChange, peerStream, type Said } from "./stream.ts";

interface Reading {
  /** What `forUser` makes of the reader. */
  readonly user: string;
  /** The id of the last thing the reader got; undefined for a reader who begins. */
  readonly after?: string | undefined;
  /** If more changes of a peer than this are missing, the reader is told so instead. */
  readonly behindMax?: number | undefined;
  /** Called when there is something to take. */
  readonly wake: () => void;
  /** Aborted when the reader leaves. */
  readonly signal: AbortSignal;
}

/** A place that a reader brings. */
interface Brought {
  readonly key: string;
  readonly n: number;
}

/** What a peer is asked for one reader. */
interface CatchUp {
  readonly said: Said[];
  readonly end: AbortController;
  isOver: boolean;
}

/** Where a reader is at one peer. */
interface At {
  readonly in: Heard;
  n: number;
  /** True if the peer itself has said that it knows the place. */
  isSure: boolean;
  catchUp: CatchUp | undefined;
}

const SEPARATOR = "~";
const PLACE = /^([0-9a-f]{10})\.(\d{1,15})$/;
/** If this many things that a peer said wait for the reader, the peer's stream is read no further. */
const SAID_MAX = 64;

export class PeerReader {
  readonly #news: PeerNews;
  readonly #reading: Reading;
  readonly #taken = new Bell();
  /** The part of the reader's id that is about this engine's log. */
  readonly own: string | undefined;
  /** In the order of the peers. */
  readonly #brought: readonly (Brought | undefined)[];
  readonly #at: (At | undefined)[];
  /** How many changes of the news this reader has gone through. */
  #seq = 0;
  #aways: number;

  constructor(news: PeerNews, reading: Reading) {
    this.#news = news;
    this.#reading = reading;
    const [own, ...places] = reading.after?.split(SEPARATOR) ?? [];
    this.own = own;
    this.#brought = places.map(placeOf);
    this.#at = news.peers.map(() => undefined);
    this.#aways = news.aways;
  }

  /** The places in the form that an id has after the place in this engine's log. */
  get places(): string {
    const texts = this.#at.map((at, peer) => {
      const place = at ? { key: at.in.key, n: at.n } : this.#brought[peer];
      return SEPARATOR + (place ? `${place.key}.${place.n}` : "");
    });
    return texts.join("");
  }

  /** Takes what has come. `places` then lead on from the last change that was taken. `gap`: some changes may be missing. */
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

  /** Finds the reader's place at each peer; asks each peer whose news begin later. @returns whether changes may be missing. */
  settle(): boolean {
    let isGap = this.#aways !== this.#news.aways;
    this.#aways = this.#news.aways;
    for (const peer of this.#news.peers.keys()) {
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

  /** What a peer has said to this reader alone. */
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
    // The peer's later changes may be among the news that this reader went through before, so it goes through all again.
    this.#seq = 0;
    this.#askIfBehind(at);
  }

  /** Reads a peer's stream until the news go on from there. */
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
      // The peer is asked again after a pause.
    }
    if (!isDone) await pause({ clock, ms: AGAIN_MS }, signal);
    catchUp.isOver = true;
    wake();
  }
}

/** @returns undefined for a text that is no place. */
function placeOf(text: string): Brought | undefined {
  const [, key, digits] = PLACE.exec(text) ?? [];
  return key === undefined ? undefined : { key, n: Number(digits) };
}
