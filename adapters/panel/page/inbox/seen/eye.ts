// Eye
// Watches the one approval that is shown whole: since when it is on the screen, as it is.
//
//   Owns:          being in view, behind a sheet or in a hidden window; telling when it has been seen.
//   Does not own:  how long that takes (seen.ts), what is answered (bulk/choice.ts, session/answering.ts).
//
// EYE-1. What is scrolled away, covered by a sheet or in a hidden window is not seen, and begins anew when it comes back.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useValue, Value } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";
import { keyOf, keyOfCard } from "../name.ts";
import { drawnOf } from "./drawn.ts";
import { type Drawn, type Look, looked, SEEING_MS, type Seen, seenOf } from "./seen.ts";

/** Timers and events do not read the clock at the very same moment. */
const SLACK_MS = 10;
/** So much of it, at least, is in view. */
const EDGE_PX = 16;
const BAR_PX = 48;

let look: Look | undefined;
let drawn: Drawn | undefined;
let place: Element | undefined;
let isInView = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The key of what has been seen for long enough. */
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

/** @param card as it is drawn. @returns the place of what identifies it: its input. */
export function useEye(card: Card): RefObject<HTMLDivElement | null> {
  const shown = useRef<HTMLDivElement>(null);
  const key = keyOfCard(card);
  useLayoutEffect(() => {
    const { current } = shown;
    if (!current) return;
    [place, isInView] = [current, false];
    const watch = new IntersectionObserver(
      (all) => {
        isInView = all.at(-1)?.isIntersecting ?? false;
        update();
      },
      { rootMargin: `${-(BAR_PX + EDGE_PX)}px 0px ${-lowerEdge()}px` },
    );
    watch.observe(current);
    return () => {
      watch.disconnect();
      // Another card may have taken its place already.
      if (place !== current) return;
      [drawn, place, isInView] = [undefined, undefined, false];
      update();
    };
  }, [key]);
  useLayoutEffect(() => {
    drawn = drawnOf(card);
    update();
  }, [card]);
  return shown;
}

/** What the buttons cover of the window; a part of it stays, however small it is. */
function lowerEdge(): number {
  const answers = document.querySelector<HTMLElement>(".answers")?.offsetHeight ?? 0;
  return Math.max(0, Math.min(answers + EDGE_PX, innerHeight * 0.75 - BAR_PX - EDGE_PX));
}

/** What an answer to the card is made of. Where it is scrolled away it comes back, and is answered by the next press. */
export function see({ approval }: Card, { timeStamp }: Event): Seen | undefined {
  const seen = seenOf(look, approval, timeStamp);
  if (!seen && !isInView) place?.scrollIntoView({ block: "start" });
  return seen;
}

/** Whether a card that waits takes no answer yet. */
export function useSettling(card: Card | undefined): boolean {
  const seen = useValue(seenKey);
  return card?.phase.is === "open" && seen !== keyOfCard(card);
}
