// Height
// Tells the style sheets how high a box at the lower edge is, so that another one stands above it.
//
//   Owns:          watching it, the property that says so.
//   Does not own:  what is drawn there, which box gives way (the style sheets).

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * @param property of the whole document, in px; taken away with the box.
 * @returns the place of the box.
 */
export function useHeightAs(property: `--${string}`): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const { current } = box;
    if (!current) return;
    const watch = new ResizeObserver(() => style.setProperty(property, `${current.offsetHeight}px`));
    watch.observe(current);
    return () => {
      watch.disconnect();
      style.removeProperty(property);
    };
  }, [property]);
  return box;
}
