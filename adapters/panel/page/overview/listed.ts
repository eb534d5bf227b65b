// Listed
// Reads the sessions or requests that match a filter, newest first, and updates the list after changes.
//
//   Owns:          which items are in a list, reading more items.
//   Does not own:  joining the pages of a list (pages.ts), how items look (lists.tsx).
//
// LISTED-1. After a change, the list shows the changed item at once, at its right place. Then the newest page of the list is
//     read again, because a change lacks some facts, such as how many calls a session made.
// LISTED-2. An older page joins only the list for which it was requested. It is dropped if a person has chosen another filter
//     since, or if the list has begun anew with its newest page (OVERVIEW-PAGES-1).

import { useEffect, useRef, useState } from "preact/hooks";
import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import { ApiError, ask } from "../engine/api.ts";
import { now } from "../engine/engine.ts";
import { type Reading, useReadings } from "../engine/readings.ts";
import { extended, inOrder, joined, type Page, type Pages, sorted } from "./pages.ts";

/** How far back a list goes, ms; undefined for no limit. */
const SPANS = {
  "any time": undefined,
  "the last hour": 3_600_000,
  "the last day": 86_400_000,
  "the last week": 604_800_000,
} as const;
export type Span = keyof typeof SPANS;

export interface Filter {
  readonly state: string;
  readonly workspace: string;
  readonly span: Span;
}

export interface Item {
  readonly workspace: string;
  readonly state: string;
  readonly waiting?: boolean;
  readonly createdAt: number;
}

/** Which entities a list shows, and where the engine serves them. */
export interface Kind<T extends Item> {
  readonly path: string;
  readonly entity: Entity;
  /** The item's unique name, which also orders items that began at the same time, as the engine does. */
  readonly addressOf: (item: T) => string;
  /** The path that reads a new item in full; absent if the item's first change has all fields. */
  readonly wholeAt?: (id: string) => string;
}

const PAGE = 50;
/** At most this many new sessions are read one by one (`wholeAt`); the others come with the newest page of the list. */
const BORN_MAX = 5;

export function useListed<T extends Item>(kind: Kind<T>, filter: Filter) {
  const [page, setPage] = useState<Pages<T>>({ items: [] });
  const [failure, fail] = useState<ApiError>();
  /** The signal of the present filter, aborted when another filter is chosen. */
  const chosen = useRef<AbortSignal>(undefined);
  const { state, workspace, span } = filter;
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<Page<T> | undefined> => {
    try {
      const named = { state: state || undefined, workspace: workspace || undefined, since: sinceOf(span) };
      const found = await ask<Page<T>>(kind.path, { ...named, limit: PAGE, cursor }, signal);
      fail(undefined);
      return found;
    } catch (error) {
      if (error instanceof ApiError && signal?.aborted !== true) fail(error);
      return undefined;
    }
  };
  useEffect(() => setPage({ items: [] }), [kind, state, workspace, span]);
  const readOne = async (path: string, home: string, signal: AbortSignal): Promise<void> => {
    try {
      const item = await ask<T>(path, { workspace: home }, signal);
      setPage((known) => placed(kind, known, [item], filter));
    } catch (error) {
      // An item that could not be read appears with the next reading of the newest page.
      if (!(error instanceof ApiError) && !signal.aborted) throw error;
    }
  };
  const readNewest = async ({ signal, told }: Reading): Promise<void> => {
    chosen.current = signal;
    const newest = await read(undefined, signal);
    if (newest && !signal.aborted)
      setPage((known) => moved(kind, joined(kind, known, newest), told(), filter));
  };
  useReadings(readNewest, [kind, state, workspace, span], (changes, signal) => {
    setPage((known) => moved(kind, known, changes, filter));
    const { wholeAt } = kind;
    if (!wholeAt) return;
    for (const { id, workspace: home } of bornIn(kind, changes).slice(-BORN_MAX))
      void readOne(wholeAt(id), home, signal);
  });
  const { items, nextCursor, partial } = page;
  const readMore = async (): Promise<void> => {
    const signal = chosen.current;
    const older = await read(nextCursor, signal);
    if (older && signal?.aborted !== true)
      setPage((known) => (known.nextCursor === nextCursor ? extended(kind, known, older) : known));
  };
  // For the state `processing` the engine also lists requests that wait for a person, so the page leaves these out itself.
  const shown = items.filter((item) => isIn(item, state));
  return {
    items: shown,
    failure,
    partial,
    more: nextCursor === undefined ? undefined : () => void readMore(),
  };
}

const sinceOf = (span: Span): number | undefined => {
  const backMs = SPANS[span];
  return backMs === undefined ? undefined : Math.max(0, now.get() - backMs);
};

/** The first changes of new items. That of a session has no title yet, so the page also reads the new session. */
const bornIn = <T extends Item>(
  { entity }: Kind<T>,
  changes: readonly StateChange[],
): readonly StateChange[] => changes.filter((each) => each.entity === entity && each.from === null);

function moved<T extends Item>(
  kind: Kind<T>,
  known: Pages<T>,
  changes: readonly StateChange[],
  filter: Filter,
): Pages<T> {
  const told = changes.flatMap(({ entity, view }) =>
    // The cast is safe: a change has a view of the entity that it names (runtime/rows/changes).
    entity === kind.entity ? [view as T] : [],
  );
  return told.length === 0 ? known : placed(kind, known, told, filter);
}

/** Puts new items in their places of the list, if they match the filter. */
function placed<T extends Item>(
  kind: Kind<T>,
  known: Pages<T>,
  told: readonly T[],
  filter: Filter,
): Pages<T> {
  const last = known.items.at(-1);
  const isHere = (item: T): boolean =>
    known.nextCursor === undefined || last === undefined || inOrder(kind, item, last) <= 0;
  const items = sorted(kind, [...known.items, ...told]).filter((each) => fits(each, filter) && isHere(each));
  return { ...known, items };
}

/** True if an item matches the chosen state. A request that waits for a person counts as waiting, not as processing. */
const isIn = (item: Item, state: string): boolean =>
  state === "" || (item.waiting === true ? "waiting" : item.state) === state;

const fits = (item: Item, { state, workspace, span }: Filter): boolean =>
  isIn(item, state) &&
  (workspace === "" || item.workspace === workspace) &&
  item.createdAt >= (sinceOf(span) ?? 0);
