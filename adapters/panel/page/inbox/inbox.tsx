// Inbox
// The panel's home: the pending approvals, oldest first, answered with single keys.
//
//   Owns:          the list, folding what was answered long ago, keeping the chosen card in view and focused.
//   Does not own:  the cards (model.ts), which is chosen and the keys (choice.ts), how one looks (card.tsx).

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Card, Mode } from "./card/card.ts";
import { useValue } from "../engine/value.ts";
import type { Route } from "../route.ts";
import { CardView } from "./card/card.tsx";
import { BulkDialog } from "./bulk/bulk.tsx";
import { type Choice, useChoice } from "./bulk/choice.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { Empty } from "./empty.tsx";
import { canApprove, clear, inbox, isOpen } from "./model.ts";
import { cardNamed, keyOfCard } from "./name.ts";
import { pickedIn } from "./bulk/together.ts";

/** Answered ones in a row that are shown before the earlier of them are folded. */
const ANSWERED_SHOWN = 5;

export function InboxView({ approval }: Extract<Route, { view: "inbox" }>) {
  const { cards, isLoaded, hasMore, failure } = useValue(inbox);
  const [isUnfolded, unfold] = useState(false);
  const folded = isUnfolded ? new Set<Card>() : foldedOf(cards);
  const visible = cards.filter((card) => !folded.has(card));
  const choice = useChoice(cards, visible, approval);
  const { chosen, mode, isSettling, picked, bulk } = choice;
  const acts = useActs(choice);
  const [list, noteFocus] = useInSight(`${chosen && keyOfCard(chosen)} ${mode}`);

  if (!isLoaded) return <p class="quiet loading">Asking the engine…</p>;
  if (failure && cards.length === 0)
    return (
      <p class="failure" role="alert">
        {failure.message} {failure.next}
      </p>
    );
  const isElsewhere = approval !== undefined && !cardNamed(cards, approval);
  if (cards.length === 0)
    return (
      <>
        {isElsewhere && <Elsewhere approval={approval} />}
        <Empty />
      </>
    );
  const open = cards.filter(isOpen).length;
  return (
    <section aria-labelledby="inbox-title" class="inbox">
      <header class="title-row">
        <h1 id="inbox-title">
          {open === 0 ? "Nothing waits for you" : `${open} ${open === 1 ? "approval" : "approvals"}`}
          {hasMore && " and more after them"}
        </h1>
        <Picked cards={cards} choice={choice} />
        {open < cards.length && (
          <button type="button" onClick={clear}>
            Clear answered <kbd>c</kbd>
          </button>
        )}
      </header>
      {isElsewhere && <Elsewhere approval={approval} />}
      <div class="panes">
        <ol class="cards" ref={list} onClickCapture={noteFocus} onKeyDownCapture={noteFocus}>
          {folded.size > 0 && (
            <li key="folded">
              <button type="button" class="plain" onClick={() => unfold(true)}>
                {folded.size} answered earlier: show
              </button>
            </li>
          )}
          {visible.map((card) => (
            <li key={keyOfCard(card)}>
              <Item
                card={card}
                among={card === chosen ? cards : undefined}
                isPicked={picked.has(keyOfCard(card))}
                isSettling={card === chosen && isSettling}
                mode={card === chosen ? mode : "reading"}
                acts={acts}
              />
            </li>
          ))}
        </ol>
      </div>
      {bulk && (
        <BulkDialog {...bulk} onSend={() => choice.endBulk(true)} onClose={() => choice.endBulk(false)} />
      )}
    </section>
  );
}

/** What can be done with those that were picked. */
function Picked({ cards, choice }: { readonly cards: readonly Card[]; readonly choice: Choice }) {
  const those = pickedIn(cards, choice.picked);
  const seen = those.filter(canApprove);
  if (choice.picked.size === 0) return null;
  return (
    <div class="actions" role="group" aria-label="Picked">
      <span class="quiet">{those.length} picked</span>
      <button
        type="button"
        class="approve"
        disabled={seen.length === 0}
        onClick={() => choice.askBulk(seen, { decision: "approve" })}
      >
        Approve {seen.length}… <kbd>A</kbd>
      </button>
      <button
        type="button"
        class="deny"
        disabled={those.length === 0}
        onClick={() => choice.askBulk(those, { decision: "deny" })}
      >
        Deny {those.length}…
      </button>
      <button type="button" onClick={choice.pickNone}>
        Pick none
      </button>
    </div>
  );
}

type Acts = Pick<Choice, "select" | "reply" | "pick">;

/** The same for as long as the list is there, so that no card is drawn again for them; they do as the newest do. */
function useActs(newest: Acts): Acts {
  const held = useRef(newest);
  held.current = newest;
  return useMemo(
    () => ({
      select: (...given) => held.current.select(...given),
      reply: (...given) => held.current.reply(...given),
      pick: (...given) => held.current.pick(...given),
    }),
    [],
  );
}

interface ItemProps {
  readonly card: Card;
  /** Of the chosen one, all cards: it tells how many are alike. */
  readonly among: readonly Card[] | undefined;
  readonly isPicked: boolean;
  readonly isSettling: boolean;
  readonly mode: Mode;
  readonly acts: Acts;
}

/** Drawn again when something of it is another, and not whenever the list is. */
function Item({ card, among, isPicked, isSettling, mode, acts }: ItemProps) {
  return useMemo(
    () => (
      <CardView
        card={card}
        isChosen={among !== undefined}
        isPicked={isPicked}
        isSettling={isSettling}
        mode={mode}
        onChoose={() => acts.select(card)}
        onPick={() => acts.pick(card)}
        onMode={(next) => acts.select(card, next)}
        onReply={(given, isForAlike) => acts.reply(card, given, isForAlike)}
      />
    ),
    [card, among, isPicked, isSettling, mode, acts],
  );
}

/**
 * Keeps the chosen card in sight, and the focus in the list: what had it goes with the card that is answered.
 * @param moved changes with what is chosen. @returns the list's place, and what notes whether it has the focus.
 */
function useInSight(moved: string): readonly [RefObject<HTMLOListElement | null>, () => void] {
  const list = useRef<HTMLOListElement>(null);
  const hadFocus = useRef(false);
  const isIn = (): boolean => list.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    const card = list.current?.querySelector<HTMLElement>("[aria-current=true]");
    if (!card) return;
    card.scrollIntoView({ block: card.offsetHeight > innerHeight * 0.8 ? "start" : "nearest" });
    if (hadFocus.current && !isIn()) card.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [moved]);
  const noteFocus = (): void => {
    hadFocus.current = isIn();
  };
  return [list, noteFocus];
}

/** What was answered before the newest few, at the top of the list: it would push down what waits. */
function foldedOf(cards: readonly Card[]): ReadonlySet<Card> {
  const first = cards.findIndex(isOpen);
  const answered = first < 0 ? cards.length : first;
  return new Set(answered > ANSWERED_SHOWN + 1 ? cards.slice(0, answered - ANSWERED_SHOWN) : []);
}
