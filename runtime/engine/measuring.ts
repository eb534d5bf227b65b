// Measuring
// Measures what the store keeps of each workspace, row by row.
//
//   Owns:          which rows count, and for which workspace.
//   Does not own:  the consequences (keeping), when it runs (maintenance).
//
// MEASURING-1. It reads durable rows a page at a time, and lets the engine run between two pages. Rows that only point
//     to others (lists, deadlines, owners) do not count: each counted row has a few of them.

import { setImmediate as nextTick } from "node:timers/promises";
import { workspaceOfLetter } from "../rows/dead-letters.ts";
import { type Account, NOBODY } from "../rows/keeping.ts";
import { after, keys } from "../rows/keys.ts";
import type { Measured } from "../message.ts";
import type { Store } from "../ports.ts";

const ROWS_AT_ONCE = 500;
/** In one own message. */
const WORKSPACES_MAX = 500;

type WhoseRow = (key: string, text: string) => string | undefined;

const byKey: WhoseRow = (key) => key.split("/", 2)[1];
/** It sorts before everything that was sent. */
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

/** @returns messages that correct the accounts; accounts that are correct already are left out. */
export async function measured(store: Store, isOver: () => boolean): Promise<readonly Measured[]> {
  const before = new Map<string, number>();
  await eachRow(store, keys.quotas, isOver, (key, text) => {
    const kept = keptIn(text);
    if (kept) before.set(key.slice(keys.quotas.length), kept.bytes);
  });
  const found = new Map<string, number>();
  for (const [prefix, whose] of Object.entries(TABLES))
    await eachRow(store, prefix, isOver, (key, text) => {
      const workspace = whose(key, text);
      if (workspace !== undefined)
        found.set(workspace, (found.get(workspace) ?? 0) + key.length + text.length);
    });
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
  return words;
}

/** Only turning-away and keeping write such rows; a damaged one counts anew. */
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
    // The space is the first character allowed in a key: no key lies between a key and this one.
    from = rows < ROWS_AT_ONCE ? undefined : `${last} `;
    await nextTick();
  }
}
