// Choice
// The chosen approval and the answer being written: moved by keys, by hand and by answering.
//
//   Owns:          the choice, the keys, remembering it in the address.
//   Does not own:  the cards (model.ts), how one looks (card.tsx).
//
// CHOICE-1. A key, or a button, answers the approval that was shown when it was pressed: only a person moves the choice on, and an
//     approval that has just taken another's place takes no answer for a moment.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Reply, Card, Mode } from "../card/card.ts";
import { type Keys, useKeys } from "../../parts/keyboard.ts";
import { go, type ApprovalName, remember } from "../../route.ts";
import { alike, answer, canAnswer, canApprove, clear, isOpen } from "../model.ts";
import { cardNamed, keyOfCard, nameOf } from "../name.ts";
import { useWriting } from "../reply/writing.ts";
import { pickedIn, type Together, useTogether } from "./together.ts";

/** Longer than a key pressed twice, shorter than reading anything. */
const SETTLING_MS = 300;

export interface Choice extends Together {
  readonly chosen: Card | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly select: (card: Card, next?: Mode) => void;
  readonly reply: (card: Card | undefined, given: Reply, isForAlike: boolean) => void;
}

/** @param visible the cards one can step to. @param asked the one the address names. */
export function useChoice(
  cards: readonly Card[],
  visible: readonly Card[],
  asked: ApprovalName | undefined,
): Choice {
  const [chosenName, choose] = useState(asked);
  const { modeOf, write } = useWriting();
  const chosen = (chosenName && cardNamed(cards, chosenName)) ?? cards.find(isOpen);
  const shown = chosen && keyOfCard(chosen);
  const mode = modeOf(chosen);
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
    write(card, next);
  };
  const step = (by: 1 | -1): void => {
    const at = visible.findIndex((card) => card === chosen);
    const next = visible[Math.min(visible.length - 1, Math.max(0, at + by))];
    if (next) select(next);
  };
  const moveOn = (answered: readonly Card[]): void => {
    if (!chosen || !answered.includes(chosen)) return;
    const after = nextAfter(cards.filter(isOpen), chosen, answered);
    choose(after && nameOf(after));
    remember({ view: "inbox", ...(after && { approval: nameOf(after) }) });
  };
  const { picked, pick, askBulk, ...together } = useTogether(cards, moveOn);
  const reply = (card: Card | undefined, given: Reply, isForAlike: boolean): void => {
    if (!card || !isOpen(card) || !canAnswer(card)) return;
    // A button, too, stands where that of the card before stood: a second tap is meant for that one.
    if (isSettling && mode === "reading") return;
    write(undefined, "reading");
    if (isForAlike) {
      askBulk(alike(card), given);
      return;
    }
    void answer(card.approval, given);
    moveOn([card]);
  };
  const approve = (): void => {
    if (!isSettling && chosen && canApprove(chosen)) reply(chosen, { decision: "approve" }, false);
  };
  const approveAll = (): void => {
    const those = picked.size > 0 ? pickedIn(cards, picked) : chosen ? alike(chosen) : [];
    if (!isSettling) askBulk(those.filter(canApprove), { decision: "approve" });
  };
  const keys: Keys = {
    ...stepKeys(step),
    ...writeKeys((next) => write(chosen, next)),
    a: approve,
    A: approveAll,
    x: () => chosen && isOpen(chosen) && pick(chosen),
    c: clear,
    o: () => chosen && openSession(chosen),
  };
  // While an answer is written no single key gives another one, wherever the focus is.
  useKeys(mode === "reading" ? keys : { Escape: () => write(undefined, "reading") });
  return { chosen, mode, isSettling, select, reply, picked, pick, askBulk, ...together };
}

const stepKeys = (step: (by: 1 | -1) => void): Keys => ({
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
});

const writeKeys = (write: (mode: Mode) => void): Keys => ({
  d: () => write("denying"),
  i: () => write("interrupting"),
  e: () => write("editing"),
});

function openSession({ approval: { workspace, sessionId: session, callId } }: Card): void {
  go({ view: "session", workspace, session, ...(callId !== undefined && { call: callId }) });
}

/** The next one that waits; after the last one the one before it, not the top of the list. */
function nextAfter(open: readonly Card[], from: Card, answered: readonly Card[]): Card | undefined {
  const at = open.indexOf(from);
  const isLeft = (each: Card): boolean => !answered.includes(each);
  return open.slice(at).find(isLeft) ?? open.slice(0, at).findLast(isLeft);
}

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
