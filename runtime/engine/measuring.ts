// Measuring
// Measures, row by row, how much the store contains of each workspace, and finds the rows of removed approvals (past approvals)
// that exceed their permitted number.
//
//   Owns:          which rows are measured, and for which workspace each row counts.
//   Does not own:  what the engine does because of the sizes (keeping), when the store is measured (maintenance).
//
// MEASURING-1. The measurement reads durable rows one page at a time, and lets the engine run between two pages. Rows that only
//     refer to other rows (lists, deadlines, which session an id belongs to) do not count, because each counted row has only a
//     few of them.

import { tried } from "../../machines/json.ts";
import { workspaceOfLetter } from "../rows/dead-letters.ts";
import { type Account, NOBODY } from "../rows/keeping.ts";
import { after, keys } from "../rows/keys.ts";
import type { Measured } from "../message.ts";
import type { Store } from "../ports.ts";
import { pagesAside } from "../rows/row-pages.ts";
import { PAST_MAX } from "../rows/past-approvals.ts";

const ROWS_AT_ONCE = 500;
/** How many workspaces' accounts one own message (`measured`) corrects at most. */
const WORKSPACES_MAX = 500;

type WhoseRow = (key: string, text: string) => string | undefined;

const byKey: WhoseRow = (key) => key.split("/", 2)[1];
/**
 * Finds a row's workspace in the row's text. In the row's text the engine's own field comes before any text that a sender wrote,
 * so the expression finds the engine's field.
 */
const byRow: WhoseRow = (_key, text) => /"workspace":"([A-Za-z0-9_-]{1,128})"/.exec(text)?.[1];

const workspaceOfPast: (key: string) => string = (key) => key.split("/", 3)[2] ?? "";

const TABLES: Readonly<Record<string, WhoseRow>> = {
  [keys.actors]: byKey,
  [keys.allBooks]: byKey,
  [keys.ledgers]: byKey,
  [keys.allSeen]: byKey,
  [keys.allHeld]: byKey,
  [keys.changes]: byRow,
  [keys.audits]: byRow,
  [keys.pastApprovals]: (key) => workspaceOfPast(key),
  [keys.deads]: (_key, text) => workspaceOfLetter(text) ?? NOBODY,
};

/**
 * @param isBounded whether a quota bounds what a workspace keeps (KEEPING-1).
 * @returns messages that drop surplus past approvals, and messages that correct accounts if there are any.
 */
export async function measured(
  store: Store,
  isOver: () => boolean,
  isBounded: boolean,
): Promise<readonly Measured[]> {
  const past = await surplusPast(store, isOver);
  return isBounded ? [...past, ...(await corrections(store, isOver))] : past;
}

/** The corrected accounts of workspaces. An account that is correct already is left out. */
async function corrections(store: Store, isOver: () => boolean): Promise<readonly Measured[]> {
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
  return inPieces(of, WORKSPACES_MAX).map((piece): Measured => ({ type: "measured", of: piece }));
}

/**
 * @param max how many past approvals a workspace may keep (PAST-APPROVALS-3).
 * @returns messages that drop the past approvals beyond that number, the oldest first.
 */
export async function surplusPast(
  store: Store,
  isOver: () => boolean,
  max = PAST_MAX,
): Promise<readonly Measured[]> {
  const counts = new Map<string, number>();
  await eachRow(store, keys.pastApprovals, isOver, (key) => {
    const workspace = workspaceOfPast(key);
    counts.set(workspace, (counts.get(workspace) ?? 0) + 1);
  });
  const gone: string[] = [];
  if (![...counts.values()].some((count) => count > max)) return [];
  await eachRow(store, keys.pastApprovals, isOver, (key) => {
    const workspace = workspaceOfPast(key);
    const count = counts.get(workspace) ?? 0;
    if (count <= max) return;
    counts.set(workspace, count - 1);
    gone.push(key);
  });
  if (isOver()) return [];
  return inPieces(gone, ROWS_AT_ONCE).map((past): Measured => ({ type: "measured", of: [], past }));
}

const inPieces = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, n) => all.slice(n * most, (n + 1) * most));

/** The account in a row; only turning-away.ts and keeping.ts write such rows. A damaged row counts as an empty account. */
const keptIn = (text: string): Account["kept"] => tried(() => (JSON.parse(text) as Account).kept);

/** Reads the rows under a prefix, one page at a time. @param isOver returns true to stop before the next page. */
export async function eachRow(
  store: Pick<Store, "range">,
  prefix: string,
  isOver: () => boolean,
  look: (key: string, text: string) => void,
): Promise<void> {
  const range = { gte: prefix, lt: after(prefix), limit: ROWS_AT_ONCE };
  for await (const rows of pagesAside(store, range, isOver)) for (const [key, text] of rows) look(key, text);
}
