// Measuring
// Measures what the store keeps of each workspace, row by row.
//
//   Owns:          which rows count, and for which workspace.
//   Does not own:  what follows from the sizes (keeping), when the store is measured (maintenance).
//
// MEASURING-1. The measurement reads durable rows one page at a time, and lets the engine run between two pages. Rows that only
//     point to others (lists, deadlines, owners) do not count: each counted row has a few of them.

import { setImmediate as nextTick } from "node:timers/promises";
import { workspaceOfLetter } from "../rows/dead-letters.ts";
import { type Account, NOBODY } from "../rows/keeping.ts";
import { after, keys } from "../rows/keys.ts";
import type { Measured } from "../message.ts";
import type { Store } from "../ports.ts";
import { PAST_MAX } from "../rows/past-approvals.ts";

const ROWS_AT_ONCE = 500;
/** The most accounts in one own message. */
const WORKSPACES_MAX = 500;

type WhoseRow = (key: string, text: string) => string | undefined;

const byKey: WhoseRow = (key) => key.split("/", 2)[1];
/** Finds a row's workspace in its text. The engine's field comes first, before any text that a sender wrote. */
const byRow: WhoseRow = (_key, text) => /"workspace":"([A-Za-z0-9_-]{1,128})"/.exec(text)?.[1];

const TABLES: Readonly<Record<string, WhoseRow>> = {
  [keys.actors]: byKey,
  [keys.allBooks]: byKey,
  [keys.ledgers]: byKey,
  [keys.allSeen]: byKey,
  [keys.allHeld]: byKey,
  [keys.changes]: byRow,
  [keys.audits]: byRow,
  [keys.pastApprovals]: (key) => key.split("/", 3)[2],
  [keys.deads]: (_key, text) => workspaceOfLetter(text) ?? NOBODY,
};

/**
 * @param pastMax how many past approvals a workspace may keep.
 * @returns messages that correct the accounts, and that drop past approvals; accounts that are correct already are left out.
 */
export async function measured(
  store: Store,
  isOver: () => boolean,
  pastMax = PAST_MAX,
): Promise<readonly Measured[]> {
  const before = new Map<string, number>();
  await eachRow(store, keys.quotas, isOver, (key, text) => {
    const kept = keptIn(text);
    if (kept) before.set(key.slice(keys.quotas.length), kept.bytes);
  });
  const found = new Map<string, number>();
  const past = new Map<string, number>();
  for (const [prefix, whose] of Object.entries(TABLES))
    await eachRow(store, prefix, isOver, (key, text) => {
      const workspace = whose(key, text);
      if (workspace === undefined) return;
      found.set(workspace, (found.get(workspace) ?? 0) + key.length + text.length);
      if (prefix === keys.pastApprovals) past.set(workspace, (past.get(workspace) ?? 0) + 1);
    });
  const gone = await tooMany(store, isOver, past, pastMax);
  if (isOver()) return [];
  const of = [...new Set([...before.keys(), ...found.keys()])]
    .map((workspace) => ({
      workspace,
      before: before.get(workspace) ?? 0,
      found: found.get(workspace) ?? 0,
    }))
    .filter((each) => each.before !== each.found);
  const words: Measured[] = [];
  for (let n = 0; n < of.length; n += WORKSPACES_MAX)
    words.push({ type: "measured", of: of.slice(n, n + WORKSPACES_MAX) });
  for (let n = 0; n < gone.length; n += ROWS_AT_ONCE)
    words.push({ type: "measured", of: [], past: gone.slice(n, n + ROWS_AT_ONCE) });
  return words;
}

/**
 * Finds the past approvals beyond a workspace's limit (PAST-APPROVALS-3). @param counts the counts of each workspace. @returns
 * keys, the oldest first.
 */
async function tooMany(
  store: Store,
  isOver: () => boolean,
  counts: ReadonlyMap<string, number>,
  max: number,
): Promise<readonly string[]> {
  const over = new Map([...counts].filter(([, count]) => count > max));
  const gone: string[] = [];
  if (over.size === 0) return gone;
  await eachRow(store, keys.pastApprovals, isOver, (key, text) => {
    const workspace = TABLES[keys.pastApprovals]?.(key, text) ?? "";
    const count = over.get(workspace) ?? 0;
    if (count <= max) return;
    over.set(workspace, count - 1);
    gone.push(key);
  });
  return gone;
}

/** The account in a row; only turning-away.ts and keeping.ts write such rows. A damaged row counts as an empty account. */
function keptIn(text: string): Account["kept"] {
  try {
    return (JSON.parse(text) as Account).kept;
  } catch {
    return undefined;
  }
}

/** Reads the rows under a prefix a page at a time. @param isOver ends it before its next page. */
export async function eachRow(
  store: Pick<Store, "range">,
  prefix: string,
  isOver: () => boolean,
  look: (key: string, text: string) => void,
): Promise<void> {
  for (let from: string | undefined = prefix; from !== undefined && !isOver();) {
    let rows = 0;
    let last = "";
    for (const [key, text] of store.range({ gte: from, lt: after(prefix), limit: ROWS_AT_ONCE })) {
      look(key, text);
      last = key;
      rows += 1;
    }
    // A space sorts before any other character of a key, so no key lies between a key and the same key with a space.
    from = rows < ROWS_AT_ONCE ? undefined : `${last} `;
    await nextTick();
  }
}
