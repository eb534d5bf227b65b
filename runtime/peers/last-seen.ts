// Last seen
// What each peer last told each user of the approvals that wait there, for as long as the peer is away.
//
//   Owns:          what is remembered, for whom, how much of it and how long.
//   Does not own:  whether a peer is away (peers), what a user may see (the peer), the list that shows it (adapters/http/peers).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// LAST-SEEN-1. A user is shown only approvals that the peer itself last told to a user of the same name and the same rights, who
//     may still come in: in answer to the same list, or to a request for one approval. Approvals that were settled since then,
//     as far as the peer said so, are not shown. Once the peer is back, all that it told before is forgotten.
// LAST-SEEN-2. However much peers tell, a bounded number of approvals is kept: of each peer, each user, and in all. None is shown
//     that was told more than a day ago.

import { type Fields, isFields } from "../../machines/json.ts";
import type { Clock } from "../ports.ts";
import type { Item } from "./pages.ts";

/** A user's query for approvals. */
export interface UserQuery {
  /** What `forUser` makes. */
  readonly user: string;
  /** Aborted once the user may no longer come in. */
  readonly gone: AbortSignal;
  readonly query: URLSearchParams;
}

/** What a peer told a user of one list. */
interface Told extends UserQuery {
  readonly peer: string;
  /** ms. */
  readonly at: number;
  readonly items: readonly Item[];
}

/** Numbers of approvals. A list without approvals counts as one approval. */
const LIST_MAX = 100;
const USER_MAX = 1_000;
const ALL_MAX = 5_000;
const SHOWN_MS = 24 * 3_600_000;

export class LastSeen {
  readonly #clock: Clock;
  /** By peer, user and list; what was told last comes last. */
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes the first page of a list. A peer that refuses it gives none. */
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

  /** Notes one approval that a peer gave: while it waits, in those lists of the user that should show it. */
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

  /** Drops the approval of a change that says that it no longer waits. */
  hear(peer: string, { entity, view }: Fields): void {
    if (entity === "approval" && isFields(view) && view["state"] !== "pending") this.#settled(peer, view);
  }

  /** Forgets all that a peer told. */
  forget(peer: string): void {
    this.#drop((told) => told.peer === peer);
  }

  /** @param since when the peer went away, ms. @returns the approvals that it had then, as far as it told this user. */
  of(peer: string, { user, query }: UserQuery, since: number): readonly Item[] {
    const told = this.#told.get(keyOf(peer, user, listOf(query)));
    if (!told || !this.#isShown(told)) return [];
    return told.items.map((item) => ({ ...item, lastSeenAt: Math.max(since, told.at) }));
  }

  #isShown({ gone, at }: Told): boolean {
    return !gone.aborted && this.#clock.now() - at <= SHOWN_MS;
  }

  /** No user's list shows the approval any more. */
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

  /** Drops what was told longest ago, until neither one user nor all together have too much (LAST-SEEN-2). */
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

/** The parameters that say which list it is: all except the length of a page. */
function listOf(query: URLSearchParams): URLSearchParams {
  const list = new URLSearchParams(query);
  list.delete("limit");
  list.sort();
  return list;
}

const keyOf = (peer: string, user: string, list: URLSearchParams): string => [peer, user, list].join("\n");
