// Due
// Counts, by kind, what is old enough to be removed now.
//
//   Owns:          counting; nothing is changed.
//   Does not own:  removing what is due (sweep, removal, trimming), how old a row must be (sweep, trimming).
//
// DUE-2. The journal itself says where it begins. If an entry after that position is missing, it was lost, not trimmed.
// DUE-1. Rows are counted one page at a time, and other work runs in between. A page counts as old if its last row is old.

import { setImmediate as nextTick } from "node:timers/promises";
import type { SweptCounts } from "../turn/turn-result.ts";
import { readAlarm } from "../rows/alarms.ts";
import { believedOf, dueOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Store } from "../ports.ts";
import { atOf, KINDS, LOGS, NO_ROWS } from "../turn/sweep.ts";

export interface Due extends Omit<SweptCounts, "rows"> {
  /** Requests and sessions whose removal deadline has come: the removal is under way, or a defect stopped it. */
  readonly requests: number;
  readonly sessions: number;
  readonly journalEntries: number;
}

export interface Counted {
  readonly store: Store;
  readonly meta: Meta;
  /** Changes up to here have been taken by the outlet. */
  readonly published: number;
  /** Entries up to here may be trimmed. */
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
  // One row holds several changes. The row's key is the number of its last change.
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
  /** The key of the last old row. */
  readonly last: string | undefined;
}

async function countOld(store: Store, from: string, lt: string, until: number): Promise<Old> {
  const isOld = (text: string): boolean => (atOf(text) ?? 0) <= until;
  let count = 0;
  let last: string | undefined;
  for (let gte = from; ;) {
    const page: readonly (readonly [string, string])[] = [...store.range({ gte, lt, limit: PAGE })];
    const end = page.at(-1);
    if (!end) return { count, last };
    const old = isOld(end[1]) ? page : page.filter(([, text]) => isOld(text));
    count += old.length;
    last = old.at(-1)?.[0] ?? last;
    if (old !== page || page.length < PAGE) return { count, last };
    gte = `${end[0]} `;
    await nextTick();
  }
}

/** Removal deadlines that have come. */
async function removals(store: Store, at: number): Promise<Pick<Due, "requests" | "sessions">> {
  const found = { requests: 0, sessions: 0 };
  for (let gte: string = keys.timers; ;) {
    const page: readonly (readonly [string, string])[] = [
      ...store.range({ gte, lt: keys.timersUntil(at), limit: PAGE }),
    ];
    for (const [, text] of page) {
      const kind = removalOf(text);
      if (kind === "request") found.requests += 1;
      if (kind === "session") found.sessions += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found;
    gte = `${last[0]} `;
    await nextTick();
  }
}

function removalOf(text: string): string | undefined {
  try {
    const { timer, where } = readAlarm(text);
    return timer === "removal" ? where.kind : undefined;
  } catch {
    // An unreadable alarm counts as none here: the timers report it when they reach it.
    return undefined;
  }
}
