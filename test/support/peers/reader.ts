// Reader
// An engine with peers, and a reader of its stream who reads the lists anew whenever they are told to.
//
//   Owns:          what the reader knows of each peer; that they get each change once, and none is missing.
//   Does not own:  what happens to peers and reader (the tests).

import { expect } from "vitest";
import { EVERYTHING } from "../../../runtime/access-token.ts";
import { PeerNews } from "../../../runtime/peers/news.ts";
import { forUser } from "../../../runtime/peers/on-behalf.ts";
import { Peers } from "../../../runtime/peers/peers.ts";
import { PeerReader } from "../../../runtime/peers/reader.ts";
import type { PeerChange } from "../../../runtime/peers/stream.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import type { StreamingPeer } from "./streaming.ts";

/** Long enough for whatever was sent to be read. */
export async function settled(): Promise<void> {
  for (let n = 0; n < 12; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Known {
  readonly log: string;
  /** The newest change that a list or the stream has shown. */
  readonly n: number;
}

/** What the reader got up to an id. */
interface Held {
  readonly id: string | undefined;
  readonly known: readonly (Known | undefined)[];
}

export class Inbox {
  readonly clock = new ManualClock(1_000);
  readonly peers: readonly StreamingPeer[];
  /** How often the reader was told that changes may be missing. */
  gaps = 0;
  #news: PeerNews | undefined;
  #asking: Peers | undefined;
  #reader: PeerReader | undefined;
  #gone = new AbortController();
  #held: Held[];
  readonly #workspaces: readonly string[];
  readonly #behindMax: number | undefined;

  /** @param workspaces the only ones that the reader may see; all if empty. */
  constructor(peers: readonly StreamingPeer[], workspaces: readonly string[] = [], behindMax?: number) {
    this.peers = peers;
    this.#workspaces = workspaces;
    this.#behindMax = behindMax;
    this.#held = [{ id: undefined, known: peers.map(() => undefined) }];
    this.start();
  }

  /** The places that the reader has. */
  get id(): string | undefined {
    return this.#held.at(-1)?.id;
  }

  /** The reader comes back with this id. */
  set id(id: string | undefined) {
    this.#leave();
    this.#held = this.#held.map((each) => ({ ...each, id }));
  }

  /** A new process does not know that a list lacked a part. Whoever has such a list reads it anew (decision 101). */
  start(): void {
    this.#leave();
    this.#news?.stop();
    if (this.#held.at(-1)?.known.includes(undefined) === true) this.id = undefined;
    const all = this.peers.map(({ exchange }, n) => ({ name: `p${n}`, exchange }));
    this.#asking = new Peers(all, this.clock);
    this.#news = new PeerNews(this.#asking, this.clock);
    this.#news.start();
  }

  stop(): void {
    this.#leave();
    this.#news?.stop();
  }

  /** The reader's connection breaks: the last things that were sent have not come, except what they began with. */
  cut(lost = 0): void {
    this.#leave();
    this.#held = this.#held.slice(0, Math.max(2, this.#held.length - lost));
  }

  /** A list is read, which lacks the part of those that are away: whatever the stream has said, the reader does not know it. */
  async list(): Promise<void> {
    const isThere = (_: unknown, at: number): boolean => this.peers[at]?.isAway === false;
    this.#held = this.#held.map(({ id, known }) => ({
      id,
      known: known.map((each, at) => (isThere(each, at) ? each : undefined)),
    }));
    await this.#asking?.ask({ method: "GET", path: "/v1/approvals", user: this.#user }, 300);
  }

  /** The reader comes back if they are away, and takes what there is, this many things at most. */
  async take(most = Infinity): Promise<readonly PeerChange[]> {
    await settled();
    const reader = this.#reader ?? this.#comes();
    const taken: PeerChange[] = [];
    let count = 0;
    for (const each of reader.take()) {
      if (each === "gap") await this.#gap(reader);
      else if (this.#sees(each.workspace)) {
        this.#change(each, reader.places);
        taken.push(each);
      }
      count += 1;
      if (count >= most) break;
    }
    await settled();
    return taken;
  }

  /** Nothing is missing, once all peers are there and everything was taken. */
  expectWhole(): void {
    for (const [at, peer] of this.peers.entries()) {
      const known = this.#held.at(-1)?.known[at];
      expect(known?.log).toBe(peer.log);
      expect(known?.n).toBeLessThanOrEqual(peer.changes.length);
      expect(this.#nextAfter(peer, known?.n ?? 0)).toBeUndefined();
    }
  }

  get #user(): string {
    const limit = this.#workspaces.length > 0 && { workspaces: new Set(this.#workspaces) };
    return forUser({ name: "ann", access: { ...EVERYTHING, ...limit } });
  }

  #sees(workspace: string): boolean {
    return this.#workspaces.length === 0 || this.#workspaces.includes(workspace);
  }

  #comes(): PeerReader {
    if (!this.#news) throw new Error("unreachable: it is started");
    this.#gone = new AbortController();
    const after = this.id === undefined ? undefined : `own-0${this.id}`;
    const [user, behindMax, wake] = [this.#user, this.#behindMax, () => undefined];
    this.#reader = new PeerReader(this.#news, { user, after, behindMax, wake, signal: this.#gone.signal });
    return this.#reader;
  }

  #leave(): void {
    this.#gone.abort();
    this.#reader = undefined;
  }

  async #gap({ places: id }: PeerReader): Promise<void> {
    this.gaps += 1;
    const known = this.peers.map(({ log, changes }) => ({ log, n: changes.length }));
    this.#held.push({ id, known });
    await this.list();
  }

  #change(change: PeerChange, id: string): void {
    const at = Number(change.engine.slice(1));
    const n = Number(change["n"]);
    const before = this.#held.at(-1)?.known ?? [];
    const known = before[at];
    const peer = this.peers[at];
    const places = (text: string | undefined): number =>
      Number(text?.split("~")[at + 1]?.split(".")[1] ?? -1);
    expect(places(id)).toBe(n);
    // Nothing comes twice for one place; after a list was read, a change may be in both.
    if (places(this.id) >= 0) expect(n).toBeGreaterThan(places(this.id));
    const isThere = peer?.log === known?.log && n <= (peer?.changes.length ?? 0);
    if (known && peer && isThere && n > known.n)
      expect(n, `after ${known.n} of p${at}`).toBe(this.#nextAfter(peer, known.n));
    const log = peer?.log ?? "";
    const now = before.map((each, of) =>
      of === at && each?.log === log ? { log, n: Math.max(each.n, n) } : each,
    );
    this.#held.push({ id, known: now });
  }

  /** The number of the next change that the reader may see. */
  #nextAfter(peer: StreamingPeer, n: number): number | undefined {
    const found = peer.changes.findIndex(
      (workspace, at) => at >= n && this.#sees(workspace) && (peer.tokenSees?.includes(workspace) ?? true),
    );
    return found === -1 ? undefined : found + 1;
  }
}
