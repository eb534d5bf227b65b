// Choice
// The chosen approval and the answer being written: changed by keys, by pointer and by answering.
//
//   Owns:          the keys, keeping the choice in the address.
//   Does not own:  which approval is chosen next (chosen.ts), the cards (model.ts), how a card looks (card.tsx).
//
// CHOICE-1. A key or a button answers the approval that had been seen when it was pressed (SEEN-2), and no other.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { defined } from "../../../../../machines/defined.ts";
import type { Card, Mode, Reply } from "../card/card.ts";
import { type Stacks, standsFor } from "../equal/stacks.ts";
import { type Keys, useKeys } from "../../parts/keyboard.ts";
import { go, isReloaded, remember } from "../../route.ts";
import { alike, answer, canAnswer, canApprove, clear, inbox, isOpen } from "../model.ts";
import { type ApprovalName, keyOf, keyOfCard, nameOf } from "../name.ts";
import { useWriting } from "../reply/writing.ts";
import { see, useSettling } from "../seen/eye.ts";
import type { Seen } from "../seen/seen.ts";
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
import { pickedIn, type Together, useTogether } from "./together.ts";

export interface Choice extends Together {
  readonly chosen: Card | undefined;
  /** The approval whose outcome the page reports in a sentence. */
  readonly told: ApprovalName | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly select: (card: Card) => void;
  /** Chooses the next pending approval (CHOSEN-5); undefined if no other one waits. */
  readonly next: (() => void) | undefined;
  /** Chooses an approval as soon as it is in the list and pending, as a link to it does. */
  readonly seek: (approval: ApprovalName) => void;
  readonly write: (card: Card, mode: Mode, event?: Event) => void;
  readonly reply: (seen: Seen, given: Reply, isForAlike: boolean) => void;
  /** The approval that was answered last (LAST-ANSWER-1). */
  readonly last: Card | undefined;
  readonly putLastAway: () => void;
}

/**
 * @param rowsWith gives the cards that a step can reach, for the chosen card.
 * @param asked the approval that the address names.
 */
export function useChoice(
  cards: readonly Card[],
  rowsWith: (chosen: Card | undefined) => readonly Card[],
  stacks: Stacks,
  asked: ApprovalName | undefined,
): Choice {
  const writing = useWriting();
  const [now, keep] = useChosen(cards, asked, writing.key);
  const { at, told } = now;
  const chosen = at && cards.find((card) => keyOfCard(card) === keyOf(at));
  const mode = writing.modeOf(chosen);
  const isSettling = useSettling(chosen);
  const [noted, noteLast] = useLast();
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
  const next = after && (() => take(after));
  const moveOn = (done: readonly Card[]): void => {
    const next = answered(now, cards.map(rowOf), done.map(rowOf));
    if (next === now) return;
    keep(next);
    remember({ view: "inbox", ...defined({ approval: next.at }) });
  };
  const { picked, pick, askBulk, ...together } = useTogether(moveOn);
  const reply = (seen: Seen, given: Reply, isForAlike: boolean): void => {
    const card = inbox.get().cards.find((each) => keyOfCard(each) === keyOf(seen));
    if (!card || !isOpen(card) || !canAnswer(card)) return;
    writing.close(card);
    if (isForAlike) return askBulk(alike(card), given);
    void answer(seen, given);
    noteLast(keyOf(seen));
    moveOn([card]);
  };
  const { write } = writing;
  const approve = (event: Event): void => {
    const seen = chosen && canApprove(chosen) ? see(chosen, event) : undefined;
    if (seen?.isWhole) reply(seen, { decision: "approve" }, false);
  };
  // BULK-1: several approvals are answered only while the list of them is on the screen.
  const approveAll = (): void => {
    const those = picked.size > 0 ? pickedIn(cards, picked) : chosen ? alike(chosen) : [];
    askBulk(those.filter(canApprove), { decision: "approve" });
  };
  const keys: Keys = {
    ...stepKeys(step),
    ...writeKeys((next, event) => write(chosen, next, event)),
    a: approve,
    A: approveAll,
    x: () => chosen && isOpen(chosen) && pick(standsFor(stacks, chosen)),
    f: () => chosen && stacks.turn(chosen),
    c: clear,
    o: () => chosen && openSession(chosen),
  };
  // While a person writes an answer, no single key answers an approval, wherever the focus is.
  useKeys(mode === "reading" ? keys : { Escape: () => writing.close() });
  const seek = (approval: ApprovalName): void => keep(sought(approval));
  const doing = { select, next, seek, write, reply, picked, pick, askBulk };
  return { chosen, told, mode, isSettling, ...noted, ...doing, ...together };
}

/** What the page keeps of the last answer, and a function that notes the key of the approval that got it. */
function useLast(): readonly [Pick<Choice, "last" | "putLastAway">, (key: string | undefined) => void] {
  const [key, note] = useState<string>();
  const last = key === undefined ? undefined : inbox.get().cards.find((card) => keyOfCard(card) === key);
  return [{ last, putLastAway: () => note(undefined) }, note];
}

const rowOf = ({ approval: { workspace, id }, phase: { is } }: Card): Row => ({ workspace, id, is });

/** The choice, brought up to date with the cards. */
function useChosen(
  cards: readonly Card[],
  asked: ApprovalName | undefined,
  written: string | undefined,
): readonly [Chosen, (next: Chosen) => void] {
  const [kept, keep] = useState<Chosen>(() => (asked ? (isReloaded() ? resumed : sought)(asked) : {}));
  const now = listed(kept, cards.map(rowOf), written);
  const last = useRef(asked);
  useLayoutEffect(() => {
    // A reload does not return to a card that a filter hides or that a person has put away.
    if (kept.at && !now.at && !now.told) remember({ view: "inbox" });
    keep(now);
  }, [now]);
  useEffect(() => {
    if (asked !== undefined && asked !== last.current) keep(sought(asked));
    last.current = asked;
  }, [asked]);
  return [now, keep];
}

const stepKeys = (step: (by: 1 | -1) => void): Keys => ({
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
});

/** The keys that open a form for an answer. */
export const writeKeys = (write: (mode: Mode, event: Event) => void): Keys => ({
  d: (event) => write("denying", event),
  i: (event) => write("interrupting", event),
  e: (event) => write("editing", event),
});

function openSession({ approval: { workspace, sessionId: session, callId } }: Card): void {
  go({ view: "session", workspace, session, ...defined({ call: callId }) });
}
