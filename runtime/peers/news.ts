// News
// Collects the changes of the peers' sessions as they come. A peer is another engine whose sessions this engine shows.
//
//   Owns:          one stream of changes from each peer, connecting again, storing the newest changes of all peers.
//   Does not own:  a single stream (stream), the place of each reader (reader), the connections (adapters/line).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-NEWS-1. After a stream has broken, the next stream begins with the next change. If the peer cannot continue there, or
//     if a list was shown meanwhile without the peer's items, a new section of the news (`Heard`) begins. A reader that goes
//     from one section to the next is always told that changes may be missing.
// PEERS-NEWS-2. However many changes come, only a limited number of them is stored.
// PEERS-NEWS-3. Readers are told once that a peer is away, but not if its stream continues within some seconds. A reader who was
//     not connected when the peer went away is told on coming back, if the peer is still away.

import { hash } from "node:crypto";
import { EVERYTHING } from "../access-token.ts";
import { Bell } from "../bell.ts";
import type { Clock } from "../ports.ts";
import { pause } from "../wait-for.ts";
import { forUser } from "./on-behalf.ts";
import type { Peer, Peers } from "./peers.ts";
import { type PeerChange, peerStream, type Said } from "./stream.ts";

/** A stretch of a peer's change log of which this engine received every change. */
export interface Heard {
  /** The peer's index in the list of peers. */
  readonly peer: number;
  readonly log: string;
  /** A key made of the log and `since`. The key reveals neither of these, nor the peer's name. */
  readonly key: string;
  /** When the peer was reached again, ms, after a list had been shown without the peer's items; 0 if that never happened. */
  readonly since: number;
  /** This engine keeps all changes of the log after this number, up to `at`. */
  from: number;
  /** The number of the newest change that was heard. */
  at: number;
}

export interface Kept {
  readonly in: Heard;
  readonly n: number;
  readonly change: PeerChange;
}

const KEPT_MAX = 1_024;
export const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;
/** A peer counts as away after this many failed attempts in a row to reach it. They take about three seconds. */
const TRIES = 2;

export class PeerNews {
  readonly peers: readonly Peer[];
  readonly clock: Clock;
  readonly #peers: Peers;
  readonly #stopping = new AbortController();
  readonly #bell = new Bell();
  readonly #heard: (Heard | undefined)[];
  #kept: Kept[] = [];
  #count = 0;
  /** Since when each peer has been away, ms; undefined for a peer that is not away. */
  readonly #awaySince: (number | undefined)[];

  constructor(peers: Peers, clock: Clock) {
    this.#peers = peers;
    this.peers = peers.all;
    this.clock = clock;
    this.#heard = peers.all.map(() => undefined);
    this.#awaySince = peers.all.map(() => undefined);
  }

  /** How many changes have arrived from all peers. */
  get count(): number {
    return this.#count;
  }

  /** @returns since when a peer has been away, ms; undefined for a peer that is not away. */
  awaySince(peer: number): number | undefined {
    return this.#awaySince[peer];
  }

  /** @returns undefined for a peer that has not been heard since the start. */
  heard(peer: number): Heard | undefined {
    return this.#heard[peer];
  }

  /** @param seq how many changes arrived before the wanted one. @returns the change; undefined if it is no longer kept. */
  kept(seq: number): Kept | undefined {
    return this.#kept[seq - this.oldest];
  }

  /** How many changes arrived before the oldest change that is still kept. */
  get oldest(): number {
    return this.#count - this.#kept.length;
  }

  /** @returns a function that ends the subscription. */
  onNews(listener: () => void): () => void {
    return this.#bell.rings(listener);
  }

  start(): void {
    for (const [at, peer] of this.peers.entries()) void this.#follow(peer, at);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #follow(peer: Peer, at: number): Promise<void> {
    // Each peer has its own signal, because Node warns if one signal has more than ten listeners.
    const signal = AbortSignal.any([this.#stopping.signal]);
    for (let tries = 1; !signal.aborted; tries += 1) {
      if (await this.#read(peer, at, signal)) tries = 0;
      this.#peers.note(peer.name, false);
      if (tries === TRIES) {
        this.#awaySince[at] = this.clock.now();
        this.#bell.ring();
      }
      const ms = Math.min(AGAIN_MS * 2 ** Math.max(0, tries - 1), AGAIN_MAX_MS);
      await pause({ clock: this.clock, ms }, signal);
    }
  }

  /** Reads one stream of a peer to its end. @returns true if the stream had begun. */
  async #read(peer: Peer, at: number, signal: AbortSignal): Promise<boolean> {
    let isHeard = false;
    try {
      const before = this.#heard[at];
      const wish = { user: ENGINE, after: before && { log: before.log, n: before.at } };
      for await (const said of peerStream(peer, wish, this.clock, signal)) {
        if (said.type === "refused") break;
        if (said.type === "change") this.#peers.lastSeen.hear(peer.name, said.change);
        else if (said.type === "resync") this.#peers.lastSeen.forget(peer.name);
        this.#hear(said, at, !isHeard && this.#peers.tookMissed(peer.name));
        if (!isHeard) this.#peers.note(peer.name, true);
        isHeard = true;
      }
    } catch (error) {
      // The caller connects again, after a pause.
      this.#peers.noteWhy(peer.name, error);
    }
    return isHeard;
  }

  #hear(said: Exclude<Said, { type: "refused" }>, peer: number, isBack: boolean): void {
    this.#awaySince[peer] = undefined;
    let heard = this.#heard[peer];
    const { type, log, n } = said;
    if (!heard || isBack || type === "resync" || heard.log !== log) {
      const before = heard?.since ?? 0;
      const since = isBack ? Math.max(this.clock.now(), before + 1) : before;
      const key = keyOf([this.peers[peer]?.name, log, since]);
      heard = { peer, log, key, since, from: n, at: n };
      this.#heard[peer] = heard;
    } else if (n > heard.at) {
      heard.at = n;
      if (type === "change") this.#keep({ in: heard, n, change: said.change });
    }
    this.#bell.ring();
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#count += 1;
    if (this.#kept.length <= 2 * KEPT_MAX) return;
    for (const gone of this.#kept.splice(0, KEPT_MAX)) gone.in.from = gone.n;
  }
}

const KEY_CHARS = 10;
const keyOf = (parts: readonly unknown[]): string =>
  hash("sha256", JSON.stringify(parts), "hex").slice(0, KEY_CHARS);

const ENGINE = forUser({ name: "engine", access: EVERYTHING });
