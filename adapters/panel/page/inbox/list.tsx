// List
// The list of approvals, grouped by session under the session's title.
//
//   Owns:          keeping the chosen card in view and focused; redrawing a card only when it changes.
//   Does not own:  which cards there are, and their order (inbox.tsx), how a card looks (card.tsx).

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
import { useBefore } from "./risk/of-card.ts";

interface Props {
  readonly cards: readonly Card[];
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
  const { chosen, mode, isSettling, picked, next } = choice;
  const before = useBefore(chosen);
  const newest: Acts = { ...choice, turn: stacks.turn };
  const acts = useRef(newest);
  acts.current = newest;
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

type Acts = Pick<Choice, "select" | "write" | "reply" | "pick" | "next"> & Pick<Stacks, "turn">;

interface ItemProps {
  readonly card: Card;
  /** The equal cards that the row stands for. */
  readonly stack: readonly Card[] | undefined;
  readonly isUnfolded: boolean;
  /** True if the row needs its session's name: no heading above it names the session. */
  readonly isAway: boolean;
  /** All cards, for the chosen card only: it shows how many others are equal, so it is redrawn when any card changes. */
  readonly among: readonly Card[] | undefined;
  readonly before: readonly Card[];
  readonly isPicked: boolean;
  readonly isSettling: boolean;
  readonly hasNext: boolean;
  readonly mode: Mode;
  /** What a press on a row does; in a reference, which stays the same, because new functions would redraw every row. */
  readonly acts: { readonly current: Acts };
}

/** A row of the list; redrawn only if one of its properties changes. */
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
        onChoose={() => acts.current.select(card)}
        onPick={() => acts.current.pick((isUnfolded ? undefined : stack) ?? [card])}
        onTurn={() => acts.current.turn(card)}
        onMode={(next, event) => acts.current.write(card, next, event)}
        onReply={(...given) => acts.current.reply(...given)}
        onNext={hasNext ? () => acts.current.next?.() : undefined}
      />
    ),
    [card, stack, isUnfolded, isAway, among, before, isPicked, isSettling, hasNext, mode],
  );
}

const CHOSEN = "[aria-current=true]";

/**
 * Keeps the chosen card in sight, and the focus on it: a screen reader says what is chosen, and Tab leads to its buttons.
 * A focus outside of the list, such as in a field, stays where it is.
 * @param moved changes with the chosen card.
 * @param listed changes with the cards in the list. If a new card pushes the chosen one out of sight, the list is scrolled
 * back to the chosen one; a card that a person scrolled away stays away.
 * @returns a reference to the list, and a function that notes whether the list has the focus.
 */
function useInSight(
  moved: string,
  listed: unknown,
): readonly [RefObject<HTMLOListElement | null>, () => void] {
  const list = useRef<HTMLOListElement>(null);
  const hadFocus = useRef(false);
  const wasSeen = useRef(false);
  useLayoutEffect(() => {
    const card = list.current?.querySelector<HTMLElement>(CHOSEN);
    if (!card) return;
    // On a phone the bar and the buttons cover a third of the window: a card higher than 60 % of it is scrolled to its start.
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
    // `wasSeen` is not reset: if the list changes again before the new observer reports, the last report of the previous
    // observer says whether the card was in sight.
    const watch = new IntersectionObserver((all) => (wasSeen.current = all.at(-1)?.isIntersecting ?? false));
    watch.observe(row);
    return () => watch.disconnect();
  }, [moved, listed]);
  const noteFocus = (): void => {
    hadFocus.current = list.current?.contains(document.activeElement) ?? false;
  };
  return [list, noteFocus];
}

function isAway(row: HTMLElement, list: HTMLElement | null): boolean {
  const [{ top, bottom }, around] = [row.getBoundingClientRect(), list?.getBoundingClientRect()];
  return bottom <= Math.max(0, around?.top ?? 0) || top >= Math.min(innerHeight, around?.bottom ?? Infinity);
}

const NONE: readonly Card[] = [];
