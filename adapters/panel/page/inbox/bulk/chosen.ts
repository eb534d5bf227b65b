// Chosen
// Pure functions that say which approval is chosen after a link, a change of the list, an answer, or a step by key.
//
//   Owns:          the rules by which an approval is chosen, and by which a choice ends.
//   Does not own:  keys and the page (choice.ts), how long a person must see an approval (seen/seen.ts).
//
// CHOSEN-1. An approval is chosen only by a press, by a link to it while it is pending, or by an answer given on this page to the
//     approval before it. A change of the list chooses no approval: if the chosen approval leaves the list, none is chosen.
// CHOSEN-2. If an approval is no longer chosen, because it left the list or was answered elsewhere, only a press or a link
//     chooses it again; a reload does not.
// CHOSEN-3. After an answer given on this page, the next pending approval in the list is chosen; if there is none, the pending
//     approval before it is chosen.
// CHOSEN-4. If no approval is chosen, a step by key starts from the approval that was chosen last.
// CHOSEN-5. "Next" chooses the pending approval after the chosen one. At the end of the list, "Next" goes on with the first
//     pending approval.

import type { Phase } from "../card/card.ts";
import { type ApprovalName, keyOf, type Spot } from "../name.ts";

export interface Row extends Spot {
  readonly is: Phase["is"];
}

export interface Chosen {
  readonly at?: Spot;
  /**
   * True if the approval was pending when its card was chosen, or later: if it is then answered elsewhere than on this page, the
   * choice ends.
   */
  readonly hasWaited?: boolean;
  /** The approval whose outcome the page reports in a sentence. */
  readonly told?: ApprovalName;
  /** True if the approval `told` is to be chosen as soon as it is in the list and pending. */
  readonly isSought?: boolean;
  /** While no card is chosen: the approval from which a step by key (to the next or the last card) starts. */
  readonly from?: ApprovalName;
}

/** The choice after a person followed a link to an approval. */
export const sought = (name: ApprovalName): Chosen => ({ told: name, isSought: true, from: name });

/** The choice after a reload: none (CHOSEN-2). The page only says what became of the approval that the address names. */
export const resumed = (name: ApprovalName): Chosen => ({ told: name, from: name });

export const byHand = ({ workspace, id, is }: Row): Chosen => {
  const at = { workspace, id };
  return { at, hasWaited: is === "open", from: at };
};

/**
 * The choice after a change of the list.
 * @param rows the cards that are shown.
 * @param written the key of the approval to which a person is writing an answer: it stays chosen (REPLY-WRITING-1).
 */
export function listed(now: Chosen, rows: readonly Row[], written?: string): Chosen {
  const { at, told, isSought } = now;
  if (at) {
    const row = find(rows, at);
    if (!row) return { from: at };
    if (row.is === "gone" && now.hasWaited) return keyOf(at) === written ? now : { told: at, from: at };
    return row.is === "open" && !now.hasWaited ? { ...now, hasWaited: true } : now;
  }
  // A link without a workspace may mean approvals of several workspaces, so the page first asks the engine which one.
  if (!told || !isSought || told.workspace === undefined) return now;
  const row = find(rows, { workspace: told.workspace, id: told.id });
  if (!row) return now;
  return row.is === "open" ? byHand(row) : { told, from: told };
}

/**
 * The choice after an answer that was given on this page.
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

/** Where one step leads. If none is chosen: to the nearest pending row, else to the first row (the last for a step back). */
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
