// Due
// Counts the rows and journal entries, by kind, that are old enough to be removed now.
//
//   Owns:          counting what is due, without changing anything.
//   Does not own:  removing what is due (sweep, removal, trimming), how old a row must be (sweep, trimming).
//
// DUE-2. Journal entries are counted by their positions, from the first one that the journal still has. So an entry that the
//     journal lacks after that position counts, too: it was lost, not trimmed.
// DUE-1. Rows are counted one page at a time, and other work runs in between. Rows are in the order of their time. So if the
//     last row of a page is old enough to be removed, all rows of the page count as old enough.

import { tried } from "../../machines/json.ts";
import type { SweptCounts } from "../turn/turn-result.ts";
import { readAlarm } from "../rows/alarms.ts";
import { believedOf, dueOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Store } from "../ports.ts";
import { pagesAside } from "../rows/row-pages.ts";
import { atOf, KINDS, LOGS, NO_ROWS } from "../turn/sweep.ts";

export interface Due extends Omit<SweptCounts, "rows"> {
  /** How many requests whose deadline for removal has passed still exist: their removal is under way, or a defect stopped it. */
  readonly requests: number;
  readonly sessions: number;
  readonly journalEntries: number;
}

export interface Counted {
  readonly store: Store;
  readonly meta: Meta;
  /** The number of the last change that the outlet has taken. */
  readonly published: number;
  /** The position of the last entry that may be trimmed. */
  readonly trimmable: number;
  /** The position of the first entry that was not trimmed. */
  readonly first: () => Promise<number>;
}

const PAGE = 500;

export async function due(counted: Counted): Promise<Due> {
  const { store, meta, published, trimmable } = counted;
  const { configuration, changesFrom } = meta;
  const now = believedOf(meta);
  const first = keys.change(changesFrom + 1);
  const { last } = await countOld(store, first, after(keys.changes), now - configuration.changesKeptMs);
  // A row of the change log holds several changes; the row's key is the number of the last one.
  const changes = last === undefined ? 0 : Number(last.slice(keys.changes.length)) - changesFrom;
  const removable = await removals(store, dueOf(meta));
  const old = { ...NO_ROWS };
  for (const kind of KINDS) {
    const { prefix, keptMs } = LOGS[kind];
    old[kind] = (await countOld(store, prefix, after(prefix), now - keptMs(configuration))).count;
  }
  return {
    ...removable,
    changes: Math.max(0, Math.min(changes, published - changesFrom)),
    ...old,
    journalEntries: Math.max(0, trimmable + 1 - (await counted.first())),
  };
}

interface Old {
  readonly count: number;
  /** The key of the last row that is old enough to be removed. */
  readonly last: string | undefined;
}

async function countOld(store: Store, from: string, lt: string, until: number): Promise<Old> {
  const isOld = (text: string): boolean => (atOf(text) ?? 0) <= until;
  let count = 0;
  let last: string | undefined;
  for await (const page of pagesAside(store, { gte: from, lt, limit: PAGE })) {
    const old = isOld(page.at(-1)?.[1] ?? "") ? page : page.filter(([, text]) => isOld(text));
    count += old.length;
    last = old.at(-1)?.[0] ?? last;
    if (old !== page) break;
  }
  return { count, last };
}

async function removals(store: Store, at: number): Promise<Pick<Due, "requests" | "sessions">> {
  const found = { requests: 0, sessions: 0 };
  for await (const page of pagesAside(store, { gte: keys.timers, lt: keys.timersUntil(at), limit: PAGE }))
    for (const [, text] of page) {
      // An unreadable alarm is not counted; the timers report it when they reach it.
      const { timer, where } = tried(() => readAlarm(text)) ?? {};
      if (timer !== "removal") continue;
      if (where?.kind === "request") found.requests += 1;
      if (where?.kind === "session") found.sessions += 1;
    }
  return found;
}
