// Change log
// Reads the change log, in which each turn with changes has one row: the rows from a number on, or the row with a certain change.
//
//   Owns:          which row contains which changes; checking the inputs in the changes (INPUT-DAMAGE-1); skipping unreadable
//                  rows.
//   Does not own:  the order of the changes (turn), the text of a row (turn-changes).
//
// CHANGE-LOG-1. The key of a row is the number of the row's last change. So the row that contains change n is the first row
//     whose key is n or greater.
// G9. If a row is unreadable, only the changes of the row's turn are missing.

import type { StateChange } from "./changes.ts";
import type { Defects } from "../errors/defects.ts";
import { checkedView } from "./actors/input-damage.ts";
import { after, keys } from "./keys.ts";
import type { Store } from "../ports.ts";
import { decodeTurnChanges } from "./turn-changes.ts";

/** A stored row of the change log. */
export interface LogRow {
  readonly key: string;
  readonly text: string;
  /** The number of the row's first change; undefined if the text is too damaged to tell. */
  readonly first: number | undefined;
  readonly last: number;
}

const numberIn = (key: string): number => Number(key.slice(keys.changes.length));

/** Makes a log row. Each row's text begins with the number of its first change. */
function logRow([key, text]: readonly [key: string, text: string]): LogRow {
  const [, first] = /^\{"n":(\d{1,16}),/.exec(text) ?? [];
  return { key, text, first: first === undefined ? undefined : Number(first), last: numberIn(key) };
}

/** Yields the rows with changes after `n`, in order, up to the row with change `upTo`, at most `limit` rows. */
export function* rowsAfter(
  store: Pick<Store, "range">,
  n: number,
  upTo: number,
  limit: number,
): Generator<LogRow> {
  if (n >= upTo) return;
  for (const found of store.range({ gte: keys.change(n + 1), lt: after(keys.changes), limit })) {
    const row = logRow(found);
    yield row;
    if (row.last >= upTo) return;
  }
}

/** The row with change `n`; undefined if there is no such row. An unreadable row is found only by its last change. */
export function rowWith(store: Pick<Store, "get" | "range">, n: number): LogRow | undefined {
  // A reader that goes back from turn to turn asks for the last change of a row, whose number is the key of the row. One key is
  // found faster than a range.
  const text = store.get(keys.change(n));
  const [row] = text === undefined ? rowsAfter(store, n - 1, n, 1) : [logRow([keys.change(n), text])];
  return row && hasChange(row, n) ? row : undefined;
}

/** True if change `n` is in the row. Of an unreadable row, only the number of its last change is known. */
export const hasChange = ({ first, last }: LogRow, n: number): boolean => (first ?? last) <= n && n <= last;

export function lastBefore(store: Pick<Store, "range">, { key }: LogRow): number | undefined {
  const [found] = store.range({ gte: keys.changes, lt: key, limit: 1, reverse: true });
  return found && numberIn(found[0]);
}

/** The changes of a row that are wanted, in order. @throws Error for an unreadable row. */
export function changesOfRow(
  { text }: Pick<LogRow, "text">,
  isWanted: (change: StateChange) => boolean = () => true,
): readonly StateChange[] {
  return decodeTurnChanges(text).changes.filter(isWanted).map(checkedChange);
}

/** A stored change, with every input in its view checked. */
export const checkedChange = (change: StateChange): StateChange => ({
  ...change,
  view: checkedView(change.view),
});

/** Returns the changes of a row for a follower that has all changes up to `n`; `unreadable` for an unreadable row. */
export function followRow(
  row: LogRow,
  n: number,
  defects: Defects,
  isWanted: (change: StateChange) => boolean = () => true,
): readonly StateChange[] | "unreadable" {
  try {
    return changesOfRow(row, (change) => change.n > n && isWanted(change));
  } catch (error) {
    defects.ofRow(row.key, error);
    return "unreadable";
  }
}
