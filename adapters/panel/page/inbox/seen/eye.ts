// Eye
// Notes since when the chosen card has been on the screen unchanged.
//
//   Owns:          noticing whether the card is in view, covered by a sheet, or in a hidden window.
//   Does not own:  how long a card must be on the screen (seen.ts).
//
// EYE-1. A card that is scrolled out of view, covered by a sheet or in a hidden window does not count as seen. When the card is
//     in view again, its time on the screen begins anew. Until the card has been seen for long enough, its buttons are grey and
//     say why.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useValue, Value } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";
import { keyOf, keyOfCard } from "../name.ts";
import { type Drawn, drawnOf, type Look, looked, SEEING_MS, type Seen, seenOf } from "./seen.ts";

/** Added to the timer's delay, ms, because timers and events read slightly different clocks. */
const SLACK_MS = 10;
/** At least this much of the input must be in view for the card to count as seen, px. */
const EDGE_PX = 16;

let look: Look | undefined;
let drawn: Drawn | undefined;
let place: Element | undefined;
let isInView = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The approval that has been seen long enough, by its key. */
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
 * @param isRuling true while the form of a rule is open: on a phone, the form covers more of the window than the buttons do.
 * @returns a reference for the element that shows the card's input.
 */
export function useEye(card: Card, isRuling: boolean): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null);
  const key = keyOfCard(card);
  useLayoutEffect(() => {
    const { current } = shown;
    if (!current) return;
    [place, isInView] = [current, false];
    return () => {
      // If another card is watched by now, its own effect has set these variables already.
      if (place !== current) return;
      [drawn, place, isInView] = [undefined, undefined, false];
      update();
    };
  }, [key]);
  // If a form opens and the input stays in view, the card's time on the screen goes on: a person need not wait again.
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

/**
 * How much of the window the bar and the boxes at the lower edge cover; limited, so that a part of it always counts as visible.
 */
function edges(): string {
  const upper = heightOf(".bar") + EDGE_PX;
  const lower = Math.max(heightOf(".answers, .last-answer"), heightOf(".allow-like-this")) + EDGE_PX;
  return `${-upper}px 0px ${-Math.min(lower, innerHeight * 0.75 - upper)}px`;
}

/** What a person had seen of a card at a press; undefined if not enough. A card that is out of view is then scrolled back. */
export function see({ approval }: Card, { timeStamp }: Event): Seen | undefined {
  const seen = seenOf(look, approval, timeStamp);
  if (!seen && !isInView) place?.scrollIntoView({ block: "start" });
  return seen;
}

/** True while a card has not been seen long enough to take an answer. */
export function useSettling(card: Card | undefined): boolean {
  const seen = useValue(seenKey);
  return card?.phase.is === "open" && seen !== keyOfCard(card);
}

/** A button that answers is grey until the card has been seen long enough, and says why. */
export const untilSeen = (isSettling: boolean) => ({
  "aria-disabled": isSettling,
  title: isSettling ? "Read the input first: press this button to bring it into view." : undefined,
});
