// Answering
// The approval of the call that is looked at, and the answer being written to it.
//
//   Owns:          which approval that is, the keys.
//   Does not own:  the approvals and sending answers (inbox/model.ts), how one looks (answer.tsx).
//
// ANSWERING-1. A key answers the approval that was shown when it was pressed: one that comes while its call is already
//     looked at takes no answer for a moment.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { useValue } from "../engine/value.ts";
import { type Together, useTogether } from "../inbox/bulk/together.ts";
import type { Card, Mode, Reply } from "../inbox/card/card.ts";
import { alike, answer, arrive, canAnswer, canApprove, inbox, isOpen } from "../inbox/model.ts";
import { keyOfCard } from "../inbox/name.ts";
import { useWriting } from "../inbox/reply/writing.ts";
import { type Keys, useKeys } from "../parts/keyboard.ts";

export interface Asked {
  readonly workspace: string;
  readonly session: string;
  readonly call: string;
  /** Its pending approval, as far as the session knows. */
  readonly waiting: ApprovalView | undefined;
  /** The call is shown as it is now. */
  readonly isLive: boolean;
}

export interface Answering extends Together {
  /** Undefined where the call asks for nothing, and asked for nothing while the page was open. */
  readonly card: Card | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly write: (mode: Mode) => void;
  readonly reply: (given: Reply, isForAlike: boolean) => void;
}

const SETTLING_MS = 300;

export function useAnswering(asked: Asked): Answering {
  const { cards } = useValue(inbox);
  const { waiting, isLive } = asked;
  const { key, modeOf, write: note } = useWriting();
  const card = isLive ? cardOf(cards, asked, key) : undefined;
  const isKnown = card !== undefined;
  useEffect(() => {
    if (waiting && isLive && !isKnown) void arrive(waiting, true);
  }, [waiting?.id, isLive, isKnown]);
  const isAnswerable = card !== undefined && isOpen(card) && canAnswer(card);
  const mode = modeOf(card);
  const write = (next: Mode): void => note(card, next);
  const isSettling = useSettling(isAnswerable ? keyOfCard(card) : undefined);
  const together = useTogether(cards, () => write("reading"));
  const reply = (given: Reply, isForAlike: boolean): void => {
    if (!isAnswerable || (isSettling && mode === "reading")) return;
    write("reading");
    if (isForAlike) together.askBulk(alike(card), given);
    else void answer(card.approval, given);
  };
  useKeys(
    keysOf({
      ...{ mode, isAnswerable, write },
      approve: (isForAlike) => {
        if (!isSettling && card && canApprove(card)) reply({ decision: "approve" }, isForAlike);
      },
    }),
    "part",
  );
  return { card, mode, isSettling, write, reply, ...together };
}

interface Acts extends Pick<Answering, "mode" | "write"> {
  readonly isAnswerable: boolean;
  readonly approve: (isForAlike: boolean) => void;
}

/** While an answer is written, no key leads away from it but Escape. */
function keysOf({ mode, isAnswerable, write, approve }: Acts): Keys {
  const stay = (): void => undefined;
  if (mode === "reading" && !isAnswerable) return {};
  if (mode !== "reading") return { Escape: () => write("reading"), a: stay, j: stay, k: stay, m: stay };
  return {
    a: () => approve(false),
    A: () => approve(true),
    d: () => write("denying"),
    i: () => write("interrupting"),
    e: () => write("editing"),
  };
}

/** @param written the key of the one written to. @returns that one, else the one that waits, else the one answered last. */
function cardOf(
  cards: readonly Card[],
  { workspace, session, call, waiting }: Asked,
  written: string | undefined,
): Card | undefined {
  const own = cards.filter(
    ({ approval }) =>
      approval.workspace === workspace && approval.sessionId === session && approval.callId === call,
  );
  const first = own.find((card) => keyOfCard(card) === written);
  return (
    first ?? own.find(({ approval }) => approval.id === waiting?.id) ?? own.findLast((each) => !isOpen(each))
  );
}

/** ANSWERING-1. What is there at first was looked for, and does not settle. */
function useSettling(key: string | undefined): boolean {
  const [settled, settle] = useState(key);
  const first = useRef(key);
  useEffect(() => {
    const timer = setTimeout(() => settle(key), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return key !== undefined && settled !== key && first.current !== key;
}
