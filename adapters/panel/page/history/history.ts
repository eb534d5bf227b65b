// History
// A session's history from the engine's change log: every state that an actor entered, with its view at that time.
//
//   Owns:          reading the log backwards from its end, following new changes, the chosen moment.
//   Does not own:  what is shown of a moment, the state before the part that was read (before.ts), choosing among changes
//                  that were read (changes.ts).
//
// HISTORY-HISTORY-1. A moment is a version of the session. The page builds it from the changes up to that version, and
//     runs no machine again.
// HISTORY-HISTORY-2. The shown history has no hole: missed changes are read, or everything before them is dropped.
// HISTORY-HISTORY-3. Of a long session's present, the newest part is told first, and the rest of the first page right after.

import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import { type ApiError, ask, refusal } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";
import { type Standing, standingBefore } from "./before.ts";
import { isOfCall, merged } from "./changes.ts";

export interface Told {
  /** The changes that were read, by ascending version. */
  readonly changes: readonly StateChange[];
  /** The present state of the session, and of the requests about which the changes that were read tell too little. */
  readonly standing: readonly Standing[];
  readonly isLoading: boolean;
  /** Where to read on backwards; absent once the beginning of the log was read. */
  readonly olderCursor?: string;
  readonly failure?: ApiError;
}

/** The one actor whose changes are wanted: by its id; or a call by its id, with the changes of its approvals. */
export type Only = { readonly id: string } | { readonly call: string };

const PAGE = 1_000;
/** How many changes are told first: more than fill a screen. */
const FIRST = 200;
/** At most this many pages are read in a row to find the changes of one actor. */
const SEARCHED_MAX = 30;

export class History {
  readonly told = new Value<Told>({ changes: [], standing: [], isLoading: true });
  /** The version that is shown; undefined for the newest, whatever it is. */
  readonly moment = new Value<number | undefined>(undefined);
  readonly #workspace: string;
  readonly #session: string;
  readonly #only: Only | undefined;
  #isEnded = false;
  readonly #ends: readonly (() => void)[];

  /**
   * @param only the one actor whose changes are wanted; without it, all of the session's changes.
   * @param isInParts true if the newest part of the first page is to be told at once (HISTORY-HISTORY-3).
   */
  constructor(workspace: string, session: string, only?: Only, isInParts = false) {
    this.#workspace = workspace;
    this.#session = session;
    this.#only = only;
    this.#ends = [
      follow.onChanges((changes) => this.#take(changes.filter((change) => this.#isMine(change)))),
      follow.onResync(() => void this.#read(undefined)),
    ];
    void this.#open(isInParts);
  }

  end(): void {
    this.#isEnded = true;
    for (const end of this.#ends) end();
  }

  /** Reads again what could not be read. */
  again(): Promise<void> {
    return this.#read(undefined);
  }

  async older(): Promise<void> {
    const { olderCursor, isLoading } = this.told.get();
    if (olderCursor !== undefined && !isLoading) await this.#read(olderCursor);
  }

  /** Reads back to the beginning of the log, a page at a time. */
  async all(): Promise<void> {
    for (;;) {
      const { olderCursor: before, isLoading } = this.told.get();
      if (before === undefined || isLoading) return;
      await this.#read(before);
      // The last page could not be read, or the view was closed meanwhile: reading on would never end.
      if (this.told.get().olderCursor === before || this.#isEnded) return;
    }
  }

  #isMine(change: StateChange): boolean {
    const { workspace, sessionId, id } = change;
    if (workspace !== this.#workspace || sessionId !== this.#session) return false;
    if (this.#only === undefined) return true;
    return "call" in this.#only ? isOfCall(change, this.#only.call) : id === this.#only.id;
  }

  async #open(isInParts: boolean): Promise<void> {
    await this.#read(undefined, isInParts ? FIRST : PAGE);
    const { olderCursor, isLoading } = this.told.get();
    if (isInParts && olderCursor !== undefined && !isLoading) await this.#read(olderCursor, PAGE - FIRST);
  }

  async #read(cursor: string | undefined, limit = PAGE): Promise<void> {
    const { failure: _, ...before } = this.told.get();
    this.told.set({ ...before, isLoading: true });
    try {
      const page = await this.#page(cursor, limit);
      const { changes, olderCursor } = this.told.get();
      const known = { items: changes, ...defined({ nextCursor: olderCursor }) };
      const now =
        cursor === undefined ? this.#joined(known, page) : { ...page, items: merged(changes, page.items) };
      this.told.set({
        changes: now.items,
        standing: before.standing,
        isLoading: false,
        ...defined({ olderCursor: now.nextCursor }),
      });
      await this.#readBefore(now);
    } catch (error) {
      this.told.set({ ...this.told.get(), isLoading: false, failure: refusal(error) });
    }
  }

  async #page(from: string | undefined, limit: number): Promise<Page<StateChange>> {
    const path = `/v1/sessions/${this.#session}/history`;
    const ended = this.#only === undefined ? 1 : SEARCHED_MAX;
    let cursor = from;
    for (let pages = 1; ; pages += 1) {
      const wish = { workspace: this.#workspace, ...this.#only, limit, cursor };
      const page = await ask<Page<StateChange>>(path, wish);
      if (page.items.length > 0 || page.nextCursor === undefined || pages === ended) return page;
      cursor = page.nextCursor;
    }
  }

  /** Joins the newest page to the known changes, or drops these if changes between are missing (HISTORY-HISTORY-2). */
  #joined(known: Page<StateChange>, newest: Page<StateChange>): Page<StateChange> {
    const first = newest.items.at(-1)?.version ?? 0;
    const [oldest, last] = [known.items[0]?.version ?? first, known.items.at(-1)?.version ?? 0];
    const isReached = this.#only === undefined && oldest < first && first <= last + 1;
    const kept = isReached ? known.items : known.items.filter(({ version }) => version >= first);
    return { ...(isReached ? known : newest), items: merged(kept, newest.items) };
  }

  async #readBefore({ items, nextCursor }: Page<StateChange>): Promise<void> {
    if (this.#only !== undefined) return;
    const standing =
      nextCursor === undefined ? [] : await standingBefore(this.#workspace, this.#session, items);
    this.told.set({ ...this.told.get(), standing });
  }

  #take(changes: readonly StateChange[]): void {
    if (changes.length === 0) return;
    const now = this.told.get();
    this.told.set({ ...now, changes: merged(now.changes, changes) });
  }
}
