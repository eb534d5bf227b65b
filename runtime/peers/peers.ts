// Peers
// The peers: other engines whose sessions this engine's users see, and whose approvals they answer, too.
//
//   Owns:          sending a request to all peers or to one; how long an answer may take; which peers have not answered lately.
//   Does not own:  connections (adapters/line), the addresses of one peer (addresses), which requests are sent
//                  (adapters/http/peers), merging answers (pages, sums), which approvals a peer showed earlier (last-seen).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-1. Each request names the user on whose behalf it is sent. The peer decides what that user may see.
// PEERS-2. If a peer gives no valid answer in time, the answer to the user names that peer.

import { jsonIn } from "../../machines/json.ts";
import { codeOf, type Trouble } from "../errors/trouble.ts";
import { type EngineRequest, type Exchange, textOf } from "../line/exchange.ts";
import type { Clock } from "../ports.ts";
import { LastSeen, type UserQuery } from "./last-seen.ts";
import { FOR_HEADER } from "./on-behalf.ts";
import type { Item } from "./pages.ts";
import { isEngines, whyOf } from "./told.ts";

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

/** The fields of a list or search that also covers peers. */
export interface WithPeers {
  /** The names of the peers that did not answer, so that the answer lacks their parts. */
  readonly partial?: readonly string[];
}

export interface Asked {
  readonly answers: readonly PeerAnswer[];
  readonly silent: readonly string[];
}

/** A list is shown after this time, ms, even if some peers have not answered. */
export const LIST_MS = 300;
/** A peer that was asked for an id and has not answered within this time, ms, counts as silent. */
export const FIND_MS = 5_000;
/** How long one peer may take for an answer, ms: long enough if the answer waits for a disk. */
const ONE_MS = 10_000;

export class Peers {
  readonly all: readonly Peer[];
  readonly lastSeen: LastSeen;
  readonly #clock: Clock;
  /** Since when each peer without a stream has been silent, ms. */
  readonly #silentSince = new Map<string, number>();
  /** Why each peer's last answer did not count: only the error's code, because its message may name addresses. */
  readonly #why = new Map<string, string>();
  /** The peers whose part some answer has lacked; a peer stays here until `tookMissed` is called for it. */
  readonly #missed = new Set<string>();

  constructor(all: readonly Peer[], clock: Clock) {
    this.all = all;
    this.#clock = clock;
    this.lastSeen = new LastSeen(clock);
  }

  /**
   * Asks all peers at once.
   * @param request one request for all peers, or a function that returns each peer's request; undefined for a peer that need not
   * be asked.
   * @param withinMs the time after which a peer counts as silent.
   * @param isWanted returns whether an answer counts; by default, every answer of an engine counts.
   */
  async ask(
    request: PeerRequest | ((peer: string) => PeerRequest | undefined),
    withinMs: number,
    isWanted: (answer: PeerAnswer) => boolean = () => true,
  ): Promise<Asked> {
    const requests = this.all.flatMap((peer) => {
      const one = typeof request === "function" ? request(peer.name) : request;
      return one ? [{ peer, one }] : [];
    });
    const asked = await Promise.all(requests.map(({ peer, one }) => this.#asked(peer, one, withinMs)));
    const told = asked.filter((each) => each !== undefined);
    for (const each of told) if (!isWanted(each)) this.#why.set(each.peer, whyOf(each));
    const answers = told.filter(isWanted);
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

  /** @returns the approvals of a peer that is away, as the peer last told the user; empty if the peer is only late. */
  lastSeenAt(name: string, asked: UserQuery): readonly Item[] {
    const since = this.#silentSince.get(name);
    return since === undefined ? [] : this.lastSeen.of(name, asked, since);
  }

  troubles(): readonly Trouble[] {
    const { size } = this.#silentSince;
    if (size === 0) return [];
    const why = new Set([...this.#silentSince.keys()].flatMap((name) => this.#why.get(name) ?? []));
    const reasons = why.size > 0 ? ` (${[...why].sort().join(", ")})` : "";
    return [
      {
        code: "PEERS_SILENT",
        message: `Other engines that this engine shows do not answer: ${size} of ${this.all.length}${reasons}. Their approvals are shown as last seen, or not at all.`,
        next: "Start the silent engines (lists name them in `partial`), or see why they cannot be reached; their agents' calls keep waiting.",
        since: Math.min(...this.#silentSince.values()),
        isEssential: false,
      },
    ];
  }

  /** Notes whether there is a stream from a peer. A single late answer is no trouble. */
  note(name: string, isHeard: boolean): void {
    if (isHeard) {
      this.#silentSince.delete(name);
      // What was last seen of the peer is forgotten, because it may have changed before the peer's stream began.
      this.lastSeen.forget(name);
    } else if (!this.#silentSince.has(name)) this.#silentSince.set(name, this.#clock.now());
  }

  /** Notes why there is no stream from a peer. */
  noteWhy(name: string, error: unknown): void {
    this.#why.set(name, codeOf(error));
  }

  /** @returns true if an answer has lacked the peer's part since this method was last called for that peer. */
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
      const { status } = answer;
      const told = { peer: name, status, body: jsonIn(await textOf(answer)) };
      if (isEngines(told)) return told;
      this.#why.set(name, whyOf(told));
    } catch (error) {
      if (late.signal.aborted) this.#why.set(name, "no answer in time");
      else this.noteWhy(name, error);
    } finally {
      cancel();
    }
    return undefined;
  }
}
