// Chosen
// Which approval is chosen, as functions: what chooses one, and what takes the choice away.
//
//   Owns:          the choice over links, lists, answers and steps.
//   Does not own:  keys and the page (choice.ts), how long one must be seen (seen/seen.ts).
//
// CHOSEN-1. An approval is chosen by a hand, by a link to it while it waits, or by an answer given here to the one before it.
//     Whatever else comes, goes or moves in the list chooses none: where the chosen one is gone, nothing is chosen.
// CHOSEN-2. What lost the choice gets it back by a hand or a link only; a reload is neither.
// CHOSEN-3. Answered here, the choice goes to the next that waits; after the last one to the one before it.
// CHOSEN-4. A step goes on from what was chosen last.

import type { Phase } from "../card/card.ts";
import { type ApprovalName, keyOf, type Spot } from "../name.ts";

/** What counts of a card. */
export interface Row extends Spot {
  readonly is: Phase["is"];
}

export interface Chosen {
  readonly at?: Spot;
  /** True if the card has waited since it was chosen: an answer from elsewhere then takes the choice away. */
  readonly hasWaited?: boolean;
  /** The page says what became of it. */
  readonly told?: ApprovalName;
  /** True if it is to be chosen as soon as it is there and waits. */
  readonly isSought?: boolean;
  readonly from?: ApprovalName;
}

/** A link names it. */
export const sought = (name: ApprovalName): Chosen => ({ told: name, isSought: true, from: name });

/** Where one was before a reload (CHOSEN-2). */
export const resumed = (name: ApprovalName): Chosen => ({ told: name, from: name });

export const byHand = ({ workspace, id, is }: Row): Chosen => {
  const at = { workspace, id };
  return { at, hasWaited: is === "open", from: at };
};

/**
 * @param rows that are shown. @param written the key of the one that an answer is being written to: it stays
 * (REPLY-WRITING-1).
 */
export function listed(now: Chosen, rows: readonly Row[], written?: string): Chosen {
  const { at, told, isSought } = now;
  if (at) {
    const row = find(rows, at);
    if (!row) return { from: at };
    if (row.is === "gone" && now.hasWaited) return keyOf(at) === written ? now : { told: at, from: at };
    return row.is === "open" && !now.hasWaited ? { ...now, hasWaited: true } : now;
  }
  // A link without a workspace may mean several sessions: the engine is asked first.
  if (!told || !isSought || told.workspace === undefined) return now;
  const row = find(rows, { workspace: told.workspace, id: told.id });
  if (!row) return now;
  return row.is === "open" ? byHand(row) : { told, from: told };
}

/** @param rows in their order, before the answer. @param answered here. */
export function answered(now: Chosen, rows: readonly Row[], answered: readonly Spot[]): Chosen {
  const done = new Set(answered.map(keyOf));
  const { at } = now;
  if (!at || !done.has(keyOf(at))) return now;
  const place = rows.findIndex((row) => keyOf(row) === keyOf(at));
  const isLeft = (row: Row): boolean => row.is === "open" && !done.has(keyOf(row));
  const next = rows.slice(place).find(isLeft) ?? rows.slice(0, Math.max(0, place)).findLast(isLeft);
  return next ? byHand(next) : { from: at };
}

/** @returns what one step leads to; without a choice the nearest that waits, else the nearest. */
export function stepped({ at, from }: Chosen, rows: readonly Row[], by: 1 | -1): Row | undefined {
  const place = rows.findIndex((row) => isNamed(row, at ?? from));
  if (at && place >= 0) return rows[Math.min(rows.length - 1, Math.max(0, place + by))];
  const isWaiting = ({ is }: Row): boolean => is === "open";
  const [before, after] = [rows.slice(0, Math.max(0, place)), rows.slice(Math.max(0, place))];
  if (by > 0) return after.find(isWaiting) ?? before.findLast(isWaiting) ?? rows[0];
  return (place < 0 ? rows : before).findLast(isWaiting) ?? after.find(isWaiting) ?? rows.at(-1);
}

const find = (rows: readonly Row[], spot: Spot): Row | undefined =>
  rows.find((row) => keyOf(row) === keyOf(spot));

const isNamed = (row: Row, name: ApprovalName | undefined): boolean =>
  name !== undefined && row.id === name.id && row.workspace === (name.workspace ?? row.workspace);
