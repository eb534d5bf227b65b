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
// HISTORY-HISTORY-3. The page shows the newest part of a long session first, and the rest once that part is drawn.
// HISTORY-HISTORY-4. For a single machine, the page shows the present state first, however far back in the log the machine's
//     changes are.

import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { Standing, StandingPage } from "../../../../runtime/reading/standing/left-open.ts";
import { type ApiError, refusal } from "../engine/api.ts";
import { drawn } from "../engine/drawn.ts";
import { follow } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";
import { isOfCall, merged } from "./changes.ts";
import { askPage, firstOf, PAGE, type Place } from "./first-page.ts";

export interface Told {
  /** The changes that were read, by ascending version. */
  readonly changes: readonly StateChange[];
  /** The present views of actors whose state cannot be found in the changes that were read. */
  readonly standing: readonly Standing[];
  readonly isLoading: boolean;
  /** The cursor of the next older page; absent once the beginning of the log was read. */
  readonly olderCursor?: string;
  readonly failure?: ApiError;
}

/** At most this many pages are read in a row to find the changes of one actor. */
const SEARCHED_MAX = 30;

export class History {
  readonly told = new Value<Told>({ changes: [], standing: [], isLoading: true });
  /** The version that is shown; undefined for the newest, whatever it is. */
  readonly moment = new Value<number | undefined>(undefined);
  readonly #place: Place;
  #isEnded = false;
  readonly #ends: readonly (() => void)[];

  /** @param place a session, to read all its changes; or a machine, to read only its own changes. */
  constructor(place: Place) {
    this.#place = place;
    this.#ends = [
      follow.onChanges((changes) => this.#take(changes.filter((change) => this.#isMine(change)))),
      follow.onResync(() => void this.#read(undefined)),
    ];
    void this.#open(firstOf(place));
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
    const at = this.#place;
    if (workspace !== at.workspace || sessionId !== at.session) return false;
    if (!("id" in at)) return true;
    return at.kind === "call" ? isOfCall(change, at.id) : id === at.id;
  }

  async #open(first: number): Promise<void> {
    await this.#read(undefined, first);
    if (first === PAGE) return;
    await drawn();
    const { olderCursor, isLoading } = this.told.get();
    if (olderCursor !== undefined && !isLoading && !this.#isEnded)
      await this.#read(olderCursor, PAGE - first);
  }

  async #read(cursor: string | undefined, limit = PAGE): Promise<void> {
    const { failure: _, ...before } = this.told.get();
    this.told.set({ ...before, isLoading: true });
    try {
      const page = await this.#page(cursor, limit);
      const { changes, standing, olderCursor } = this.told.get();
      const known = { items: changes, standing, ...defined({ nextCursor: olderCursor }) };
      const now = cursor === undefined ? this.#joined(known, page) : both(known, page, page);
      this.told.set({
        changes: now.items,
        standing: now.standing ?? [],
        isLoading: false,
        ...defined({ olderCursor: now.nextCursor }),
      });
    } catch (error) {
      this.told.set({ ...this.told.get(), isLoading: false, failure: refusal(error) });
    }
  }

  async #page(from: string | undefined, limit: number): Promise<StandingPage> {
    const ended = "id" in this.#place ? SEARCHED_MAX : 1;
    let cursor = from;
    for (let pages = 1; ; pages += 1) {
      const page = await askPage(this.#place, limit, cursor);
      if (page.items.length > 0 || page.nextCursor === undefined || pages === ended) return page;
      cursor = page.nextCursor;
      // The page already shows the actor's present state while it still looks for the actor's changes.
      this.told.set({ ...this.told.get(), standing: page.standing ?? [] });
    }
  }

  /** Joins the newest page to the known changes, or drops these if changes between are missing (HISTORY-HISTORY-2). */
  #joined(known: StandingPage, newest: StandingPage): StandingPage {
    const first = newest.items.at(-1)?.version ?? 0;
    const [oldest, last] = [known.items[0]?.version ?? first, known.items.at(-1)?.version ?? 0];
    const isReached = !("id" in this.#place) && oldest < first && first <= last + 1;
    if (isReached) return both(known, newest, known);
    return both({ items: known.items.filter(({ version }) => version >= first) }, newest, newest);
  }

  #take(changes: readonly StateChange[]): void {
    if (changes.length === 0) return;
    const now = this.told.get();
    this.told.set({ ...now, changes: merged(now.changes, changes) });
  }
}

/** Joins two pages. @param third the one of them that goes further back: its cursor is the cursor of the joined page. */
function both(known: StandingPage, more: StandingPage, { nextCursor }: StandingPage): StandingPage {
  const standing = [...(known.standing ?? []), ...(more.standing ?? [])];
  const byName = new Map(standing.map((each) => [`${each.entity}/${each.id}`, each]));
  const items = merged(known.items, more.items);
  return { items, standing: [...byName.values()], ...defined({ nextCursor }) };
}
