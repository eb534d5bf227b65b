// Before
// Which cards a person has just looked at: the next one is compared with them.
//
//   Owns:          which they are, and how many.
//   Does not own:  comparing them (of-card.ts).

import { useRef } from "preact/hooks";
import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";

const NONE: readonly Card[] = [];
/** As many as a person may still remember. */
const SEEN_MAX = 12;

/** The cards that were looked at before the one that is looked at now, the last one first. */
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
