// Before
// The cards that a person has just looked at, which the next card is compared with.
//
//   Owns:          which cards these are, how many are kept.
//   Does not own:  comparing a card with them (of-card.ts).

import { useRef } from "preact/hooks";
import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";

const NONE: readonly Card[] = [];
/** How many cards are kept: as many as a person may remember. */
const SEEN_MAX = 12;

/** The cards that a person looked at before the present one, the last one first. */
export function useBefore(chosen: Card | undefined): readonly Card[] {
  const seen = useRef<{ readonly now?: Card | undefined; readonly before: readonly Card[] }>({
    before: NONE,
  });
  const { now, before } = seen.current;
  if (chosen && chosen !== now) {
    const isOther = now !== undefined && keyOfCard(now) !== keyOfCard(chosen);
    const others = isOther
      ? [now, ...before.filter((each) => keyOfCard(each) !== keyOfCard(chosen))]
      : before;
    seen.current = {
      now: chosen,
      before: others.length === before.length && !isOther ? before : others.slice(0, SEEN_MAX),
    };
  }
  return seen.current.before;
}
