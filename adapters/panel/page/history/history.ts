// History
// Reads a session's history from the engine's change log: every state that an actor entered, with the actor's view at that time.
//
//   Owns:          reading the log backwards from its end, following new changes, the chosen moment and its place in the address.
//   Does not own:  what is shown at a moment, the states before the first change read (before.ts), picking changes (changes.ts).
//
// HISTORY-HISTORY-1. A moment of a history is a version of the session. What the page shows at a moment, it makes from the
//     changes up to that version; it runs no machine again.
// HISTORY-HISTORY-2. The shown history has no hole: if changes were missed, the page reads them, or drops all changes before
//     them.
// HISTORY-HISTORY-3. Of a long session, the page first reads and shows the newest 200 changes. Once these are drawn, it reads up
//     to 800 older ones. It reads the rest only when a person asks for it.
// HISTORY-HISTORY-4. The page of a single machine shows the machine's present state first, however far back in the log the
//     machine's changes are.

import { useEffect } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { Standing, StandingPage } from "../../../../runtime/reading/standing/left-open.ts";
import { type ApiError, refusal } from "../engine/api.ts";
import { drawn } from "../engine/drawn.ts";
import { follow } from "../engine/engine.ts";
import { useValue, Value } from "../engine/value.ts";
import { remember } from "../route.ts";
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
  /** The version that is shown; undefined while the newest version is shown. */
  readonly moment = new Value<number | undefined>(undefined);
  readonly #place: Place;
  #isEnded = false;
  readonly #unlisten: () => void;

  constructor(place: Place) {
    this.#place = place;
    this.#unlisten = follow.on(
      (changes) => this.#take(changes.filter((change) => this.#isMine(change))),
      () => void this.#read(undefined),
    );
    void this.#open(firstOf(place));
  }

  end(): void {
    this.#isEnded = true;
    this.#unlisten();
  }

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
      // Stops if the page could not be read, because the loop would never end, or if the view was closed meanwhile.
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
      // HISTORY-HISTORY-2. If the changes that this older page was to join were dropped meanwhile, the older page is dropped.
      if (cursor !== undefined && cursor !== olderCursor) return;
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

  /** Joins the newest page to the known changes; drops these if changes in between are missing (HISTORY-HISTORY-2). */
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

/** Joins two pages. @param third the one of the two that goes further back: the joined page gets its cursor. */
function both(known: StandingPage, more: StandingPage, { nextCursor }: StandingPage): StandingPage {
  const standing = [...(known.standing ?? []), ...(more.standing ?? [])];
  const byName = new Map(standing.map((each) => [`${each.entity}/${each.id}`, each]));
  const items = merged(known.items, more.items);
  return { items, standing: [...byName.values()], ...defined({ nextCursor }) };
}

/**
 * Keeps the shown moment and the moment in the page's address equal.
 * @returns the version that is shown; undefined while the newest version is shown.
 */
export function useMoment(history: History, place: Place): number | undefined {
  const moment = useValue(history.moment);
  const { at, ...here } = place;
  useEffect(() => {
    if (at !== undefined) history.moment.set(at);
  }, [history, at]);
  useEffect(() => {
    remember({ ...here, ...(moment !== undefined && { at: moment }) });
  }, [moment, "call" in here ? here.call : undefined]);
  return moment;
}
