// Choice
// Which approval of the inbox is chosen, and what a person writes as its answer; keys, pointer and answers change both.
//
//   Owns:          what the keys do, keeping the choice in the page's address.
//   Does not own:  which approval is chosen next (chosen.ts), the cards (model.ts), how a card looks (card.tsx).
//
// CHOICE-1. A key or button answers only an approval that the person had seen before pressing it: on the screen for 300 ms
//     (SEEN-2).

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { defined } from "../../../../../machines/defined.ts";
import type { Card, Mode } from "../card/card.ts";
import { type Stacks, standsFor } from "../equal/stacks.ts";
import { type Keys, useKeys } from "../../parts/keyboard.ts";
import { go, isReloaded, remember } from "../../route.ts";
import { alike, canApprove, cardAt, clear, isOpen } from "../model.ts";
import { type ApprovalName, keyOf, keyOfCard, nameOf, type Spot } from "../name.ts";
import { useWriting } from "../reply/writing.ts";
import { useSettling } from "../seen/eye.ts";
import {
  answered,
  byHand,
  type Chosen,
  listed,
  nextOpen,
  resumed,
  type Row,
  sought,
  stepped,
} from "./chosen.ts";
import { pickedIn, useTogether } from "./together.ts";

export type Choice = ReturnType<typeof useChoice>;

/**
 * @param rowsWith returns the cards that have a row if `chosen` is the chosen card.
 * @param asked the approval that the page's address names.
 */
export function useChoice(
  cards: readonly Card[],
  rowsWith: (chosen: Card | undefined) => readonly Card[],
  stacks: Stacks,
  asked: ApprovalName | undefined,
) {
  const writing = useWriting();
  const [now, keep] = useChosen(cards, asked, writing.key);
  const { at, told } = now;
  const chosen = at && cards.find((card) => keyOfCard(card) === keyOf(at));
  const mode = writing.modeOf(chosen);
  const isSettling = useSettling(chosen);
  const [lastAt, noteLast] = useState<Spot>();
  const select = (card: Card): void => {
    keep(byHand(rowOf(card)));
    remember({ view: "inbox", approval: nameOf(card) });
    writing.close();
    noteLast(undefined);
  };
  const visible = rowsWith(chosen);
  const take = (row: Row | undefined): void => {
    const card = row && visible.find((each) => keyOfCard(each) === keyOf(row));
    if (card) select(card);
  };
  const rows = visible.map(rowOf);
  const step = (by: 1 | -1): void => take(stepped(now, rows, by));
  const after = nextOpen(now, rows);
  /** Chooses the next pending approval (CHOSEN-5); undefined if no other approval waits. */
  const next = after && ((): void => take(after));
  const moveOn = (done: readonly Card[]): void => {
    const next = answered(now, cards.map(rowOf), done.map(rowOf));
    if (next === now) return;
    keep(next);
    remember({ view: "inbox", ...defined({ approval: next.at }) });
  };
  const onAnswered = (card: Card): void => {
    noteLast(card.approval);
    moveOn([card]);
  };
  const { write, close } = writing;
  const together = useTogether({ close, onAnswered, onSent: moveOn });
  const { picked, pick, askBulk, approve } = together;
  // BULK-1: several approvals are answered only from a sheet that lists them; `askBulk` opens this sheet.
  const approveAll = (): void => {
    const those = picked.size > 0 ? pickedIn(cards, picked) : chosen ? alike(chosen) : [];
    askBulk(those.filter(canApprove), { decision: "approve" });
  };
  const keys: Keys = {
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ...writeKeys((next, event) => write(chosen, next, event)),
    a: (event) => approve(chosen, event),
    A: approveAll,
    x: () => chosen && isOpen(chosen) && pick(standsFor(stacks, chosen)),
    f: () => chosen && stacks.turn(chosen),
    c: clear,
    o: () => chosen && openSession(chosen),
  };
  // While a person writes an answer, all keys of the inbox except Escape are off, wherever the focus is: no key gives an answer.
  useKeys(mode === "reading" ? keys : { Escape: () => writing.close() });
  /** Does what a link to an approval does: chooses the approval as soon as it is in the list and pending. */
  const seek = (approval: ApprovalName): void => keep(sought(approval));
  const putLastAway = (): void => noteLast(undefined);
  const state = { chosen, told, mode, isSettling, last: lastAt && cardAt(lastAt) };
  return { ...state, select, next, seek, write, putLastAway, ...together };
}

const rowOf = ({ approval: { workspace, id }, phase: { is } }: Card): Row => ({ workspace, id, is });

function useChosen(
  cards: readonly Card[],
  asked: ApprovalName | undefined,
  written: string | undefined,
): readonly [Chosen, (next: Chosen) => void] {
  const [kept, keep] = useState<Chosen>(() => (asked ? (isReloaded() ? resumed : sought)(asked) : {}));
  const now = listed(kept, cards.map(rowOf), written);
  const last = useRef(asked);
  useLayoutEffect(() => {
    // If a filter hides the card or a person has put it away, the address no longer names it: after a reload, the page would
    // otherwise report on this approval.
    if (kept.at && !now.at && !now.told) remember({ view: "inbox" });
    keep(now);
  }, [now]);
  useEffect(() => {
    if (asked !== undefined && asked !== last.current) keep(sought(asked));
    last.current = asked;
  }, [asked]);
  return [now, keep];
}

export const writeKeys = (write: (mode: Mode, event: Event) => void): Keys => ({
  d: (event) => write("denying", event),
  i: (event) => write("interrupting", event),
  e: (event) => write("editing", event),
});

function openSession({ approval: { workspace, sessionId: session, callId } }: Card): void {
  go({ view: "session", workspace, session, ...defined({ call: callId }) });
}
