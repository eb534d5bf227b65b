// Peers
// The other engines whose sessions this engine's users see and answer, too.
//
//   Owns:          asking all of them, or one; how long an answer may take; who has not answered lately.
//   Does not own:  connections (adapters/line), the addresses of one peer (addresses), what is asked (adapters/http/peers),
//                  merging answers (pages, sums), what a peer told earlier (last-seen).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-1. Each request names the user on whose behalf it is sent. The peer decides what that user may see.
// PEERS-2. A peer that does not answer in time is named in the answer, never left out in silence.

import { jsonIn } from "../../machines/json.ts";
import type { Trouble } from "../errors/trouble.ts";
import { type EngineRequest, type Exchange, textOf } from "../line/exchange.ts";
import type { Clock } from "../ports.ts";
import { tells } from "./addresses.ts";
import { LastSeen, type UserQuery } from "./last-seen.ts";
import { FOR_HEADER } from "./on-behalf.ts";
import type { Item } from "./pages.ts";

export interface Peer {
  readonly name: string;
  readonly exchange: Exchange;
}

/** A request to peers. `user` is what `forUser` makes. */
export interface PeerRequest extends Pick<EngineRequest, "method" | "path" | "headers" | "body"> {
  readonly user: string;
}

export interface PeerAnswer {
  readonly peer: string;
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** What a list or search has that also covers peers. */
export interface WithPeers {
  /** The names of the peers that did not answer, so that their part is missing. */
  readonly partial?: readonly string[];
}

export interface Asked {
  readonly answers: readonly PeerAnswer[];
  /** The names of the peers that did not answer. */
  readonly silent: readonly string[];
}

/** A list is shown after this time, even if some peers have not answered. */
export const LIST_MS = 300;
/** A peer that was asked for an id, and has not answered within this time, counts as silent. */
export const FIND_MS = 5_000;
/** The time that one peer has for an answer: enough for an answer that waits for a disk. */
const ONE_MS = 10_000;

export class Peers {
  readonly all: readonly Peer[];
  readonly lastSeen: LastSeen;
  readonly #clock: Clock;
  /** Since when each peer without a stream has been silent, ms. */
  readonly #silentSince = new Map<string, number>();
  /** The peers whose part some answer has lacked. */
  readonly #missed = new Set<string>();

  constructor(all: readonly Peer[], clock: Clock) {
    this.all = all;
    this.#clock = clock;
    this.lastSeen = new LastSeen(clock);
  }

  /**
   * Asks all peers at once.
   * @param request one for all peers, or a function that gives each peer's; undefined for a peer that need not be asked.
   * @param withinMs the time after which a peer counts as silent.
   */
  async ask(
    request: PeerRequest | ((peer: string) => PeerRequest | undefined),
    withinMs: number,
  ): Promise<Asked> {
    const requests = this.all.flatMap((peer) => {
      const one = typeof request === "function" ? request(peer.name) : request;
      return one ? [{ peer, one }] : [];
    });
    const asked = await Promise.all(requests.map(({ peer, one }) => this.#asked(peer, one, withinMs)));
    const answers = asked.filter((each) => each !== undefined);
    const heard = new Set(answers.map(({ peer }) => peer));
    const silent = requests.map(({ peer }) => peer.name).filter((name) => !heard.has(name));
    for (const name of silent) this.#missed.add(name);
    return { answers, silent };
  }

  /** Asks one peer. @returns undefined if it does not answer. */
  async askOne(name: string, request: PeerRequest): Promise<PeerAnswer | undefined> {
    const peer = this.all.find((each) => each.name === name);
    return peer && this.#asked(peer, request, ONE_MS);
  }

  /** @returns the approvals of a peer that is away, as it last told the user; no approvals if the peer is only late. */
  lastSeenAt(name: string, asked: UserQuery): readonly Item[] {
    const since = this.#silentSince.get(name);
    return since === undefined ? [] : this.lastSeen.of(name, asked, since);
  }

  troubles(): readonly Trouble[] {
    const { size } = this.#silentSince;
    if (size === 0) return [];
    return [
      {
        code: "PEERS_SILENT",
        message: `Engines that are shown here, too, do not answer: ${size} of ${this.all.length}. What waits there is shown as last seen, or not at all.`,
        next: "Lists name them in `partial`. Start them, or see why they cannot be reached; their agents' calls keep waiting.",
        since: Math.min(...this.#silentSince.values()),
        isEssential: false,
      },
    ];
  }

  /** Notes whether there is a stream from a peer. A single late answer is no trouble. */
  note(name: string, isHeard: boolean): void {
    if (isHeard) {
      this.#silentSince.delete(name);
      // This engine does not know what changed at the peer before the stream began.
      this.lastSeen.forget(name);
    } else if (!this.#silentSince.has(name)) this.#silentSince.set(name, this.#clock.now());
  }

  /** @returns whether an answer has lacked the part of a peer since this was last asked. */
  tookMissed(name: string): boolean {
    return this.#missed.delete(name);
  }

  async #asked(
    { name, exchange }: Peer,
    { user, headers, ...request }: PeerRequest,
    withinMs: number,
  ): Promise<PeerAnswer | undefined> {
    const late = new AbortController();
    const cancel = this.#clock.after(withinMs, () => late.abort());
    try {
      const answer = await exchange({
        ...request,
        headers: { ...headers, [FOR_HEADER]: user },
        signal: late.signal,
      });
      const body = jsonIn(await textOf(answer));
      return tells(answer) ? { peer: name, status: answer.status, body } : undefined;
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }
}
