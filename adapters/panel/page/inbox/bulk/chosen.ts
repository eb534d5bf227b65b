// Chosen
// Which approval is chosen, as pure functions: what chooses an approval, and what ends the choice.
//
//   Owns:          the choice after a link, a change of the list, an answer and a step.
//   Does not own:  keys and the page (choice.ts), how long an approval must be seen (seen/seen.ts).
//
// CHOSEN-1. A press, a link to a pending approval, or an answer given here to the one before it chooses an approval. No
//     other change of the list does: if the chosen approval leaves the list, none is chosen.
// CHOSEN-2. An approval that lost the choice gets it back only by a press or a link. A reload is neither.
// CHOSEN-3. After an answer given here, the next pending approval is chosen; after the last one, the one before it.
// CHOSEN-4. A step starts from the approval that was chosen last.
// CHOSEN-5. "Next" leads to the pending approval after the chosen one, and after the last to the first.

import type { Phase } from "../card/card.ts";
import { type ApprovalName, keyOf, type Spot } from "../name.ts";

/** What the choice needs to know of a card. */
export interface Row extends Spot {
  readonly is: Phase["is"];
}

export interface Chosen {
  /** The chosen approval. */
  readonly at?: Spot;
  /** True if the card has waited since it was chosen: an answer from elsewhere then takes the choice away. */
  readonly hasWaited?: boolean;
  /** The approval whose outcome the page reports in a sentence. */
  readonly told?: ApprovalName;
  /** True if that approval is to be chosen as soon as it is in the list and pending. */
  readonly isSought?: boolean;
  /** The approval that the next step starts from while none is chosen. */
  readonly from?: ApprovalName;
}

/** The choice after a person followed a link to an approval. */
export const sought = (name: ApprovalName): Chosen => ({ told: name, isSought: true, from: name });

/** The choice after a reload: none (CHOSEN-2). The next step starts from the approval that was chosen before. */
export const resumed = (name: ApprovalName): Chosen => ({ told: name, from: name });

export const byHand = ({ workspace, id, is }: Row): Chosen => {
  const at = { workspace, id };
  return { at, hasWaited: is === "open", from: at };
};

/**
 * The choice after a change of the list.
 * @param rows the cards that are shown.
 * @param written the key of the approval that an answer is being written to: it stays chosen (REPLY-WRITING-1).
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

/**
 * The choice after an answer given here.
 * @param rows the rows, as they were before the answer, in order.
 * @param answered the approvals that got the answer.
 */
export function answered(now: Chosen, rows: readonly Row[], answered: readonly Spot[]): Chosen {
  const done = new Set(answered.map(keyOf));
  const { at } = now;
  if (!at || !done.has(keyOf(at))) return now;
  const place = rows.findIndex((row) => keyOf(row) === keyOf(at));
  const isLeft = (row: Row): boolean => row.is === "open" && !done.has(keyOf(row));
  const next = rows.slice(place).find(isLeft) ?? rows.slice(0, Math.max(0, place)).findLast(isLeft);
  return next ? byHand(next) : { from: at };
}

/** @returns the row that one step leads to; if none is chosen, the nearest pending one, else the nearest. */
export function stepped({ at, from }: Chosen, rows: readonly Row[], by: 1 | -1): Row | undefined {
  const place = rows.findIndex((row) => isNamed(row, at ?? from));
  if (at && place >= 0) return rows[Math.min(rows.length - 1, Math.max(0, place + by))];
  const isWaiting = ({ is }: Row): boolean => is === "open";
  const [before, after] = [rows.slice(0, Math.max(0, place)), rows.slice(Math.max(0, place))];
  if (by > 0) return after.find(isWaiting) ?? before.findLast(isWaiting) ?? rows[0];
  return (place < 0 ? rows : before).findLast(isWaiting) ?? after.find(isWaiting) ?? rows.at(-1);
}

/** @returns the pending row that "Next" leads to; undefined if no other one waits. */
export function nextOpen({ at, from }: Chosen, rows: readonly Row[]): Row | undefined {
  const place = rows.findIndex((row) => isNamed(row, at ?? from));
  const round = [...rows.slice(place + 1), ...rows.slice(0, Math.max(0, place + (at ? 0 : 1)))];
  return round.find(({ is }) => is === "open");
}

const find = (rows: readonly Row[], spot: Spot): Row | undefined =>
  rows.find((row) => keyOf(row) === keyOf(spot));

const isNamed = (row: Row, name: ApprovalName | undefined): boolean =>
  name !== undefined && row.id === name.id && row.workspace === (name.workspace ?? row.workspace);
