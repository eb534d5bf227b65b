// Choice
// The chosen approval and the answer being written: moved by keys, by hand and by answering.
//
//   Owns:          the choice, the keys, remembering it in the address.
//   Does not own:  the cards (model.ts), how one looks (card.tsx).
//
// CHOICE-1. A key answers the approval that was shown when it was pressed: only a person moves the choice on, and an
//     approval that has just taken another's place takes no answer for a moment.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Bulk } from "./bulk.tsx";
import type { Reply, Card, Mode } from "./card.ts";
import { hold } from "./held.ts";
import { type Keys, useKeys } from "../parts/keyboard.ts";
import { go, type ApprovalName, remember } from "../route.ts";
import { alike, answer, canAnswer, canApprove, clear, isOpen } from "./model.ts";
import { cardNamed, keyOfCard, nameOf } from "./name.ts";

/** Longer than a key pressed twice, shorter than reading anything. */
const SETTLING_MS = 300;

export interface Choice {
  readonly chosen: Card | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly select: (card: Card, next?: Mode) => void;
  readonly reply: (card: Card | undefined, given: Reply, isForAlike: boolean) => void;
  /** Keys of the cards that are to be answered together. */
  readonly picked: ReadonlySet<string>;
  readonly pick: (card: Card) => void;
  readonly pickNone: () => void;
  /** What is about to be answered together, and has to be said once more. */
  readonly bulk: Bulk | undefined;
  readonly askBulk: (cards: readonly Card[], given: Reply) => void;
  readonly endBulk: (isSent: boolean) => void;
}

/** @param visible the cards one can step to. @param asked the one the address names. */
export function useChoice(
  cards: readonly Card[],
  visible: readonly Card[],
  asked: ApprovalName | undefined,
): Choice {
  const [chosenName, choose] = useState(asked);
  const [written, setMode] = useState<Mode>("reading");
  const [picked, setPicked] = useState(NONE);
  const [bulk, setBulk] = useState<Bulk>();
  const chosen = (chosenName && cardNamed(cards, chosenName)) ?? cards.find(isOpen);
  const shown = chosen && keyOfCard(chosen);
  const isAnswerable = chosen !== undefined && isOpen(chosen) && canAnswer(chosen);
  const mode = isAnswerable ? written : "reading";
  const [isSettling, settleBy] = useSettling(shown);
  useEffect(() => {
    if (asked !== undefined) choose(asked);
  }, [asked?.workspace, asked?.id]);
  useEffect(() => {
    if (chosenName === undefined && chosen) choose(nameOf(chosen));
  }, [chosenName, shown]);
  const select = (card: Card, next: Mode = "reading"): void => {
    settleBy(keyOfCard(card));
    choose(nameOf(card));
    remember({ view: "inbox", approval: nameOf(card) });
    setMode(next);
  };
  const step = (by: 1 | -1): void => {
    const at = visible.findIndex((card) => card === chosen);
    const next = visible[Math.min(visible.length - 1, Math.max(0, at + by))];
    if (next) select(next);
  };
  const reply = (card: Card | undefined, given: Reply, isForAlike: boolean): void => {
    if (!card || !isOpen(card) || !canAnswer(card)) return;
    setMode("reading");
    if (isForAlike) {
      askBulk(alike(card), given);
      return;
    }
    void answer(card.approval, given);
    moveOn([card]);
  };
  /** To the next one that waits; from the last one to the one before it, not to the top of the list. */
  const moveOn = (answered: readonly Card[]): void => {
    if (!chosen || !answered.includes(chosen)) return;
    const open = cards.filter(isOpen);
    const [at, isLeft] = [open.indexOf(chosen), (each: Card) => !answered.includes(each)];
    const after = open.slice(at).find(isLeft) ?? open.slice(0, at).findLast(isLeft);
    choose(after && nameOf(after));
    remember({ view: "inbox", ...(after && { approval: nameOf(after) }) });
  };
  const approve = (): void => {
    if (!isSettling && chosen && canApprove(chosen)) reply(chosen, { decision: "approve" }, false);
  };
  const approveAll = (): void => {
    const those = picked.size > 0 ? pickedIn(cards, picked) : chosen ? alike(chosen) : [];
    if (!isSettling) askBulk(those.filter(canApprove), { decision: "approve" });
  };
  const askBulk = (those: readonly Card[], given: Reply): void => {
    if (those.length > 0) setBulk({ cards: those, reply: given });
  };
  const endBulk = (isSent: boolean): void => {
    if (bulk && isSent) {
      const waiting = bulk.cards.filter((card) =>
        cards.some((each) => keyOfCard(each) === keyOfCard(card) && isOpen(each)),
      );
      hold(waiting, bulk.reply);
      moveOn(cards.filter((card) => waiting.some((each) => keyOfCard(each) === keyOfCard(card))));
      pickNone();
    }
    setBulk(undefined);
  };
  const pick = (card: Card): void => {
    const next = new Set(picked);
    if (!next.delete(keyOfCard(card))) next.add(keyOfCard(card));
    setPicked(next);
  };
  const pickNone = (): void => setPicked(NONE);
  const write = (next: Mode): void => {
    const isAllowed = next !== "editing" || (chosen !== undefined && canApprove(chosen));
    setMode(isAnswerable && isAllowed ? next : "reading");
  };
  const keys: Keys = {
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: approve,
    A: approveAll,
    x: () => {
      if (chosen && isOpen(chosen)) pick(chosen);
    },
    d: () => write("denying"),
    i: () => write("interrupting"),
    e: () => write("editing"),
    c: clear,
    o: () => {
      if (!chosen) return;
      const { workspace, sessionId: session, callId } = chosen.approval;
      go({ view: "session", workspace, session, ...(callId !== undefined && { call: callId }) });
    },
  };
  // While an answer is written no single key gives another one, wherever the focus is.
  useKeys(mode === "reading" ? keys : { Escape: () => setMode("reading") });
  return { chosen, mode, isSettling, select, reply, picked, pick, pickNone, bulk, askBulk, endBulk };
}

const NONE: ReadonlySet<string> = new Set();

/** Those picked that still wait for an answer which can be given here. */
export const pickedIn = (cards: readonly Card[], picked: ReadonlySet<string>): readonly Card[] =>
  cards.filter((card) => picked.has(keyOfCard(card)) && isOpen(card) && canAnswer(card));

/**
 * Whether what is shown came there by itself a moment ago. What is shown first was looked for, and does not settle.
 * @returns with it, a way to say that a person chose one.
 */
function useSettling(id: string | undefined): readonly [boolean, (id: string) => void] {
  const byHand = useRef(id);
  const isFirst = useRef(true);
  const [settled, settle] = useState(id);
  useLayoutEffect(() => {
    if (id === undefined) return;
    const isAtOnce = isFirst.current || byHand.current === id;
    isFirst.current = false;
    const timer = setTimeout(() => settle(id), isAtOnce ? 0 : SETTLING_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const isAtOnce = isFirst.current || byHand.current === id;
  return [
    id !== undefined && settled !== id && !isAtOnce,
    (chosen) => {
      byHand.current = chosen;
    },
  ];
}
