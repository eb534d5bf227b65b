// In sight
// Marks on a session's line of time which calls are on the screen, and says the same in words for a screen reader.
//
//   Owns:          noticing which rows are on the screen; moving the marks when the page is scrolled.
//   Does not own:  when the calls on the screen ran (sight.ts), the drawing around the marks (drawing.tsx).

import { useEffect, useMemo, useState } from "preact/hooks";
import { boxOf, LANES } from "./drawing.tsx";
import type { Mark } from "./happened.ts";
import { sightsOf, wordsOfSights } from "./sight.ts";
import { placeOf, type Stretch } from "./spread.ts";

/** The id of the words that describe the slider. A screen reader reads them when the slider is focused, not at each scrolling. */
export const SIGHT_WORDS = "in-sight";
const LEAST_PX = 4;

interface Props {
  readonly marks: readonly Mark[];
  readonly stretches: readonly Stretch[];
  readonly width: number;
}

export function InSight({ marks, stretches, width }: Props) {
  const shown = useShownCalls(marks);
  const parts = useMemo(() => sightsOf(marks, new Set(shown)), [marks, shown]);
  // If all calls are on the screen, nothing is marked: a mark around everything would say nothing.
  const marked = shown.length < marks.length ? parts : [];
  const boxes = marked.map(({ from, to }) => {
    const [left, right] = [placeOf(stretches, from), placeOf(stretches, to)];
    const own = Math.max(LEAST_PX, right - left);
    return boxOf(Math.max(1, Math.min(left, width - own - 1)), 1, own, LANES.labels - 2);
  });
  return (
    <>
      <path class="in-sight" d={boxes.join("")} />
      <desc id={SIGHT_WORDS}>{wordsOfSights(parts)}</desc>
    </>
  );
}

/** The ids of the calls on the screen. @param beat changes when rows may have come or gone. */
function useShownCalls(beat: unknown): readonly string[] {
  const [shown, show] = useState<readonly string[]>([]);
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const now = callsOnScreen();
      show((before) => (before.join(" ") === now.join(" ") ? before : now));
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    const watch = new ResizeObserver(soon);
    watch.observe(document.body);
    for (const event of ["scroll", "resize"]) addEventListener(event, soon, { passive: true });
    soon();
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      for (const event of ["scroll", "resize"]) removeEventListener(event, soon);
    };
  }, [beat]);
  return shown;
}

/**
 * Measures batches first, then only rows of batches on the screen: the browser would have to lay out any other row it measures.
 */
function callsOnScreen(): readonly string[] {
  const covered = [".bar", ".whole-session"].map((each) => document.querySelector(each));
  const top = Math.max(0, ...covered.map((each) => each?.getBoundingClientRect().bottom ?? 0));
  const all = [...document.querySelectorAll(".request .batch")].filter((batch) => {
    const { top: from, bottom: to } = batch.getBoundingClientRect();
    return to > top && from < innerHeight;
  });
  return all
    .flatMap((batch) => [...batch.querySelectorAll<HTMLElement>("[data-call]")])
    .filter((row) => {
      const { top: from, bottom: to } = row.getBoundingClientRect();
      return to > from && (from + to) / 2 > top && (from + to) / 2 < innerHeight;
    })
    .map(({ dataset }) => dataset["call"] ?? "");
}
