// Eye
// Watches the one card that is shown whole: since when it has been on the screen unchanged.
//
//   Owns:          whether the card is in view, behind a sheet or in a hidden window; reporting when it has been seen.
//   Does not own:  how long a card must be seen (seen.ts), what an answer is for (bulk/choice.ts, session/answering.ts).
//
// EYE-1. A card that is scrolled away, covered by a sheet or in a hidden window is not seen. When it comes back, its
//     time on the screen starts anew.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useValue, Value } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";
import { keyOf, keyOfCard } from "../name.ts";
import { drawnOf } from "./drawn.ts";
import { type Drawn, type Look, looked, SEEING_MS, type Seen, seenOf } from "./seen.ts";

/** Added to the time of the timer, as timers and events read slightly different clocks, ms. */
const SLACK_MS = 10;
/** At least this much of the input must be in view, px. */
const EDGE_PX = 16;

let look: Look | undefined;
let drawn: Drawn | undefined;
let place: Element | undefined;
let isInView = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The key of the approval that has been seen long enough. */
const seenKey = new Value<string | undefined>(undefined);

function update(): void {
  const isOnScreen = isInView && !document.hidden && document.querySelector("dialog[open]") === null;
  const now = looked(look, drawn, isOnScreen, performance.now());
  if (now === look) return;
  look = now;
  clearTimeout(timer);
  seenKey.set(undefined);
  if (now?.since === undefined) return;
  const key = keyOf(now.drawn);
  timer = setTimeout(() => seenKey.set(key), SEEING_MS + SLACK_MS);
}

document.addEventListener("visibilitychange", update);
new MutationObserver(update).observe(document.body, {
  ...{ subtree: true, childList: true, attributes: true },
  attributeFilter: ["open"],
});

/**
 * Watches a card.
 * @param card the card, as it is drawn.
 * @param isRuling true while the form of a rule is open: on a phone it covers more of the window than the buttons.
 * @returns a reference to be put on the element that shows its input.
 */
export function useEye(card: Card, isRuling: boolean): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null);
  const key = keyOfCard(card);
  useLayoutEffect(() => {
    const { current } = shown;
    if (!current) return;
    [place, isInView] = [current, false];
    return () => {
      // Nothing to clear if another card is watched by now.
      if (place !== current) return;
      [drawn, place, isInView] = [undefined, undefined, false];
      update();
    };
  }, [key]);
  // If a form opens and the input stays in view, the card's time on the screen goes on: the next press may come at once.
  useLayoutEffect(() => {
    const { current } = shown;
    if (!current) return;
    const watch = new IntersectionObserver(
      (all) => {
        isInView = all.at(-1)?.isIntersecting ?? false;
        update();
      },
      { rootMargin: edges() },
    );
    watch.observe(current);
    return () => watch.disconnect();
  }, [key, isRuling]);
  useLayoutEffect(() => {
    drawn = drawnOf(card);
    update();
  }, [card]);
  return shown;
}

const heightOf = (selector: string): number =>
  [...document.querySelectorAll<HTMLElement>(selector)].reduce(
    (sum, { offsetHeight }) => sum + offsetHeight,
    0,
  );

/** What the bar and the boxes at the lower edge cover; limited, so that some of the window always counts. */
function edges(): string {
  const upper = heightOf(".bar") + EDGE_PX;
  const lower = Math.max(heightOf(".answers, .last-answer"), heightOf(".allow-like-this")) + EDGE_PX;
  return `${-upper}px 0px ${-Math.min(lower, innerHeight * 0.75 - upper)}px`;
}

/**
 * What was seen of a card, for an answer to it. A card that is scrolled away is scrolled back, and the next press answers
 * it.
 */
export function see({ approval }: Card, { timeStamp }: Event): Seen | undefined {
  const seen = seenOf(look, approval, timeStamp);
  if (!seen && !isInView) place?.scrollIntoView({ block: "start" });
  return seen;
}

/** True while an open card has not been seen long enough to take an answer. */
export function useSettling(card: Card | undefined): boolean {
  const seen = useValue(seenKey);
  return card?.phase.is === "open" && seen !== keyOfCard(card);
}
