// List
// The list of approvals; those of one session are under its title.
//
//   Owns:          keeping the chosen card in view and focused; drawing a card again only when it changes.
//   Does not own:  which cards there are and their order (inbox.tsx), how a card looks (card.tsx).

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Choice } from "./bulk/choice.ts";
import type { Card, Mode } from "./card/card.ts";
import { CardView } from "./card/card.tsx";
import { Where } from "./card/where.tsx";
import { isShownOf, type Stacks, standsFor } from "./equal/stacks.ts";
import { sessionKeyOf } from "./filter/filter.ts";
import { isOpen } from "./model.ts";
import { keyOfCard } from "./name.ts";
import { useBefore } from "./risk/before.ts";

interface Props {
  readonly cards: readonly Card[];
  /** The cards of each session, in the order in which sessions are shown. */
  readonly groups: readonly (readonly Card[])[];
  /** The cards that have a row. */
  readonly rows: ReadonlySet<Card>;
  readonly stacks: Stacks;
  /** How many answered cards are folded. */
  readonly answered: number;
  readonly onUnfold: () => void;
  readonly choice: Choice;
}

export function List({ cards, groups, rows, stacks, answered, onUnfold, choice }: Props) {
  const { chosen, mode, isSettling, picked } = choice;
  const before = useBefore(chosen);
  const { next } = choice;
  const acts = useActs({ ...choice, next: () => next?.(), turn: stacks.turn });
  const [list, noteFocus] = useInSight(`${chosen && keyOfCard(chosen)} ${mode}`, groups);
  return (
    <ol class="cards" ref={list} onClickCapture={noteFocus} onKeyDownCapture={noteFocus}>
      {answered > 0 && (
        <li key="folded">
          <button type="button" class="plain" onClick={onUnfold}>
            {answered} answered earlier: show
          </button>
        </li>
      )}
      {groups.flatMap((group) => [
        cards.length > 1 && <Head key={`of ${keyOf(group)}`} group={group} />,
        ...group
          .filter((card) => rows.has(card))
          .map((card) => (
            <li key={keyOfCard(card)}>
              <Item
                card={card}
                stack={isShownOf(stacks.of(card), card, chosen) ? stacks.of(card) : undefined}
                isUnfolded={stacks.isUnfolded(card)}
                isAway={cards.length === 1 || sessionKeyOf(card) !== keyOf(group)}
                among={card === chosen ? cards : undefined}
                before={card === chosen ? before : NONE}
                isPicked={standsFor(stacks, card).every((each) => picked.has(keyOfCard(each)))}
                isSettling={card === chosen && isSettling}
                hasNext={card === chosen && next !== undefined}
                mode={card === chosen ? mode : "reading"}
                acts={acts}
              />
            </li>
          )),
      ])}
    </ol>
  );
}

const keyOf = ([first]: readonly Card[]): string => (first ? sessionKeyOf(first) : "");

/** The heading of the approvals of one session. */
function Head({ group }: { readonly group: readonly Card[] }) {
  const [first] = group;
  if (!first) return null;
  const open = group.filter(isOpen).length;
  return (
    <li class="group">
      <Where {...first.approval} />
      {open > 0 && <span class="quiet">{open}</span>}
    </li>
  );
}

type Acts = Pick<Choice, "select" | "write" | "reply" | "pick"> & Pick<Stacks, "turn"> & { next: () => void };

/**
 * Functions that stay the same as long as the list is shown, so that cards are not drawn again. Each calls the function that
 * was given last.
 */
function useActs(newest: Acts): Acts {
  const held = useRef(newest);
  held.current = newest;
  return useMemo(
    () => ({
      select: (...given) => held.current.select(...given),
      write: (...given) => held.current.write(...given),
      reply: (...given) => held.current.reply(...given),
      pick: (...given) => held.current.pick(...given),
      turn: (...given) => held.current.turn(...given),
      next: () => held.current.next(),
    }),
    [],
  );
}

interface ItemProps {
  readonly card: Card;
  /** The equal cards that the row stands for. */
  readonly stack: readonly Card[] | undefined;
  readonly isUnfolded: boolean;
  /** True if no heading above the row names its session. */
  readonly isAway: boolean;
  /** All cards, for the chosen card only: it shows how many others are equal. */
  readonly among: readonly Card[] | undefined;
  readonly before: readonly Card[];
  readonly isPicked: boolean;
  readonly isSettling: boolean;
  readonly hasNext: boolean;
  readonly mode: Mode;
  readonly acts: Acts;
}

/** One row; it is drawn again only if one of its own properties changes. */
function Item(props: ItemProps) {
  const { card, stack, isUnfolded, isAway, among, before, isPicked, isSettling, hasNext, mode, acts } = props;
  return useMemo(
    () => (
      <CardView
        card={card}
        equal={stack?.length ?? 1}
        isUnfolded={isUnfolded}
        isAway={isAway}
        before={before}
        isChosen={among !== undefined}
        isPicked={isPicked}
        isSettling={isSettling}
        mode={mode}
        onChoose={() => acts.select(card)}
        onPick={() => acts.pick((isUnfolded ? undefined : stack) ?? [card])}
        onTurn={() => acts.turn(card)}
        onMode={(next, event) => acts.write(card, next, event)}
        onReply={acts.reply}
        onNext={hasNext ? acts.next : undefined}
      />
    ),
    [card, stack, isUnfolded, isAway, among, before, isPicked, isSettling, hasNext, mode, acts],
  );
}

const CHOSEN = "[aria-current=true]";

/**
 * Keeps the chosen card in sight, and the focus on it: a screen reader says what is chosen, and Tab leads to its buttons.
 * A focus outside of the list, such as in a field, stays where it is.
 * @param moved changes with the chosen card.
 * @param listed changes with the cards in the list. A new card above may push the chosen one out of sight, which is then
 * scrolled back; a card that a person scrolled away stays away.
 * @returns a reference to the list, and a function that notes whether the list has the focus.
 */
function useInSight(
  moved: string,
  listed: unknown,
): readonly [RefObject<HTMLOListElement | null>, () => void] {
  const list = useRef<HTMLOListElement>(null);
  const hadFocus = useRef(false);
  const wasSeen = useRef(false);
  const isIn = (): boolean => list.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    const card = list.current?.querySelector<HTMLElement>(CHOSEN);
    if (!card) return;
    // On a phone the bar and the buttons cover a third of the window.
    card.scrollIntoView({ block: card.offsetHeight > innerHeight * 0.6 ? "start" : "nearest" });
    const { activeElement } = document;
    const isFree = hadFocus.current || activeElement === document.body;
    if (isFree && !card.contains(activeElement)) card.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [moved]);
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`${CHOSEN} > header`);
    if (!row) return;
    if (wasSeen.current && isAway(row, list.current)) row.scrollIntoView({ block: "nearest" });
    // Until this observer reports, `wasSeen` still has the last report of the observer before it.
    const watch = new IntersectionObserver((all) => (wasSeen.current = all.at(-1)?.isIntersecting ?? false));
    watch.observe(row);
    return () => watch.disconnect();
  }, [moved, listed]);
  const noteFocus = (): void => {
    hadFocus.current = isIn();
  };
  return [list, noteFocus];
}

/** True if no part of the row is visible in the list. */
function isAway(row: HTMLElement, list: HTMLElement | null): boolean {
  const [{ top, bottom }, around] = [row.getBoundingClientRect(), list?.getBoundingClientRect()];
  return bottom <= Math.max(0, around?.top ?? 0) || top >= Math.min(innerHeight, around?.bottom ?? Infinity);
}

const NONE: readonly Card[] = [];
