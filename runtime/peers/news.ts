// News
// The changes of the peers' sessions, as they come.
//
//   Owns:          one stream from each peer, connecting again, the newest changes of all of them.
//   Does not own:  a single stream (stream), the place of each reader (reader), the connections (adapters/line).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-NEWS-1. A stream that broke goes on where it broke. If the peer cannot go on there, or if a list meanwhile lacked the
//     peer's part, a new part of the news (`Heard`) begins. No reader goes on from one part to the next without being told.
// PEERS-NEWS-2. However many changes come, a bounded number is kept.
// PEERS-NEWS-3. Readers are told once that a peer is away, and not of a stream that goes on within some seconds.

import { hash } from "node:crypto";
import { EVERYTHING } from "../access-token.ts";
import { Bell } from "../bell.ts";
import type { Clock } from "../ports.ts";
import { pause } from "../wait-for.ts";
import { forUser } from "./on-behalf.ts";
import type { Peer, Peers } from "./peers.ts";
import { type PeerChange, peerStream, type Said } from "./stream.ts";

/** A part of the changes in a peer's log, in which none is missing. */
export interface Heard {
  /** The peer's number in the list of peers. */
  readonly peer: number;
  readonly log: string;
  /** Stands for the log and `since`, but reveals neither them nor the peer's name. */
  readonly key: string;
  /** When the peer came back after a list had lacked its part; 0 if that never happened. */
  readonly since: number;
  /** All its changes after this number, up to `at`, are kept. */
  from: number;
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
/** After how many attempts in a row to reach a peer, within three seconds, the peer counts as away. */
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
  #aways = 0;

  constructor(peers: Peers, clock: Clock) {
    this.#peers = peers;
    this.peers = peers.all;
    this.clock = clock;
    this.#heard = peers.all.map(() => undefined);
  }

  /** How many changes have come. */
  get count(): number {
    return this.#count;
  }

  /** How often a peer was found to be away. */
  get aways(): number {
    return this.#aways;
  }

  /** @returns undefined for a peer that has not been heard since the start. */
  heard(peer: number): Heard | undefined {
    return this.#heard[peer];
  }

  /** @param seq how many changes came before the wanted one. @returns undefined if the wanted change is no longer kept. */
  kept(seq: number): Kept | undefined {
    return this.#kept[seq - this.oldest];
  }

  /** How many changes came before the oldest one that is kept. */
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
      if (tries === TRIES && this.#heard[at]) {
        this.#aways += 1;
        this.#bell.ring();
      }
      const ms = Math.min(AGAIN_MS * 2 ** Math.max(0, tries - 1), AGAIN_MAX_MS);
      await pause({ clock: this.clock, ms }, signal);
    }
  }

  /** Reads one stream to its end. @returns whether it had begun. */
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
    } catch {
      // The caller connects again.
    }
    return isHeard;
  }

  #hear(said: Exclude<Said, { type: "refused" }>, peer: number, isBack: boolean): void {
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
