// Last seen
// Remembers which waiting approvals each peer (another engine whose sessions this engine shows) last sent for each user, in
// order to show them while the peer is away.
//
//   Owns:          which approvals of a peer are remembered, for which user, how many and how long.
//   Does not own:  whether a peer is away (peers), what a user may see (the peer), the list that shows the remembered approvals
//                  (adapters/http/peers).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// LAST-SEEN-1. While a peer is away, a user who still has access is shown only approvals that the peer itself last sent for a
//     user of the same name and with the same rights, in answer to the same query for a list or to a query for one approval. An
//     approval is not shown if the peer has reported since that it was settled. Once the peer is back, everything that it sent
//     before is forgotten.
// LAST-SEEN-2. A limited number of approvals is remembered for each peer, for each user and in all, and no approval is shown
//     after a day.

import { type Fields, isFields } from "../../machines/json.ts";
import type { Clock } from "../ports.ts";
import type { Item } from "./pages.ts";

/** A user's query for approvals. */
export interface UserQuery {
  /** The user, as the text that `forUser` makes. */
  readonly user: string;
  /** Aborted once the user's access has ended. */
  readonly gone: AbortSignal;
  readonly query: URLSearchParams;
}

/** What a peer told a user about one list of approvals. */
interface Told extends UserQuery {
  readonly peer: string;
  /** When the peer told the user, ms. */
  readonly at: number;
  readonly items: readonly Item[];
}

/**
 * The most approvals that are remembered of one list at one peer. For `LIST_MAX`, `USER_MAX` and `ALL_MAX`, an empty list counts
 * as one approval.
 */
const LIST_MAX = 100;
/** The most approvals that are remembered of all lists of one user. */
const USER_MAX = 1_000;
/** The most approvals that are remembered of all users together. */
const ALL_MAX = 5_000;
/** For how long an approval is shown after its peer last reported it, ms. */
const SHOWN_MS = 24 * 3_600_000;

export class LastSeen {
  readonly #clock: Clock;
  /** What peers told, by peer, user and list; the newest comes last. */
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes the first page of a list. @param items empty if the peer refused the list. */
  list(peer: string, { query, ...asked }: UserQuery, items: readonly Item[]): void {
    const list = listOf(query);
    const key = keyOf(peer, asked.user, list);
    this.#drop((each) => !this.#isShown(each));
    this.#told.delete(key);
    this.#told.set(key, {
      ...{ peer, ...asked, query: list },
      ...{ at: this.#clock.now(), items: items.slice(0, LIST_MAX) },
    });
    this.#bound(asked.user);
  }

  /**
   * Notes one approval that a peer returned: adds it to those lists of the user that should contain it. If it no longer waits,
   * removes it from all lists.
   */
  one(peer: string, { user, query }: UserQuery, approval: Item): void {
    const { workspace, state } = approval;
    if (state !== "pending") return this.#settled(peer, approval);
    this.#change(peer, ({ items, ...told }) => {
      const isIn = (told.query.get("workspace") ?? workspace) === workspace;
      const isAlike = told.user === user && told.query.get("with") === query.get("with");
      return isIn && isAlike ? [...without(items, approval), approval].slice(0, LIST_MAX) : items;
    });
    this.#bound(user);
  }

  /** Drops an approval once a change says that the approval no longer waits. */
  hear(peer: string, { entity, view }: Fields): void {
    if (entity === "approval" && isFields(view) && view["state"] !== "pending") this.#settled(peer, view);
  }

  /** Forgets everything that a peer told. */
  forget(peer: string): void {
    this.#drop((told) => told.peer === peer);
  }

  /**
   * @param since when the peer went away, ms.
   * @returns the approvals that the peer had when it went away, as far as the peer told this user.
   */
  of(peer: string, { user, query }: UserQuery, since: number): readonly Item[] {
    const told = this.#told.get(keyOf(peer, user, listOf(query)));
    if (!told || !this.#isShown(told)) return [];
    return told.items.map((item) => ({ ...item, lastSeenAt: Math.max(since, told.at) }));
  }

  #isShown({ gone, at }: Told): boolean {
    return !gone.aborted && this.#clock.now() - at <= SHOWN_MS;
  }

  /** Removes an approval that was settled from the lists of all users. */
  #settled(peer: string, approval: Item): void {
    this.#change(peer, ({ items }) => without(items, approval));
  }

  #change(peer: string, next: (told: Told) => readonly Item[]): void {
    for (const [key, told] of this.#told)
      if (told.peer === peer) this.#told.set(key, { ...told, items: next(told) });
  }

  #drop(isDropped: (told: Told) => boolean): void {
    for (const [key, told] of this.#told) if (isDropped(told)) this.#told.delete(key);
  }

  /** Drops what peers told longest ago, until neither one user nor all users together have too many approvals (LAST-SEEN-2). */
  #bound(of: string): void {
    this.#fit(USER_MAX, ({ user }) => user === of);
    this.#fit(ALL_MAX, () => true);
  }

  #fit(max: number, counts: (told: Told) => boolean): void {
    let over = -max;
    for (const told of this.#told.values()) if (counts(told)) over += weightOf(told);
    this.#drop((told) => {
      if (over <= 0 || !counts(told)) return false;
      over -= weightOf(told);
      return true;
    });
  }
}

const weightOf = ({ items }: Told): number => Math.max(1, items.length);

const without = (items: readonly Item[], { workspace, id }: Item): readonly Item[] =>
  items.filter((each) => each["workspace"] !== workspace || each["id"] !== id);

/** The parameters of a query that distinguish lists: all except the length of a page. */
function listOf(query: URLSearchParams): URLSearchParams {
  const list = new URLSearchParams(query);
  list.delete("limit");
  list.sort();
  return list;
}

const keyOf = (peer: string, user: string, list: URLSearchParams): string => [peer, user, list].join("\n");
