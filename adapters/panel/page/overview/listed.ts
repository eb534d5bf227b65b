// Listed
// The sessions or requests that match a filter, newest first, kept up to date.
//
//   Owns:          which items are in a list, their order, reading more of them.
//   Does not own:  how items look (sessions.tsx, requests.tsx).
//
// LISTED-1. A change is shown at once, in its place in the list, before anything is read again. After that, the facts that a
//     change does not have, such as how many calls a session made, are read again for the newest page of the list.

import { useEffect, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page as OwnPage } from "../../../../runtime/reading/paging.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow, now } from "../engine/engine.ts";
import { paced } from "../engine/pace.ts";

/** How far back a list goes, ms; undefined for no limit. */
export const SPANS = {
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

type Page<T> = OwnPage<T> & WithPeers;

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
const AGAIN_MS = 1_000;
/** How many new sessions are read one by one; the next reading of the list brings the others. */
const BORN_MAX = 5;

export function useListed<T extends Item>(kind: Kind<T>, filter: Filter) {
  const [page, setPage] = useState<Page<T>>({ items: [] });
  const [failure, fail] = useState<ApiError>();
  const { state, workspace, span } = filter;
  const read = async (cursor: string | undefined, signal?: AbortSignal): Promise<Page<T> | undefined> => {
    try {
      const named = { state: state || undefined, workspace: workspace || undefined, since: sinceOf(span) };
      const found = await ask<Page<T>>(kind.path, { ...named, limit: PAGE, cursor }, signal);
      fail(undefined);
      return found;
    } catch (error) {
      if (error instanceof ApiError) fail(error);
      return undefined;
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    setPage({ items: [] });
    // The changes received since the last request was sent: the engine's answer may be older than they are.
    let told: readonly StateChange[] = [];
    const readOne = async (path: string, home: string): Promise<void> => {
      try {
        const item = await ask<T>(path, { workspace: home }, leaving.signal);
        setPage((known) => placed(kind, known, [item], filter));
      } catch (error) {
        // An item that could not be read appears with the next reading of the newest page.
        if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error;
      }
    };
    const again = paced(async () => {
      told = [];
      const newest = await read(undefined, leaving.signal);
      if (newest && !leaving.signal.aborted)
        setPage((known) => moved(kind, joined(kind, known, newest), told, filter));
    }, AGAIN_MS);
    again.ask();
    const ends = [
      follow.onResync(again.ask),
      follow.onChanges((changes) => {
        told = [...told, ...changes];
        setPage((known) => moved(kind, known, changes, filter));
        again.ask();
        const { wholeAt } = kind;
        if (!wholeAt) return;
        for (const { id, workspace: home } of bornIn(kind, changes).slice(-BORN_MAX))
          void readOne(wholeAt(id), home);
      }),
    ];
    return () => {
      leaving.abort();
      again.end();
      for (const end of ends) end();
    };
  }, [kind, state, workspace, span]);
  const { items, nextCursor, partial } = page;
  const readMore = async (): Promise<void> => {
    const older = await read(nextCursor);
    if (older) setPage((known) => ({ ...older, items: sorted(kind, [...known.items, ...older.items]) }));
  };
  // The engine lists the requests that wait for a person as `processing`, too.
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

/** Replaces the newest page, and keeps the older items that are on later pages. */
function joined<T extends Item>(kind: Kind<T>, known: Page<T>, newest: Page<T>): Page<T> {
  const last = newest.items.at(-1);
  const isWhole = newest.nextCursor === undefined || last === undefined;
  const behind = isWhole ? [] : known.items.filter((each) => inOrder(kind, each, last) > 0);
  if (behind.length === 0) return newest;
  const { nextCursor } = known;
  const { partial } = newest;
  return { items: sorted(kind, [...newest.items, ...behind]), ...defined({ nextCursor, partial }) };
}

/** The changes that began an item. The first change of a session has no title yet, so the page then reads the session. */
const bornIn = <T extends Item>(
  { entity }: Kind<T>,
  changes: readonly StateChange[],
): readonly StateChange[] => changes.filter((each) => each.entity === entity && each.from === null);

function moved<T extends Item>(
  kind: Kind<T>,
  known: Page<T>,
  changes: readonly StateChange[],
  filter: Filter,
): Page<T> {
  const told = changes.flatMap(({ entity, view }) =>
    // The cast is safe: a change has a view of the entity that it names (runtime/rows/changes).
    entity === kind.entity ? [view as T] : [],
  );
  return told.length === 0 ? known : placed(kind, known, told, filter);
}

/** Puts new items in their places of the list, if they match the filter. */
function placed<T extends Item>(kind: Kind<T>, known: Page<T>, told: readonly T[], filter: Filter): Page<T> {
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

/** Each item once, in its newest version, in the order of the engine's lists. */
function sorted<T extends Item>(kind: Kind<T>, items: readonly T[]): readonly T[] {
  const last = new Map(items.map((item) => [kind.addressOf(item), item]));
  return [...last.values()].sort((a, b) => inOrder(kind, a, b));
}

/** Compares two items: newest first; if they began at the same time, by address, as in the engine's lists. */
function inOrder<T extends Item>({ addressOf }: Kind<T>, a: T, b: T): number {
  const [one, other] = [addressOf(a), addressOf(b)];
  return b.createdAt - a.createdAt || (one < other ? 1 : one > other ? -1 : 0);
}
