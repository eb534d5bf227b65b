// Height
// Gives the style sheets the height of a box at the lower edge, so that another box can stand above it.
//
//   Owns:          watching the height, the property that contains the height.
//   Does not own:  what the box shows, which box gives way (the style sheets).

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keeps a box's height in a CSS property of the document, until the box is removed.
 * @param property gets the height, in px.
 * @returns a reference to be put on the box.
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
